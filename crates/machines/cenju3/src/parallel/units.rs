//! Owners of the units of the window: each unit is free or belongs to an incoming message. Independent of time and
//! network.

use std::collections::{BTreeMap, VecDeque};

use crate::layout::{UNIT, UNITS};

/// A message, by its sending rank and its number there.
pub type Key = (usize, u32);

/// Most units of a message at a time: one is filled at the sender, one is on the network, one is emptied, and the CTS
/// for one is in flight (gap G4). Not published; our choice.
const EACH: usize = 4;

/// The units of a window.
#[derive(Debug)]
pub struct Units {
    free: VecDeque<u8>,
    /// Bytes of each message that have no unit yet.
    coming: BTreeMap<Key, u32>,
}

impl Default for Units {
    fn default() -> Self {
        Units { free: (0..UNITS as u8).collect(), coming: BTreeMap::new() }
    }
}

impl Units {
    /// Whether a unit is free.
    pub fn any(&self) -> bool {
        !self.free.is_empty()
    }

    /// The first units of a message of `bytes` bytes, which the CTS names; fewer than it could use if other messages
    /// own them. `None` if no unit is free.
    pub fn clear(&mut self, key: Key, bytes: u32) -> Option<Vec<u8>> {
        let needs = bytes.div_ceil(UNIT) as usize;
        if needs > 0 && !self.any() {
            return None;
        }
        let units: Vec<u8> = (0..needs.min(EACH)).map_while(|_| self.free.pop_front()).collect();
        let left = bytes.saturating_sub(units.len() as u32 * UNIT);
        if left > 0 {
            self.coming.insert(key, left);
        }
        Some(units)
    }

    /// A unit of a message was emptied. Returns whether the message needs it again; otherwise it is free.
    pub fn emptied(&mut self, key: Key, unit: u8) -> bool {
        let Some(left) = self.coming.get_mut(&key) else {
            self.free.push_back(unit);
            return false;
        };
        *left = left.saturating_sub(UNIT);
        if *left == 0 {
            self.coming.remove(&key);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_message_goes_through_a_few_units_again_and_again() {
        let mut units = Units::default();
        let key = (1, 7);
        assert_eq!(units.clear(key, 7 * UNIT - 1), Some(vec![0, 1, 2, 3]));
        let again: Vec<_> = [0, 1, 2, 3, 0, 1, 2].map(|unit| units.emptied(key, unit)).into();
        assert_eq!(again, [true, true, true, false, false, false, false]);
        assert_eq!(units.free.len(), UNITS as usize);
    }

    #[test]
    fn message_that_finds_one_unit_has_one_and_the_next_waits() {
        let mut units = Units::default();
        for number in 0..UNITS - 1 {
            assert_eq!(units.clear((0, number), 1).map(|units| units.len()), Some(1));
        }
        assert_eq!(units.clear((1, 0), 3 * UNIT).map(|units| units.len()), Some(1));
        assert!(!units.any());
        assert_eq!(units.clear((2, 0), 1), None);
        assert_eq!(units.clear((2, 0), 0), Some(vec![]), "what has no bytes needs no unit");
        assert!(units.emptied((1, 0), 31) && units.emptied((1, 0), 31) && !units.emptied((1, 0), 31));
        assert_eq!(units.clear((2, 0), 1), Some(vec![31]));
    }
}
