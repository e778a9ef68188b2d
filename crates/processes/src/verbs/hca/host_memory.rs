//! Modelled host memory: its regions, and the allocator of its pages.

use super::errno::ENOMEM;
use crate::verbs::call::Buffer;

/// First address for regions and rings; the memory below is left to an operating system (our choice).
const FIRST: u32 = 0x10_0000;
/// First address behind host memory.
const END: u32 = hca_machine::MEMORY_BYTES;
/// Bytes of a page, the unit of allocation.
const PAGE: u32 = 4096;

/// A memory region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub domain: u8,
    pub key: u32,
    /// Address in host memory.
    pub base: u32,
    pub length: u32,
}

impl Region {
    /// Whether the region contains all bytes of the buffer.
    pub fn contains(&self, buffer: Buffer) -> bool {
        buffer.offset.checked_add(buffer.length.into()).is_some_and(|end| end <= self.length.into())
    }
}

/// Allocator of host memory, in pages; first fit.
#[derive(Debug, Default)]
pub(super) struct HostMemory {
    /// Address and length of each allocation, by address.
    taken: Vec<(u32, u32)>,
}

impl HostMemory {
    /// Address of `bytes` free bytes at the start of a page.
    pub fn allocate(&mut self, bytes: u64) -> Result<u32, i32> {
        let pages = bytes.div_ceil(PAGE.into()).max(1).saturating_mul(PAGE.into());
        let ends = self.taken.iter().map(|(base, length)| base + length);
        let begins = self.taken.iter().map(|(base, _)| *base).chain([END]);
        let gap = [FIRST].into_iter().chain(ends).zip(begins);
        let fits = |(_, (end, begin)): &(usize, (u32, u32))| u64::from(begin - end) >= pages;
        let (at, (base, _)) = gap.enumerate().find(fits).ok_or(ENOMEM)?;
        self.taken.insert(at, (base, pages as u32));
        Ok(base)
    }

    /// Frees the allocation at this address, or with this address in its first page.
    pub fn free(&mut self, base: u32) {
        self.taken.retain(|(begin, _)| *begin != base & !(PAGE - 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_allocated_once_and_freed() {
        let mut memory = HostMemory::default();
        let [first, second, third] = [1, 4097, 4096].map(|bytes| memory.allocate(bytes).unwrap());
        assert_eq!((first, second, third), (FIRST, FIRST + PAGE, FIRST + 3 * PAGE));
        memory.free(second + 5);
        assert_eq!(memory.allocate(8193), Ok(FIRST + 4 * PAGE), "the gap is too small");
        assert_eq!(memory.allocate(8192), Ok(second));
        assert_eq!(memory.allocate(u64::MAX), Err(ENOMEM));
        assert_eq!(memory.allocate(u64::from(END)), Err(ENOMEM));
    }

    #[test]
    fn buffer_beyond_a_region_is_not_contained() {
        let region = Region { domain: 1, key: 0x100, base: FIRST, length: 100 };
        let buffer = |offset, length| Buffer { key: 0x100, offset, length };
        assert!(region.contains(buffer(0, 100)) && region.contains(buffer(100, 0)));
        assert!(
            !region.contains(buffer(1, 100))
                && !region.contains(buffer(u64::MAX, 2))
                && !region.contains(buffer(101, 0))
        );
    }
}
