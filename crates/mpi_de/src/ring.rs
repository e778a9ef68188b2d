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
