//! Where MPI keeps what in the memories of a board.
//!
//! | Memory | From | What |
//! |---|---|---|
//! | SO-DIMM | 0 | a piece of a long message that leaves |
//! | | 1 MB | rings, one for each other node |
//! | | 16 MB | long messages that come ([landing](super::landing)) |
//! | LLCM | 0 | receive statuses, of which there are none |
//! | | 0x800 | Heads and Tails of the rings |
//! | | 0x1000 | packets that each other node has taken of this one, as it tells |
//! | | 0x1200 | the chunk that each other node has not read of this one, as it tells ([windows](super::windows)) |

use crate::programs::botf::Peer;
use crate::programs::messages::{HEAD_DATA_BYTES, Ring};

/// Most bytes of a message that goes at once, and of a piece of a longer one: while a receiver reads a piece, the next is on its way.
pub const PIECE: usize = 16 << 10;

/// Where a piece lies that leaves, an offset in the own SO-DIMM region.
pub const STAGE: u32 = 0;

const RINGS: u32 = 0x10_0000;
const ENTRIES: u16 = 0x800;
const TAKEN: u32 = 0x1000;
const READ: u32 = 0x1200;

/// Bytes of a unit in which the size of rings is given (decision 0020).
const RING_UNIT: usize = 64 << 10;

/// Most bytes of a message in a ring: two words of its own are before its data, and what the LH Buffer holds is not there.
const RING_MESSAGE: usize = PIECE + 8 - HEAD_DATA_BYTES;

/// Units of a ring that always has room for so many messages. One that is full looks as one that is empty.
pub fn ring_units(messages: u32) -> u16 {
    let bytes = messages as usize * RING_MESSAGE + 1;
    bytes.div_ceil(RING_UNIT).next_power_of_two() as u16
}

/// The ring for messages of a node.
pub fn ring(sender: Peer, node: usize, units: u16) -> Ring {
    let base = RINGS + u32::from(units) * RING_UNIT as u32 * node as u32;
    Ring { sender, entry: ENTRIES + 8 * node as u16, base }
}

/// Where in LLCM a node tells what it has taken, an offset.
pub fn taken(node: usize) -> u32 {
    TAKEN + 8 * node as u32
}

/// Where in LLCM a node tells which chunk it has not read, an offset.
pub fn read(node: usize) -> u32 {
    READ + 8 * node as u32
}

#[cfg(test)]
mod tests {
    use mpi::Credits;

    use super::super::{ENTRIES, landing};
    use super::*;

    #[test]
    fn rings_hold_all_that_their_senders_may_push_and_end_where_long_messages_begin() {
        for nodes in 2..=64 {
            let share = Credits::of_slots(ENTRIES, nodes).unwrap().share();
            let units = ring_units(share);
            let bytes = usize::from(units) * RING_UNIT;
            assert!(share as usize * RING_MESSAGE < bytes, "{nodes}");
            let peer = Peer { lid: 1, wid: false };
            let last = ring(peer, nodes - 1, units);
            assert!((last.base as usize).is_multiple_of(bytes), "{nodes}");
            assert!(last.base as usize + bytes <= landing::BEGIN as usize, "{nodes}");
        }
    }
}
