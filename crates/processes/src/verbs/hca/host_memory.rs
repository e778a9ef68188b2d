//! Allocators of bus addresses: of modelled host memory, and of windows to registered memory.

use super::errno::ENOMEM;

/// Addresses of rings; the memory below is left to an operating system (our choice).
pub(super) const RINGS: (u32, u32) = (0x10_0000, BOUNCE.0);
/// Addresses of buffers in which the driver gathers and scatters.
pub(super) const BOUNCE: (u32, u32) = (0x1000_0000, hca_machine::MEMORY_BYTES);
/// Bus addresses beyond host memory, for windows.
pub(super) const WINDOWS: (u32, u32) = (hca_machine::MEMORY_BYTES, 0xffff_f000);
/// Bytes of a page, the unit of allocation.
pub(super) const PAGE: u32 = 4096;

/// Allocator of a range of addresses, in pages; first fit.
#[derive(Debug)]
pub(super) struct HostMemory {
    range: (u32, u32),
    /// Address and length of each allocation, by address.
    taken: Vec<(u32, u32)>,
}

impl HostMemory {
    /// Of addresses from the first to before the second.
    pub fn new(range: (u32, u32)) -> Self {
        HostMemory { range, taken: Vec::new() }
    }

    /// Address of `bytes` free bytes at the start of a page.
    pub fn allocate(&mut self, bytes: u64) -> Result<u32, i32> {
        let pages = bytes.div_ceil(PAGE.into()).max(1).saturating_mul(PAGE.into());
        let ends = self.taken.iter().map(|(base, length)| base + length);
        let begins = self.taken.iter().map(|(base, _)| *base).chain([self.range.1]);
        let gap = [self.range.0].into_iter().chain(ends).zip(begins);
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
        let (first, end) = RINGS;
        let mut memory = HostMemory::new(RINGS);
        let [a, b, c] = [1, 4097, 4096].map(|bytes| memory.allocate(bytes).unwrap());
        assert_eq!((a, b, c), (first, first + PAGE, first + 3 * PAGE));
        memory.free(b + 5);
        assert_eq!(memory.allocate(8193), Ok(first + 4 * PAGE), "the gap is too small");
        assert_eq!(memory.allocate(8192), Ok(b));
        assert_eq!(memory.allocate(u64::MAX), Err(ENOMEM));
        assert_eq!(memory.allocate(u64::from(end)), Err(ENOMEM));
    }
}
