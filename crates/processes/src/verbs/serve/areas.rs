//! Host memory, and the areas of it that stand for registered memory of a guest.
//!
//! An area lies in host memory while the guest's own memory stays where it is. What is to be sent is put there with its request; what was received is taken
//! from there with its completion. In between, the memory is the adapter's by the rules of verbs.

use hca::contexts::{KEYS, Key, Kind};

use super::Reply;
use super::adapter::{Adapter, INVALID, NO_ROOM, UNSUPPORTED};
use crate::verbs::call::{Answer, Place};

/// Where areas and rings begin; below them is what an operating system would have. Ours.
const FIRST: u32 = 0x10_0000;
/// Where host memory ends.
const END: u32 = hca_machine::MEMORY_BYTES;
/// Bytes of a page.
const PAGE: u32 = 4096;

/// `IBV_ACCESS_LOCAL_WRITE`.
const LOCAL_WRITE: u32 = 1;
/// Optional flags, which an adapter may leave alone (`IBV_ACCESS_OPTIONAL_RANGE`).
const OPTIONAL: u32 = 0x3ff << 20;

/// A registered area.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub domain: u8,
    pub key: u32,
    /// Its first byte in host memory.
    pub base: u32,
    pub length: u32,
}

impl Area {
    /// Whether the bytes are in it.
    fn holds(&self, place: Place) -> bool {
        place.offset.checked_add(place.length.into()).is_some_and(|end| end <= self.length.into())
    }
}

/// Host memory that is taken, page by page.
#[derive(Debug, Default)]
pub(super) struct Areas {
    /// First byte and length of each, in their order.
    taken: Vec<(u32, u32)>,
}

impl Areas {
    /// Takes so many bytes, from the beginning of a page on.
    pub fn take(&mut self, bytes: u64) -> Result<u32, i32> {
        let pages = bytes.div_ceil(PAGE.into()).max(1).saturating_mul(PAGE.into());
        let ends = self.taken.iter().map(|(base, length)| base + length);
        let begins = self.taken.iter().map(|(base, _)| *base).chain([END]);
        let gap = [FIRST].into_iter().chain(ends).zip(begins);
        let fits = |(_, (end, begin)): &(usize, (u32, u32))| u64::from(begin - end) >= pages;
        let (at, (base, _)) = gap.enumerate().find(fits).ok_or(NO_ROOM)?;
        self.taken.insert(at, (base, pages as u32));
        Ok(base)
    }

    /// Gives back what begins there.
    pub fn give(&mut self, base: u32) {
        self.taken.retain(|(begin, _)| *begin != base & !(PAGE - 1));
    }
}

impl Adapter {
    pub(super) async fn register(&mut self, domain: u8, length: u64, alignment: u8, access: u32) -> Reply {
        self.domain(domain)?;
        // Peers reach into no guest: what they write would have to appear there at once.
        if access & !(LOCAL_WRITE | OPTIONAL) != 0 {
            return Err(UNSUPPORTED);
        }
        let alignment = u32::from(alignment & 7);
        let row = self.areas.iter().position(Option::is_none).ok_or(NO_ROOM)?;
        let base = self.memory.take(length.saturating_add(alignment.into()))? + alignment;
        let variant = self.variants[row].wrapping_add(1);
        self.variants[row] = variant;
        let (key, length) = (u32::from(variant) << 8 | row as u32, length as u32);
        let local_write = access & LOCAL_WRITE != 0;
        let value = Key { valid: true, local_write, domain, variant, base, length, ..Key::default() };
        self.host().write_row(Kind::Area, row as u8, value).await;
        self.areas[row] = Some(Area { domain, key, base, length });
        Ok(Answer::Number(key))
    }

    pub(super) async fn deregister(&mut self, key: u32) -> Reply {
        let area = *self.area(key).ok_or(INVALID)?;
        let row = key as usize % KEYS;
        self.host().write_row(Kind::Area, row as u8, Key::default()).await;
        self.areas[row] = None;
        self.memory.give(area.base);
        Ok(Answer::Done)
    }

    /// The area of a key.
    pub(super) fn area(&self, key: u32) -> Option<&Area> {
        self.areas[key as usize % KEYS].as_ref().filter(|area| area.key == key)
    }

    /// Where bytes of an area lie in host memory; and whether they are in it. What is not there lies somewhere that the adapter refuses.
    pub(super) fn address(&self, place: Place) -> (u32, bool) {
        match self.area(place.key) {
            Some(area) if area.holds(place) => (area.base + place.offset as u32, true),
            _ => (0, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_taken_once_given_back_and_ends() {
        let mut areas = Areas::default();
        let [first, second, third] = [1, 4097, 4096].map(|bytes| areas.take(bytes).unwrap());
        assert_eq!((first, second, third), (FIRST, FIRST + PAGE, FIRST + 3 * PAGE));
        areas.give(second + 5);
        assert_eq!(areas.take(8193), Ok(FIRST + 4 * PAGE), "the gap is too small");
        assert_eq!(areas.take(8192), Ok(second));
        assert_eq!(areas.take(u64::MAX), Err(NO_ROOM));
        assert_eq!(areas.take(u64::from(END)), Err(NO_ROOM));
    }

    #[test]
    fn bytes_beyond_an_area_are_not_in_it() {
        let area = Area { domain: 1, key: 0x100, base: FIRST, length: 100 };
        let place = |offset, length| Place { key: 0x100, offset, length };
        assert!(area.holds(place(0, 100)) && area.holds(place(100, 0)));
        assert!(!area.holds(place(1, 100)) && !area.holds(place(u64::MAX, 2)) && !area.holds(place(101, 0)));
    }
}
