//! A FIFO between two clock domains that transfers whole packets, twin of `rtl/common/async_fifo.sv`.
//!
//! Pointers cross as Gray codes through two flip-flops each, so a side sees the other's progress late but
//! never incorrectly. The model stores the decoded numbers and shows them as Gray codes. A third pointer
//! counts the last words written: a reader starts only on a whole packet and never runs dry within one.
//! Computing the number of free words requires decoding a Gray code and a subtraction; the decoded pointer
//! has a register of its own, so that the result is available early in a cycle (decision 0052).
//!
//! Pointer and packet count cross on separate wires, so in hardware the pointer may arrive one read cycle
//! after the count. `packet_available` therefore also requires one word. That covers packets of one word; the
//! last word of a longer packet must be written at least one cycle after its first.

use crate::words::Words;
use crate::{Bits, Probe, Synchroniser, Visitor};

/// Input pins of an [`AsyncFifo`].
#[derive(Clone, Copy, Debug, Default)]
pub struct AsyncFifoIn<T> {
    /// Write clock: resets the write side. Both sides must be in reset at the same time.
    pub write_reset: bool,
    /// Write clock: stores `wdata`; ignored when there is no free word.
    pub write_enable: bool,
    /// Write clock: word to store.
    pub wdata: T,
    /// Write clock: `wdata` ends a packet.
    pub write_last: bool,
    /// Read clock: resets the read side.
    pub read_reset: bool,
    /// Read clock: takes the oldest word; it is on `rdata` one cycle later. Ignored when empty.
    pub read_enable: bool,
    /// Read clock: the word taken is the first of a packet; only with `packet_available`.
    pub read_packet: bool,
}

/// Output pins of an [`AsyncFifo`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AsyncFifoOut<T> {
    /// Write clock: words that can be written; words just read count as free after three to four cycles.
    pub free: u16,
    /// Read clock: the word taken by the last read.
    pub rdata: T,
    /// Read clock: no word can be read.
    pub empty: bool,
    /// Read clock: at least one whole packet is stored that the reader has not started.
    pub packet_available: bool,
}

/// A FIFO of `DEPTH` words, a power of two.
#[derive(Clone, Debug)]
pub struct AsyncFifo<T, const DEPTH: usize> {
    words: Words<T, DEPTH>,
    /// Write clock. Pointers are one bit wider than the address, which distinguishes full from empty.
    write_pointer: u16,
    /// Write clock: packets written.
    packets: u16,
    /// Write clock: the read pointer in synchronisation; a Gray code in hardware, stored decoded.
    read_sync: Synchroniser<u16>,
    /// Write clock: the decoded read pointer, one cycle later.
    read_pointer_seen: u16,
    /// Read clock: the most recently read word.
    rdata: T,
    read_pointer: u16,
    /// Read clock: packets started.
    packets_read: u16,
    /// Read clock: write pointer and packet count in synchronisation; Gray codes in hardware, stored decoded.
    write_sync: Synchroniser<u16>,
    packets_sync: Synchroniser<u16>,
}

/// Gray code of `binary`.
#[inline(always)]
fn gray(binary: u16) -> u16 {
    binary ^ binary >> 1
}

impl<T: Bits, const DEPTH: usize> Default for AsyncFifo<T, DEPTH> {
    fn default() -> Self {
        const { assert!(DEPTH.is_power_of_two() && DEPTH < 1 << 15) }
        Self {
            words: Words::default(),
            write_pointer: 0,
            packets: 0,
            read_sync: Synchroniser::default(),
            read_pointer_seen: 0,
            rdata: T::default(),
            read_pointer: 0,
            packets_read: 0,
            write_sync: Synchroniser::default(),
            packets_sync: Synchroniser::default(),
        }
    }
}

impl<T: Bits, const DEPTH: usize> AsyncFifo<T, DEPTH> {
    const POINTER_MASK: u16 = 2 * DEPTH as u16 - 1;

    /// The output pins.
    #[inline(always)]
    pub fn outputs(&self) -> AsyncFifoOut<T> {
        let used = self.write_pointer.wrapping_sub(self.read_pointer_seen) & Self::POINTER_MASK;
        let empty = self.write_sync.output() == self.read_pointer;
        AsyncFifoOut {
            // May wrap in the few cycles in which one side is in reset and the other has not seen it.
            free: (DEPTH as u16).wrapping_sub(used) & Self::POINTER_MASK,
            rdata: self.rdata,
            empty,
            packet_available: !empty && self.packets_sync.output() != self.packets_read,
        }
    }

    /// An edge of one or both clocks; with both, each side samples the values that the other had before the
    /// edge.
    #[inline(always)]
    pub fn edge(&mut self, write_clock: bool, read_clock: bool, pins: &AsyncFifoIn<T>) {
        // Without accesses, a side that knows the pointers of the other does not change.
        let read = pins.read_enable || pins.read_packet || pins.read_reset;
        let read_clock = read_clock && (read || !self.read_side_settled());
        let written = pins.write_enable || pins.write_reset;
        let write_clock = write_clock && (written || !self.write_side_settled());
        if !read_clock && !write_clock {
            return;
        }
        let q = self.outputs();
        let (write_pointer, packets, read_pointer) = (self.write_pointer, self.packets, self.read_pointer);

        // The read side goes first: a word that is read and written on the same edge reads its old value.
        if read_clock {
            if pins.read_reset {
                self.reset_read_side();
            } else {
                let read = pins.read_enable && !q.empty;
                if read {
                    self.rdata = self.words.get(self.read_pointer as usize % DEPTH);
                }
                self.read_pointer = (self.read_pointer + read as u16) & Self::POINTER_MASK;
                self.packets_read = (self.packets_read + pins.read_packet as u16) & Self::POINTER_MASK;
                self.write_sync.tick(write_pointer);
                self.packets_sync.tick(packets);
            }
        }
        if write_clock {
            if pins.write_reset {
                self.reset_write_side();
            } else {
                let write = pins.write_enable && q.free != 0;
                if write {
                    *self.words.at(self.write_pointer as usize % DEPTH) = pins.wdata;
                }
                self.write_pointer = (self.write_pointer + write as u16) & Self::POINTER_MASK;
                self.packets = (self.packets + (write && pins.write_last) as u16) & Self::POINTER_MASK;
                self.read_pointer_seen = self.read_sync.output();
                self.read_sync.tick(read_pointer);
            }
        }
    }

    /// An edge of both clocks during reset.
    pub fn reset(&mut self) {
        self.reset_write_side();
        self.reset_read_side();
    }

    fn reset_write_side(&mut self) {
        (self.write_pointer, self.packets) = (0, 0);
        self.read_sync.reset();
        self.read_pointer_seen = 0;
    }

    fn reset_read_side(&mut self) {
        self.rdata = T::default();
        (self.read_pointer, self.packets_read) = (0, 0);
        self.write_sync.reset();
        self.packets_sync.reset();
    }

    /// Whether edges without accesses change nothing: each side has seen the other's pointers.
    #[inline(always)]
    pub fn settled(&self) -> bool {
        self.write_side_settled() && self.read_side_settled()
    }

    /// Whether edges of the write clock without writes change nothing.
    #[inline(always)]
    pub fn write_side_settled(&self) -> bool {
        self.read_sync.settled(self.read_pointer) && self.read_pointer_seen == self.read_pointer
    }

    /// Whether edges of the read clock without reads change nothing.
    #[inline(always)]
    pub fn read_side_settled(&self) -> bool {
        self.write_sync.settled(self.write_pointer) && self.packets_sync.settled(self.packets)
    }
}

impl<T: Bits, const DEPTH: usize> Probe for AsyncFifo<T, DEPTH> {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        let width = DEPTH.ilog2() + 1;
        visitor.register("write_pointer", width, self.write_pointer);
        visitor.register("write_gray", width, gray(self.write_pointer));
        visitor.register("packets", width, self.packets);
        visitor.register("packets_gray", width, gray(self.packets));
        visitor.register("read_pointer_seen", width, self.read_pointer_seen);
        // The full flag: in hardware a register, computed one cycle earlier.
        visitor.register("full", 1, self.write_pointer ^ self.read_pointer_seen == DEPTH as u16);
        visitor.register("rdata", T::WIDTH, self.rdata);
        visitor.register("read_pointer", width, self.read_pointer);
        visitor.register("read_gray", width, gray(self.read_pointer));
        // The number of the next packet: in hardware a register, so that no addition precedes `whole`.
        visitor.register("packets_next", width, (self.packets_read + 1) & Self::POINTER_MASK);
        visitor.register("packets_read_gray", width, gray(self.packets_read));
        // The flags for a word and a packet: in hardware registers, computed one cycle earlier.
        visitor.register("some", 1, self.write_sync.output() != self.read_pointer);
        visitor.register("whole", 1, self.packets_sync.output() != self.packets_read);
        self.read_sync.map(gray).probe("read_gray_sync", width, visitor);
        self.write_sync.map(gray).probe("write_gray_sync", width, visitor);
        self.packets_sync.map(gray).probe("packets_gray_sync", width, visitor);
        visitor.memory(DEPTH, self.words.written());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stimulus;
    use std::collections::VecDeque;

    /// Edges of two clocks, each with a period and a phase, in order of time up to `until`.
    fn edges(write: (u64, u64), read: (u64, u64), until: u64) -> Vec<(bool, bool)> {
        let rises =
            |time: u64, (period, phase): (u64, u64)| time >= phase && (time - phase).is_multiple_of(period);
        let at = (0..until).map(|time| (rises(time, write), rises(time, read)));
        at.filter(|&(write, read)| write || read).collect()
    }

    /// Passes packets of random lengths through a FIFO of 16 words and compares every word with a queue.
    fn run(
        write_clock: (u64, u64),
        read_clock: (u64, u64),
        write_odds: u64,
        read_odds: u64,
        seed: u64,
    ) -> usize {
        let mut random = Stimulus::new(seed);
        let mut fifo = AsyncFifo::<u64, 16>::default();
        // Words in the FIFO, with whether each is the last of its packet.
        let mut queue = VecDeque::new();
        let (mut left, mut next) = (0, 0);
        // The word that the last read must return, and whether the reader is within a packet.
        let (mut expected, mut inside) = (0, false);
        let mut taken = 0;
        let mut was_full = false;
        for (write_edge, read_edge) in edges(write_clock, read_clock, 40_000) {
            let out = fifo.outputs();
            assert_eq!(out.rdata, expected);
            assert!(out.free as usize <= 16 - queue.len(), "free words are never promised twice");
            let mut pins = AsyncFifoIn::default();
            let mut written = None;
            if write_edge && random.below(write_odds) == 0 {
                if left == 0 {
                    left = 1 + random.below(6);
                }
                // Writes without room must be harmless, so they are tried too.
                (pins.write_enable, pins.wdata, pins.write_last) = (true, next, left == 1);
                was_full |= out.free == 0;
                if out.free != 0 {
                    written = Some((next, left == 1));
                    (next, left) = (next + 1, left - 1);
                }
            }
            if read_edge {
                if inside {
                    assert!(!out.empty, "a packet that was started never runs dry");
                }
                pins.read_packet = !inside && out.packet_available && random.below(read_odds) == 0;
                pins.read_enable = pins.read_packet || inside && random.below(read_odds) == 0;
                if pins.read_enable {
                    let last: bool;
                    (expected, last) = queue.pop_front().expect("a word was announced");
                    inside = !last;
                    taken += 1;
                }
            }
            fifo.edge(write_edge, read_edge, &pins);
            queue.extend(written);
        }
        assert!(was_full || write_odds >= read_odds, "pressure must reach the writer");
        taken
    }

    #[test]
    fn every_phase_and_pressure_keeps_words_and_order() {
        for phase in 0..40 {
            for (write_odds, read_odds) in [(1, 1), (1, 4), (4, 1), (3, 3)] {
                let seed = phase * 16 + write_odds * 4 + read_odds;
                assert!(run((10, 0), (8, phase % 8), write_odds, read_odds, seed) > 800);
                assert!(run((8, phase % 8), (10, 0), write_odds, read_odds, seed) > 800);
                assert!(run((10, phase % 10), (10, 0), write_odds, read_odds, seed) > 800);
            }
        }
    }

    #[test]
    fn coinciding_edges_sample_the_old_values() {
        let mut fifo = AsyncFifo::<u64, 16>::default();
        let write = AsyncFifoIn { write_enable: true, wdata: 7, write_last: true, ..Default::default() };
        fifo.edge(true, true, &write);
        // The edge that writes is not the edge that synchronises.
        for _ in 0..2 {
            assert!(fifo.outputs().empty && !fifo.outputs().packet_available);
            fifo.edge(true, true, &AsyncFifoIn::default());
        }
        assert!(fifo.outputs().packet_available);
        let read = AsyncFifoIn { read_enable: true, read_packet: true, ..Default::default() };
        fifo.edge(true, true, &read);
        let out = fifo.outputs();
        assert_eq!((out.rdata, out.empty, out.packet_available), (7, true, false));
        // The writer sees the word freed by a read three edges later.
        for free in [15, 15, 15, 16] {
            assert_eq!(fifo.outputs().free, free);
            fifo.edge(true, true, &AsyncFifoIn::default());
        }
        assert!(fifo.settled());
    }

    #[test]
    fn gray_codes_of_neighbours_differ_in_one_bit() {
        for n in 0..2048u16 {
            assert_eq!((gray(n) ^ gray((n + 1) % 2048)).count_ones(), 1);
        }
    }

    #[test]
    fn packets_without_an_end_are_not_available() {
        let mut fifo = AsyncFifo::<u64, 16>::default();
        let write = AsyncFifoIn { write_enable: true, ..Default::default() };
        for _ in 0..8 {
            fifo.edge(true, true, &write);
        }
        let out = fifo.outputs();
        assert!(!out.empty && !out.packet_available);
    }
}
