//! Allocation of places in a range of SO-DIMM: the first that fits, in whole lines of 8 bytes.

use std::collections::BTreeMap;
use std::ops::Range;

/// A range and its places in use.
#[derive(Debug)]
pub struct Places {
    range: Range<u32>,
    /// Ends of the places in use, by their beginnings.
    taken: BTreeMap<u32, u32>,
}

impl Places {
    /// A range without places in use. Its ends are multiples of 8.
    pub fn new(range: Range<u32>) -> Places {
        Places { range, taken: BTreeMap::new() }
    }

    /// The first free place of `bytes` bytes, if there is one. A place without bytes has a line, so that no two places
    /// begin alike.
    pub fn room(&self, bytes: u32) -> Option<u32> {
        let bytes = length(bytes)?;
        let begins = std::iter::once(self.range.start).chain(self.taken.values().copied());
        let ends = self.taken.keys().copied().chain([self.range.end]);
        begins.zip(ends).find(|(begin, end)| bytes <= end - begin).map(|(begin, _)| begin)
    }

    /// Allocates a place of `bytes` bytes; `None` if there is no room.
    pub fn take(&mut self, bytes: u32) -> Option<u32> {
        let place = self.room(bytes)?;
        self.taken.insert(place, place + length(bytes)?);
        Some(place)
    }

    /// Frees the place that begins here, if there is one.
    pub fn free(&mut self, place: u32) {
        self.taken.remove(&place);
    }
}

/// Bytes that a place of `bytes` bytes takes.
fn length(bytes: u32) -> Option<u32> {
    bytes.max(1).checked_next_multiple_of(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_is_the_first_that_fits() {
        let mut places = Places::new(64..128);
        assert_eq!([12, 8, 33].map(|bytes| places.take(bytes)), [Some(64), Some(80), Some(88)]);
        assert_eq!((places.take(1), places.take(0)), (None, None), "the range is full");
        places.free(80);
        assert_eq!((places.take(9), places.take(8)), (None, Some(80)));
        assert_eq!(places.room(u32::MAX), None);
    }
}
