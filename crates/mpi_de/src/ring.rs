//! Positions of a ring buffer: next read and next write.

/// Positions of a ring buffer as its registers hold them. They wrap around, and they alone determine the
/// number of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Positions {
    read: u8,
    write: u8,
    places: u8,
    keeps_one_free: bool,
}

impl Positions {
    /// Positions of an empty ring; `None` if it has no usable place.
    pub fn new(places: u8, keeps_one_free: bool) -> Option<Self> {
        (places > u8::from(keeps_one_free)).then_some(Self { read: 0, write: 0, places, keeps_one_free })
    }

    /// Number of entries. Equal positions mean an empty ring, even after `places` writes.
    pub fn entries(self) -> u8 {
        ((u16::from(self.write) + u16::from(self.places) - u16::from(self.read)) % u16::from(self.places))
            as u8
    }

    /// Whether an entry may be written. Without `keeps_one_free` a full ring looks empty (H20).
    pub fn may_write(self) -> bool {
        !self.keeps_one_free || self.entries() + 1 < self.places
    }

    /// Advances the write position.
    pub fn wrote(&mut self) {
        self.write = (self.write + 1) % self.places;
    }

    /// Whether the ring has an entry.
    pub fn may_read(self) -> bool {
        self.read != self.write
    }

    /// Advances the read position.
    pub fn took(&mut self) {
        self.read = (self.read + 1) % self.places;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_counted_around_the_end() {
        let mut ring = Positions::new(4, true).unwrap();
        for _ in 0..9 {
            assert_eq!((ring.entries(), ring.may_read(), ring.may_write()), (0, false, true));
            for entries in 1..=3 {
                ring.wrote();
                assert_eq!((ring.entries(), ring.may_read(), ring.may_write()), (entries, true, entries < 3));
            }
            for entries in [2, 1, 0] {
                ring.took();
                assert_eq!((ring.entries(), ring.may_read(), ring.may_write()), (entries, entries > 0, true));
            }
        }
    }

    #[test]
    fn full_ring_looks_empty_unless_a_place_is_kept_free() {
        assert_eq!(Positions::new(0, false), None);
        assert_eq!(Positions::new(1, true), None);
        let mut ring = Positions::new(2, false).unwrap();
        ring.wrote();
        assert!(ring.may_write());
        ring.wrote();
        assert_eq!((ring.entries(), ring.may_read()), (0, false));
    }
}
