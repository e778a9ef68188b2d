//! Positions of a ring: next read, next write.

/// Positions of a ring as registers hold them: numbers of places, which go round. What lies in it is known by these alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Positions {
    read: u8,
    write: u8,
    places: u8,
    keeps_one_free: bool,
}

impl Positions {
    /// Of an empty ring. None without a place.
    pub fn new(places: u8, keeps_one_free: bool) -> Option<Self> {
        (places > u8::from(keeps_one_free)).then_some(Self { read: 0, write: 0, places, keeps_one_free })
    }

    /// Entries that the positions tell of: equal positions are an empty ring, whatever lies in it.
    pub fn entries(self) -> u8 {
        ((u16::from(self.write) + u16::from(self.places) - u16::from(self.read)) % u16::from(self.places))
            as u8
    }

    /// Whether one more may be written: where all places are used, the ring never looks full (H20).
    pub fn may_write(self) -> bool {
        !self.keeps_one_free || self.entries() + 1 < self.places
    }

    /// One was written.
    pub fn wrote(&mut self) {
        self.write = (self.write + 1) % self.places;
    }

    /// Whether there is one to read.
    pub fn may_read(self) -> bool {
        self.read != self.write
    }

    /// One was read.
    pub fn took(&mut self) {
        self.read = (self.read + 1) % self.places;
    }
}
