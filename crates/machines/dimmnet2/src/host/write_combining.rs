//! The processor's write-combining buffers.

use std::collections::VecDeque;

use super::{Bus, cost};
use cluster::Time;

/// A buffer in use.
#[derive(Clone, Debug)]
struct Buffer {
    address: u32,
    data: [u8; 64],
    /// Bytes written so far.
    mask: u64,
}

/// Write-combining buffers of one program: in use, and in flight to the bus.
///
/// A full buffer leaves as a burst. A partial one leaves in pieces of 8 bytes: at a fence, at an uncachable access, or
/// when its place is needed.
#[derive(Debug, Default)]
pub(crate) struct WriteCombining {
    filling: VecDeque<Buffer>,
    /// Instants at which the buffers in flight are free again, earliest first.
    leaving: VecDeque<Time>,
}

impl WriteCombining {
    /// Claims a buffer for `address` at `now`; an error is the instant at which to try again.
    pub fn claim(&mut self, now: Time, address: u32, bus: &mut Bus) -> Result<(), Time> {
        let line = address & !63;
        self.leaving.retain(|free| *free > now);
        if self.filling.iter().any(|buffer| buffer.address == line) {
            return Ok(());
        }
        if self.filling.len() == cost::WC_BUFFERS {
            self.evict(now, 0, bus);
        }
        if self.filling.len() + self.leaving.len() >= cost::WC_BUFFERS {
            return Err(*self.leaving.front().expect("at least one buffer is leaving"));
        }
        self.filling.push_back(Buffer { address: line, data: [0; 64], mask: 0 });
        Ok(())
    }

    /// Stores up to 8 bytes that do not cross an 8-byte boundary, into a claimed buffer.
    pub fn store(&mut self, now: Time, address: u32, bytes: &[u8], bus: &mut Bus) {
        let index = self.filling.iter().position(|buffer| buffer.address == address & !63);
        let index = index.expect("the buffer was claimed");
        let buffer = &mut self.filling[index];
        let start = (address & 63) as usize;
        buffer.data[start..start + bytes.len()].copy_from_slice(bytes);
        buffer.mask |= ((1u64 << bytes.len()) - 1) << start;
        if buffer.mask == u64::MAX {
            self.evict(now, index, bus);
        }
    }

    /// Flushes all buffers at `now`; returns when the last one is free.
    pub fn flush(&mut self, now: Time, bus: &mut Bus) -> Time {
        while !self.filling.is_empty() {
            self.evict(now, 0, bus);
        }
        self.leaving.back().copied().unwrap_or(now).max(now)
    }

    fn evict(&mut self, now: Time, index: usize, bus: &mut Bus) {
        let buffer = self.filling.remove(index).expect("there is a buffer to evict");
        let free = if buffer.mask == u64::MAX {
            bus.write_line(now, buffer.address, &buffer.data)
        } else {
            let mut free = now;
            for (i, word) in buffer.data.chunks_exact(8).enumerate() {
                let mask = (buffer.mask >> (8 * i)) as u8;
                if mask != 0 {
                    let word = u64::from_le_bytes(word.try_into().expect("a chunk has 8 bytes"));
                    free = bus.write_word(now, buffer.address + 8 * i as u32, word, mask);
                }
            }
            free
        };
        self.leaving.push_back(free);
    }
}

#[cfg(test)]
mod tests {
    use super::cost::Costs;
    use super::*;
    use crate::{CLOCKS, CORE};

    fn beats(bus: &mut Bus) -> Vec<(u32, u16)> {
        let next = |bus: &mut Bus| bus.next_beat().map(|cycle| bus.pins(cycle));
        std::iter::from_fn(|| next(bus)).map(|pins| (pins.address, pins.byte_enable)).collect()
    }

    fn store(wc: &mut WriteCombining, bus: &mut Bus, address: u32, bytes: &[u8]) {
        assert_eq!(wc.claim(Time::ZERO, address, bus), Ok(()));
        wc.store(Time::ZERO, address, bytes, bus);
    }

    #[test]
    fn line_leaves_when_its_last_byte_is_written() {
        let (mut wc, mut bus) = (WriteCombining::default(), Bus::new(CLOCKS.domain(CORE), Costs::PUBLISHED));
        for i in (0..8).rev() {
            assert_eq!(bus.next_beat(), None);
            store(&mut wc, &mut bus, 0x200 + 8 * i, &[1; 8]);
        }
        assert_eq!(beats(&mut bus), [(0x200, 0xffff), (0x210, 0xffff), (0x220, 0xffff), (0x230, 0xffff)]);
    }

    #[test]
    fn partial_line_leaves_at_a_flush_in_pieces_of_8_bytes() {
        let (mut wc, mut bus) = (WriteCombining::default(), Bus::new(CLOCKS.domain(CORE), Costs::PUBLISHED));
        store(&mut wc, &mut bus, 0x200, &[1; 8]);
        store(&mut wc, &mut bus, 0x208, &[2; 8]);
        store(&mut wc, &mut bus, 0x210, &[3; 3]);
        let free = wc.flush(Time::ZERO, &mut bus);
        assert_eq!(free, Time::from_ps(60_000), "three writes of the front-side bus");
        assert_eq!(beats(&mut bus), [(0x200, 0x00ff), (0x200, 0xff00), (0x210, 0x0007)]);
    }

    #[test]
    fn seventh_line_takes_the_place_of_the_first_one() {
        let (mut wc, mut bus) = (WriteCombining::default(), Bus::new(CLOCKS.domain(CORE), Costs::PUBLISHED));
        for line in 0..6 {
            store(&mut wc, &mut bus, line * 64, &[1; 8]);
        }
        let free = wc.claim(Time::ZERO, 6 * 64, &mut bus).unwrap_err();
        assert_eq!(beats(&mut bus), [(0, 0x00ff)]);
        assert_eq!(wc.claim(free, 6 * 64, &mut bus), Ok(()));
    }
}
