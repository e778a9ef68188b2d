//! What lies where in host memory: one completion queue, and rings and buffers of each queue pair. Ours (decision 0064).

use hca::contexts::QPS;

/// The completion queue of all queue pairs.
pub const COMPLETIONS: u32 = 0x10_0000;
/// Logarithm of its entries: more than all requests that there can be.
pub const COMPLETIONS_LOG: u8 = 12;

/// Logarithm of the requests of a ring.
pub const RING_LOG: u8 = 4;
/// Requests of a ring.
pub const RING: u16 = 1 << RING_LOG;

/// Bytes of the longest message, and of a buffer: 64 KiB, an envelope, and what is in front of a datagram.
pub const LONGEST: usize = 0x1_0080;

/// Memory in which nothing of verbs lies: what peers may write and read.
pub const SHARED: u32 = 0x800_0000;

/// The queue pair of datagrams; those below it are connections.
pub const DATAGRAMS: u8 = QPS as u8 - 1;

/// Where the queue pairs lie.
const PAIRS: u32 = 0x100_0000;
const PAIR: u32 = 0x40_0000;

/// The send ring of a queue pair.
pub fn send_ring(pair: u8) -> u32 {
    PAIRS + PAIR * u32::from(pair)
}

/// Its receive ring.
pub fn receive_ring(pair: u8) -> u32 {
    send_ring(pair) + 0x1000
}

/// What a request sends, by its count.
pub fn send_buffer(pair: u8, count: u16) -> u32 {
    send_ring(pair) + 0x1_0000 + LONGEST as u32 * u32::from(count % RING)
}

/// Where what was received lies, by the count of the request.
pub fn receive_buffer(pair: u8, count: u16) -> u32 {
    send_ring(pair) + 0x20_0000 + LONGEST as u32 * u32::from(count % RING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::MEMORY_BYTES;

    #[test]
    fn areas_do_not_overlap() {
        const { assert!(COMPLETIONS + (32 << COMPLETIONS_LOG) <= PAIRS) };
        const { assert!(2 * RING as usize * QPS < 1 << COMPLETIONS_LOG) };
        for pair in 0..=DATAGRAMS {
            let ends = [send_buffer(pair, RING - 1), receive_buffer(pair, RING - 1)];
            let [sends, receives] = ends.map(|last| last + LONGEST as u32);
            assert!(receive_ring(pair) + 16 * u32::from(RING) <= send_buffer(pair, 0));
            assert!(sends <= receive_buffer(pair, 0) && receives <= send_ring(pair) + PAIR);
        }
        assert!(send_ring(DATAGRAMS) + PAIR <= SHARED);
        const { assert!(SHARED < MEMORY_BYTES) };
    }
}
