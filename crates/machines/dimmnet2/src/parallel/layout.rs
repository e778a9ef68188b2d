//! The use of a board's memories by MPI.
//!
//! | Memory | From | Contents |
//! |---|---|---|
//! | SO-DIMM | 0 | a piece of a long message, or of a put, that leaves |
//! | | 256 KB | data of gets that arrives ([accesses](super::accesses)) |
//! | | 1 MB | rings, one for each other rank |
//! | | 16 MB | arriving long messages ([landing](super::landing)) |
//! | SO-DIMM of slot 1, or upper half of the own slot | 0 | lists of elements, from each other rank |
//! | | 1 MB | windows |
//! | LLCM | 0 | receive statuses, which stay unused |
//! | | 0x800 | Heads and Tails of the rings |
//! | | 0x1000 | packets of this rank that each other rank has taken |
//! | | 0x1200 | first chunk of this rank that each other rank has not read ([windows](super::windows)) |
//!
//! Two ranks of a board have the same layout, each in the memories of its slot.

use std::ops::Range;

use super::shape::{self, LIST_BYTES};
use crate::programs::botf::Peer;
use crate::programs::messages::{HEAD_DATA_BYTES, Ring};

/// Bytes of the longest message that is sent at once, and of a piece of a longer one: the next piece is in flight while
/// a receiver reads one.
pub const PIECE: usize = 16 << 10;

/// Offset in own SO-DIMM of a piece that leaves.
pub const STAGE: u32 = 0;

/// RVLs that a rank has in progress: 64 ranks have 512 at one board, whose FIFO holds 512.
pub const SLOTS: u32 = 8;

/// Bytes of the region of a slot at the capacity after reset (thesis figure 4.16); that of slot 1 follows that of slot
/// 0.
pub const REGION: u64 = 0x1000_0000;

/// Bytes of all lists at a target.
const ALL_LISTS: u32 = 0x10_0000;

/// Ranges of the regions of a rank.
#[derive(Debug)]
pub struct Regions {
    /// Arriving long messages, in the region of its slot.
    pub landing: Range<u32>,
    /// Beginning of the lists.
    lists: u32,
    /// Windows, in the same region as the lists.
    pub windows: Range<u32>,
}

impl Regions {
    /// A rank alone on its board: lists and windows are in the region of the other slot.
    pub const OWN_BOARD: Regions = Regions::new(REGION as u32, 0);
    /// Two ranks of a board: lists and windows are in the upper half of their own regions.
    pub const SHARED_BOARD: Regions = Regions::new(REGION as u32 / 2, REGION as u32 / 2);

    const fn new(landing_end: u32, lists: u32) -> Regions {
        Regions { landing: LANDING..landing_end, lists, windows: lists + ALL_LISTS..REGION as u32 }
    }

    /// Offset of a list of a rank.
    pub fn list(&self, rank: usize, number: u32) -> u32 {
        self.lists + LISTS * rank as u32 + LIST * number
    }
}

/// Numbers of the lists of a rank at each target: one for puts, and one for each slot of gets.
pub const PUT_LIST: u32 = 0;
pub const GET_LISTS: u32 = 1;

/// Bytes between the lists of a rank.
const LIST: u32 = 1 << 10;
const _: () = assert!(LIST_BYTES <= LIST as usize);

/// Bytes of all lists of a rank.
const LISTS: u32 = 16 << 10;

const ARRIVING: u32 = 0x4_0000;
const RINGS: u32 = 0x10_0000;
const LANDING: u32 = 0x100_0000;
const ENTRIES: u16 = 0x800;
const TAKEN: u32 = 0x1000;
const READ: u32 = 0x1200;

/// Bytes of a unit of ring sizes (decision 0020).
const RING_UNIT: usize = 64 << 10;

/// Bytes of the longest message in a ring: with two words in front, without the data in the LH Buffer.
const RING_MESSAGE: usize = PIECE + 8 - HEAD_DATA_BYTES;

/// Units of a ring that has room for `messages` messages and is never full: a full ring would look empty.
pub fn ring_units(messages: u32) -> u16 {
    let bytes = messages as usize * RING_MESSAGE + 1;
    bytes.div_ceil(RING_UNIT).next_power_of_two() as u16
}

/// The ring for messages of a rank.
pub fn ring(sender: Peer, rank: usize, units: u16) -> Ring {
    let base = RINGS + u32::from(units) * RING_UNIT as u32 * rank as u32;
    Ring { sender, entry: ENTRIES + 8 * rank as u16, base }
}

/// Offset in own SO-DIMM of the data of a get.
pub fn arriving(slot: u32) -> u32 {
    ARRIVING + slot * shape::MOST_BYTES as u32
}

/// Offset in LLCM of the word in which a rank reports the packets it has taken.
pub fn taken(rank: usize) -> u32 {
    TAKEN + 8 * rank as u32
}

/// Offset in LLCM of the word in which a rank reports the first chunk it has not read.
pub fn read(rank: usize) -> u32 {
    READ + 8 * rank as u32
}

#[cfg(test)]
mod tests {
    use mpi::Credits;

    use super::super::ENTRIES;
    use super::*;

    #[test]
    fn data_of_accesses_has_places_of_its_own() {
        const { assert!(STAGE + shape::MOST_BYTES as u32 <= ARRIVING) };
        assert!(arriving(SLOTS) <= RINGS);
        for regions in [Regions::OWN_BOARD, Regions::SHARED_BOARD] {
            assert!(regions.list(0, GET_LISTS + SLOTS) <= regions.list(1, PUT_LIST));
            assert!(regions.list(ENTRIES + 1, PUT_LIST) <= regions.windows.start);
        }
        assert!(Regions::SHARED_BOARD.landing.end <= Regions::SHARED_BOARD.list(0, PUT_LIST));
    }

    #[test]
    fn rings_hold_all_pushed_messages_and_end_before_long_ones() {
        for nodes in 2..=64 {
            let share = Credits::of_slots(ENTRIES, nodes).unwrap().share();
            let units = ring_units(share);
            let bytes = usize::from(units) * RING_UNIT;
            assert!(share as usize * RING_MESSAGE < bytes, "{nodes}");
            let peer = Peer { lid: 1, wid: false };
            let last = ring(peer, nodes - 1, units);
            assert!((last.base as usize).is_multiple_of(bytes), "{nodes}");
            assert!(last.base as usize + bytes <= LANDING as usize, "{nodes}");
        }
    }
}
