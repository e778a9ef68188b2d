//! The use of a board's memories by MPI.
//!
//! | Memory | From | Contents |
//! |---|---|---|
//! | SO-DIMM | 0 | a piece of a long message that leaves |
//! | | 1 MB | rings, one for each other node |
//! | | 16 MB | arriving long messages ([landing](super::landing)) |
//! | LLCM | 0 | receive statuses, which stay unused |
//! | | 0x800 | Heads and Tails of the rings |
//! | | 0x1000 | packets of this node that each other node has taken |
//! | | 0x1200 | first chunk of this node that each other node has not read ([windows](super::windows)) |

use crate::programs::botf::Peer;
use crate::programs::messages::{HEAD_DATA_BYTES, Ring};

/// Bytes of the longest message that is sent at once, and of a piece of a longer one: the next piece is in flight while
/// a receiver reads one.
pub const PIECE: usize = 16 << 10;

/// Offset in own SO-DIMM of a piece that leaves.
pub const STAGE: u32 = 0;

const RINGS: u32 = 0x10_0000;
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

/// The ring for messages of a node.
pub fn ring(sender: Peer, node: usize, units: u16) -> Ring {
    let base = RINGS + u32::from(units) * RING_UNIT as u32 * node as u32;
    Ring { sender, entry: ENTRIES + 8 * node as u16, base }
}

/// Offset in LLCM of the word in which a node reports the packets it has taken.
pub fn taken(node: usize) -> u32 {
    TAKEN + 8 * node as u32
}

/// Offset in LLCM of the word in which a node reports the first chunk it has not read.
pub fn read(node: usize) -> u32 {
    READ + 8 * node as u32
}

#[cfg(test)]
mod tests {
    use mpi::Credits;

    use super::super::{ENTRIES, landing};
    use super::*;

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
            assert!(last.base as usize + bytes <= landing::BEGIN as usize, "{nodes}");
        }
    }
}
