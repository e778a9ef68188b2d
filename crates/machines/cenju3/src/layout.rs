//! Layout of the local memory of a PE. All PEs have the same one, so that a sender's kernel can translate a receiver's addresses
//! (paper, section 6.1: fixed mapping).
//!
//! | From | Contents | Mapped |
//! |---|---|---|
//! | 1 MB | send queues, receive rings, header ring: the NIF's | uncached |
//! | 2 MB | window of 256 KB: units of 8 KB that DMA writes | cached |
//! | 2.25 MB | 32 units of 8 KB to send from, none of them in the window (hazard H19) | cached |
//! | 2.5 MB | messages to send from, 128 B for each entry of a queue | uncached |
//! | 3 MB | the alias area: never written, read to replace lines | cached |
//! | 4 MB on | the user's buffers, in page frames in random order | cached |

use cenju3::memory_map::{ENTRIES, ENTRY_BYTES, SLOT_BYTES};

use crate::cache::CACHE_BYTES;

/// Bytes of local memory: the most that a PE has (paper, section 3).
pub const MEMORY: u32 = 64 << 20;

/// Bytes of a unit of transfer and of cache operations (paper, section 6.3).
pub const UNIT: u32 = mpi_de::UNIT;
/// Bytes of the window that a user's DMA can reach: 18 bits of address (paper, section 6.4).
pub const WINDOW_BYTES: u32 = 1 << 18;
/// Units of the window, and as many to send from.
pub const UNITS: u32 = WINDOW_BYTES / UNIT;

/// First of the NIF's queues and rings.
pub const NIF: u32 = 1 << 20;
/// Bytes of a send queue, and of the headers of a ring.
const RING: u32 = ENTRIES as u32 * ENTRY_BYTES;
/// Bytes of the data part of a receive message buffer.
const DATA: u32 = ENTRIES as u32 * SLOT_BYTES;
/// The window; a multiple of its size, because a mask replaces the bits above it.
pub const WINDOW: u32 = 2 << 20;
/// Units to send from.
pub const SEND: u32 = WINDOW + WINDOW_BYTES;
/// Messages to send from.
pub const MESSAGES: u32 = (2 << 20) + (1 << 19);
/// The alias area: as long as the cache, and at a multiple of that.
pub const ALIAS: u32 = 3 << 20;
/// User buffers.
pub const USER: u32 = 4 << 20;

// Without the alias area no line could be replaced at user level (hazard H4): every PE has it, with room for the user
// behind it.
const _: () = assert!(ALIAS.is_multiple_of(CACHE_BYTES) && ALIAS + CACHE_BYTES <= USER && USER < MEMORY);

/// Bytes of a page frame (R4000 manual: 4 KB).
pub const PAGE: u32 = 4 << 10;

/// Address of a send queue.
pub const fn queue(queue: usize) -> u32 {
    NIF + queue as u32 * RING
}

/// Address of a ring's headers: receive message buffers 0 and 1, and DMA.
pub const fn headers(ring: usize) -> u32 {
    NIF + (2 + ring as u32) * RING
}

/// Address of the data part of a receive message buffer.
pub const fn data(buffer: usize) -> u32 {
    NIF + 6 * RING + buffer as u32 * DATA
}

/// Address of a message to send.
pub const fn message(number: u8) -> u32 {
    MESSAGES + number as u32 * SLOT_BYTES
}

/// Address of a unit of the window.
pub fn window(unit: u32) -> u32 {
    WINDOW + unit * UNIT
}

/// Address of a unit to send.
pub fn send(unit: u32) -> u32 {
    SEND + unit * UNIT
}

/// The address in the alias area with the same cache line; it is never written.
pub fn alias(address: u32) -> u32 {
    ALIAS + address % CACHE_BYTES
}

/// Bytes between a program's send buffers and its receive buffers, which are different ones.
pub const RECEIVE: u32 = 16 << 20;

/// Page frames of a user, page by page, in the random order that paging leaves; different on every PE.
pub fn frames(pe: usize) -> Vec<u32> {
    let mut frames: Vec<u32> = (USER..MEMORY).step_by(PAGE as usize).collect();
    // Fisher and Yates, with the numbers of a linear congruential generator (Knuth, MMIX).
    let mut state = pe as u64;
    for last in (1..frames.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        frames.swap(last, (state >> 33) as usize % (last + 1));
    }
    frames
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn alias_has_the_same_cache_line_and_no_other_use() {
        for address in [WINDOW, WINDOW + WINDOW_BYTES - 64, SEND + 12_345, ALIAS - 1] {
            assert_eq!(alias(address) % CACHE_BYTES, address % CACHE_BYTES);
            assert!((ALIAS..USER).contains(&alias(address)));
        }
    }

    #[test]
    fn window_is_where_a_mask_of_18_bits_puts_it() {
        assert_eq!(WINDOW % WINDOW_BYTES, 0);
        assert!((0..UNITS).all(|unit| window(unit) & !(WINDOW_BYTES - 1) == WINDOW));
        assert!(send(UNITS) <= MESSAGES);
    }

    #[test]
    fn queues_and_rings_are_aligned_and_disjoint() {
        let rings = [queue(0), queue(1), headers(0), headers(1), headers(2)].map(|at| (at, RING));
        let mut all: Vec<_> = rings.into_iter().chain([data(0), data(1)].map(|at| (at, DATA))).collect();
        assert!(all.iter().all(|(at, bytes)| at % bytes == 0));
        all.sort();
        assert!(all.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0));
        assert!(all.iter().all(|(at, bytes)| at + bytes <= WINDOW));
    }

    #[test]
    fn pages_of_a_user_have_frames_of_their_own() {
        let pages = frames(0);
        let different: BTreeSet<_> = pages.iter().collect();
        assert_eq!(different.len(), pages.len());
        assert!(pages.iter().all(|frame| (USER..MEMORY).contains(frame) && frame % PAGE == 0));
        assert_ne!(pages, frames(1));
    }
}
