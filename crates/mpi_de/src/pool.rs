//! Slots of the MPI buffers, each of one 8 KB unit, for sending or receiving.

use crate::SLOTS;

/// Use of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Holds a unit until the NIF has read it.
    Send,
    /// Receives a unit by DMA.
    Receive,
}

/// Free slots of a PE as a bit mask. With two pools the send slots are the lowest ones; with one pool both
/// sides use any slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pools {
    free: u32,
    send: u8,
    slots: u8,
    two: bool,
}

impl Pools {
    /// `send` and `receive` slots; a single pool has the sum. `None` if a side has no slot or both have more
    /// than [`SLOTS`] together.
    pub fn new(send: u8, receive: u8, two: bool) -> Option<Self> {
        let slots = send.checked_add(receive)?;
        let each = !two || send > 0 && receive > 0;
        let fits = slots > 0 && each && slots <= SLOTS;
        fits.then(|| Self { free: Self::below(slots), send, slots, two })
    }

    const fn below(slots: u8) -> u32 {
        ((1_u64 << slots) - 1) as u32
    }

    fn of(&self, side: Side) -> u32 {
        match (self.two, side) {
            (false, _) => Self::below(self.slots),
            (true, Side::Send) => Self::below(self.send),
            (true, Side::Receive) => Self::below(self.slots) & !Self::below(self.send),
        }
    }

    /// Takes the lowest free slot of a side.
    pub fn take(&mut self, side: Side) -> Option<u8> {
        let free = self.free & self.of(side);
        let slot = u8::try_from(free.trailing_zeros()).ok().filter(|slot| *slot < self.slots)?;
        self.free &= !(1 << slot);
        Some(slot)
    }

    /// Frees a slot.
    pub fn give(&mut self, slot: u8) {
        if slot < self.slots {
            self.free |= 1 << slot;
        }
    }

    /// Whether a slot is free; false beyond the last slot.
    pub fn is_free(&self, slot: u8) -> bool {
        slot < self.slots && self.free >> slot & 1 != 0
    }

    /// Whether no slot is in use.
    pub fn all_free(&self) -> bool {
        self.free == Self::below(self.slots)
    }

    /// Slots of both sides together.
    pub fn slots(&self) -> u8 {
        self.slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_share_slots_only_with_a_single_pool() {
        let mut two = Pools::new(16, 16, true).unwrap();
        let sent: Vec<_> = std::iter::from_fn(|| two.take(Side::Send)).collect();
        assert_eq!(sent, (0..16).collect::<Vec<_>>());
        assert_eq!(two.take(Side::Receive), Some(16));
        let mut one = Pools::new(16, 16, false).unwrap();
        assert_eq!(std::iter::from_fn(|| one.take(Side::Send)).count(), 32);
        assert_eq!(one.take(Side::Receive), None);
        one.give(31);
        assert_eq!(one.take(Side::Receive), Some(31));
    }

    #[test]
    fn pools_that_do_not_fit_the_window_are_refused() {
        assert_eq!(Pools::new(0, 4, true), None);
        assert_eq!(Pools::new(4, 0, true), None);
        assert_eq!(Pools::new(0, 0, false), None);
        assert!(Pools::new(1, 0, false).is_some());
        assert_eq!(Pools::new(20, 13, true), None);
        assert_eq!(Pools::new(255, 1, true), None);
    }

    #[test]
    fn slots_beyond_the_last_are_not_given() {
        let mut pools = Pools::new(1, 1, true).unwrap();
        let before = pools;
        pools.give(2);
        pools.give(31);
        assert_eq!(pools, before);
        assert_eq!(pools.take(Side::Send), Some(0));
        assert!(!pools.all_free());
        pools.give(0);
        assert_eq!(pools, before);
    }

    #[test]
    fn slots_beyond_the_last_are_not_free() {
        for (send, receive) in [(1, 1), (16, 16)] {
            let pools = Pools::new(send, receive, true).unwrap();
            let free = (0..64).filter(|slot| pools.is_free(*slot)).count();
            assert_eq!(free, usize::from(send + receive));
        }
    }
}
