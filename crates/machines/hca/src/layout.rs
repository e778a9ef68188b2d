//! Addresses in host memory: one completion queue, and rings and buffers of each queue pair. Our choice (decision
//! 0064).

/// Hosts at most: one queue pair for each peer and one for datagrams. Their rings and buffers fill half of the memory.
pub const MOST_HOSTS: usize = 64;

/// The completion queue of all queue pairs.
pub const COMPLETIONS: u32 = 0x10_0000;
/// Logarithm of its entries, which are more than all requests in progress.
pub const COMPLETIONS_LOG: u8 = 12;

/// Logarithm of the requests of a ring.
pub const RING_LOG: u8 = 4;
/// Requests of a ring.
pub const RING: u16 = 1 << RING_LOG;

/// Bytes of the longest message and of a buffer: 64 KiB, an envelope, and the header in front of a datagram.
pub const LONGEST: usize = 0x1_0080;

/// First address that verbs do not use: memory that peers may write and read.
pub const SHARED: u32 = 0x1100_0000;

/// Bytes for each host in the memory that peers read; more than its requests in progress need.
const SHOWN: u32 = 0x20_0000;

/// Address at which a host reads the bytes of a window, by the count of its request.
pub fn shown(reader: usize, count: u16) -> u32 {
    SHARED + SHOWN * (reader as u32 + 1) + LONGEST as u32 * u32::from(count % RING)
}

/// The queue pair of datagrams; lower numbers are connections.
pub const DATAGRAMS: u8 = MOST_HOSTS as u8 - 1;

/// Address of the first queue pair.
const PAIRS: u32 = 0x100_0000;
const PAIR: u32 = 0x40_0000;

/// Address of a send ring.
pub fn send_ring(pair: u8) -> u32 {
    PAIRS + PAIR * u32::from(pair)
}

/// Address of a receive ring.
pub fn receive_ring(pair: u8) -> u32 {
    send_ring(pair) + 0x1000
}

/// Address of a request's data, by its count.
pub fn send_buffer(pair: u8, count: u16) -> u32 {
    send_ring(pair) + 0x1_0000 + LONGEST as u32 * u32::from(count % RING)
}

/// Address of a receive buffer, by the count of its request.
pub fn receive_buffer(pair: u8, count: u16) -> u32 {
    send_ring(pair) + 0x20_0000 + LONGEST as u32 * u32::from(count % RING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::MEMORY_BYTES;

    #[test]
    fn areas_do_not_overlap() {
        const { assert!(MOST_HOSTS <= hca::contexts::QPS) };
        const { assert!(COMPLETIONS + (32 << COMPLETIONS_LOG) <= PAIRS) };
        const { assert!(2 * RING as usize * MOST_HOSTS < 1 << COMPLETIONS_LOG) };
        for pair in 0..=DATAGRAMS {
            let ends = [send_buffer(pair, RING - 1), receive_buffer(pair, RING - 1)];
            let [sends, receives] = ends.map(|last| last + LONGEST as u32);
            assert!(receive_ring(pair) + 16 * u32::from(RING) <= send_buffer(pair, 0));
            assert!(sends <= receive_buffer(pair, 0) && receives <= send_ring(pair) + PAIR);
        }
        assert!(send_ring(DATAGRAMS) + PAIR <= SHARED);
        const { assert!(SHARED + SHOWN * (MOST_HOSTS as u32 + 1) <= MEMORY_BYTES) };
        const { assert!(LONGEST as u32 * RING as u32 <= SHOWN && LONGEST as u32 <= SHOWN) };
    }
}
