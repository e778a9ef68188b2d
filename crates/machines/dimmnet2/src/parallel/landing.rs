//! Allocation of places in own SO-DIMM for long messages that arrive.

use std::collections::BTreeMap;
use std::ops::Range;

use super::places::Places;

/// A message, by its sending rank and its number there.
pub type Key = (usize, u32);

/// A message that has a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Coming {
    place: u32,
    bytes: u32,
    /// Bytes that the program has read.
    read: u32,
}

/// The places, and the messages that own them.
#[derive(Debug)]
pub struct Landing {
    coming: BTreeMap<Key, Coming>,
    range: Range<u32>,
    places: Places,
}

impl Landing {
    /// All places of a range are free.
    pub fn new(range: &Range<u32>) -> Self {
        Landing { coming: BTreeMap::new(), range: range.clone(), places: Places::new(range.clone()) }
    }

    /// Bytes of the longest message, which has all of the range.
    pub fn most_bytes(&self) -> usize {
        self.range.len()
    }

    /// The first free place of `bytes` bytes, if there is one. A message without bytes needs none.
    pub fn room(&self, bytes: u32) -> Option<u32> {
        if bytes == 0 { Some(self.range.start) } else { self.places.room(bytes) }
    }

    /// Allocates a place of `bytes` bytes; `None` if there is no room now.
    pub fn clear(&mut self, key: Key, bytes: u32) -> Option<u32> {
        if bytes == 0 {
            return Some(self.range.start);
        }
        let place = self.places.take(bytes)?;
        self.coming.insert(key, Coming { place, bytes, read: 0 });
        Some(place)
    }

    /// Offset of the next `bytes` bytes of a message, which its sender has written; `None` if the message has no place
    /// or fewer unread bytes.
    pub fn written(&self, key: Key, bytes: u32) -> Option<u32> {
        let Coming { place, bytes: all, read } = self.coming.get(&key)?;
        (bytes <= all - read).then_some(place + read)
    }

    /// Counts `bytes` read bytes of a message. Its place is free when all are read.
    pub fn read(&mut self, key: Key, bytes: u32) {
        let Some(coming) = self.coming.get_mut(&key) else { return };
        coming.read += bytes;
        if coming.read == coming.bytes {
            let place = coming.place;
            self.places.free(place);
            self.coming.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::Regions;
    use super::*;

    const RANGE: Range<u32> = Regions::OWN_BOARD.landing;
    const BEGIN: u32 = RANGE.start;

    #[test]
    fn place_is_the_first_that_fits_and_is_freed_when_all_is_read() {
        let mut landing = Landing::new(&RANGE);
        let places: Vec<_> = (0..3).map(|number| landing.clear((1, number), 100)).collect();
        assert_eq!(places, [0, 104, 208].map(|at| Some(BEGIN + at)));
        assert_eq!(landing.written((1, 1), 60), Some(BEGIN + 104));
        landing.read((1, 1), 60);
        assert_eq!(landing.written((1, 1), 40), Some(BEGIN + 164));
        assert_eq!(landing.written((1, 1), 41), None, "that is more than was asked for");
        assert_eq!(landing.room(104), Some(BEGIN + 312), "not all was read");
        landing.read((1, 1), 40);
        assert_eq!(landing.room(104), Some(BEGIN + 104));
        assert_eq!(landing.room(105), Some(BEGIN + 312));
        assert_eq!(landing.written((1, 1), 1), None);
    }

    #[test]
    fn longest_message_fits_alone_and_waits_for_others() {
        let mut landing = Landing::new(&RANGE);
        assert_eq!(landing.clear((2, 0), 8), Some(BEGIN));
        assert_eq!(landing.clear((1, 0), RANGE.len() as u32), None);
        landing.read((2, 0), 8);
        assert_eq!(landing.clear((1, 0), RANGE.len() as u32), Some(BEGIN));
        assert_eq!(landing.room(1), None);
        assert!(landing.room(0).is_some(), "what has no bytes needs no place");
    }
}
