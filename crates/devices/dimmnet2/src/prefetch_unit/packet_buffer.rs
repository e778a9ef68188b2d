//! Packet buffer of the Prefetch Unit: a FIFO of lines for packets that accepts one or two lines per cycle
//! and delivers one (decisions 0019 and 0041).
//!
//! Line n lies in the Even bank if n is even, otherwise in the Odd bank. Two consecutive lines are therefore
//! in different banks and are written in the same cycle.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Ram, Role, Visitor};

use super::pins::PACKET_LINES;

/// Lines of each bank.
const BANK_LINES: usize = PACKET_LINES as usize / 2;

/// Pointers have one bit more than a line number, which distinguishes full from empty.
const POINTER_MASK: u16 = 2 * PACKET_LINES - 1;

hdl::bundle! {
    /// Input pins of the packet buffer.
    pub struct In in packet_buffer_pkg {
        /// Stores `wdata`; ignored when the buffer is full.
        write_enable: bool,
        /// Line to store.
        wdata: u64,
        /// With `write_enable`: stores `second` after `wdata`. Without room for two lines neither is stored.
        pair: bool,
        /// The line after `wdata`.
        second: u64,
        /// Takes the oldest line; it is on `rdata` one cycle later. Ignored when empty.
        read_enable: bool,
    }
}

hdl::bundle! {
    /// Output pins of the packet buffer.
    pub struct Out in packet_buffer_pkg {
        /// The line taken by the last read.
        rdata: u64,
        /// Lines stored.
        count: u16 : 11,
    }
}

hdl::bundle! {
    /// Registers of the packet buffer.
    pub struct Registers in packet_buffer_pkg {
        /// Lines written, modulo 2048.
        write_pointer: u16 : 11,
        /// Lines taken, modulo 2048.
        read_pointer: u16 : 11,
        /// Lines stored, 0 to 1024. A counter, because the difference of the pointers would arrive late in
        /// the cycle (decision 0052).
        count: u16 : 11,
        /// The most recently taken line was in the Odd bank.
        odd: bool,
    }
}

/// FIFO of 1024 lines in two banks.
#[derive(Clone, Debug, Default)]
pub struct PacketBuffer {
    /// Pointers and line count.
    pub q: Registers,
    /// Lines 0, 2, 4 and so on.
    pub even_bank: Ram<u64, BANK_LINES>,
    /// Lines 1, 3, 5 and so on.
    pub odd_bank: Ram<u64, BANK_LINES>,
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/prefetch_unit/packet_buffer_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for PacketBuffer {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = &self.q;
        Out { rdata: if q.odd { self.odd_bank.rdata() } else { self.even_bank.rdata() }, count: q.count }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        if !pins.write_enable && !pins.read_enable {
            return;
        }
        let q = self.q;

        // The write pointer selects the bank of the first line; the second line goes into the other bank.
        let write = pins.write_enable && q.count + u16::from(pins.pair) < PACKET_LINES;
        let begins_odd = q.write_pointer & 1 == 1;
        let (even_data, odd_data) =
            if begins_odd { (pins.second, pins.wdata) } else { (pins.wdata, pins.second) };
        let even_row = usize::from(q.write_pointer.wrapping_add(1) >> 1) % BANK_LINES;
        let odd_row = usize::from(q.write_pointer >> 1) % BANK_LINES;
        let even_write = write && (!begins_odd || pins.pair);
        let odd_write = write && (begins_odd || pins.pair);

        let read = pins.read_enable && q.count != 0;
        let takes_odd = q.read_pointer & 1 == 1;
        let row = usize::from(q.read_pointer >> 1) % BANK_LINES;
        self.even_bank.tick((read && !takes_odd).then_some(row), even_write.then_some((even_row, even_data)));
        self.odd_bank.tick((read && takes_odd).then_some(row), odd_write.then_some((odd_row, odd_data)));

        let written = u16::from(write) + u16::from(write && pins.pair);
        self.q.write_pointer = q.write_pointer.wrapping_add(written) & POINTER_MASK;
        self.q.read_pointer = q.read_pointer.wrapping_add(read.into()) & POINTER_MASK;
        self.q.count = q.count + written - u16::from(read);
        if read {
            self.q.odd = takes_odd;
        }
    }

    fn reset(&mut self) {
        self.q = Registers::default();
        self.even_bank.reset();
        self.odd_bank.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        Quiet::UntilInput
    }
}

impl Probe for PacketBuffer {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(&self.q);
        visitor.pins(Role::Outputs, || self.outputs());
        visitor.block("even_bank", &self.even_bank);
        visitor.block("odd_bank", &self.odd_bank);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use hdl::Stimulus;

    use super::*;

    #[test]
    fn random_lines_and_pairs_keep_their_order() {
        for (seed, takes) in [(1, 256), (2, 100), (3, 10)] {
            let mut random = Stimulus::new(seed);
            let (mut buffer, mut expected) = (PacketBuffer::default(), VecDeque::new());
            let mut refused = 0;
            for line in 0..20_000 {
                let (write_enable, pair) = (random.one_in(2), random.one_in(2));
                let read_enable = random.below(256) < takes;
                let pins = In { write_enable, wdata: 2 * line, pair, second: 2 * line + 1, read_enable };
                let lines = if pair { 2 } else { 1 };
                let room = expected.len() + lines <= usize::from(PACKET_LINES);
                buffer.tick(&pins);
                if read_enable && let Some(oldest) = expected.pop_front() {
                    assert_eq!(buffer.outputs().rdata, oldest);
                }
                if write_enable && room {
                    expected.extend([2 * line, 2 * line + 1].iter().take(lines));
                }
                refused += u32::from(write_enable && !room);
                assert_eq!(usize::from(buffer.outputs().count), expected.len());
            }
            assert_eq!(refused > 0, takes < 256, "{refused} refused");
        }
    }

    #[test]
    fn pair_is_refused_when_there_is_room_for_one_line() {
        let mut buffer = PacketBuffer::default();
        buffer.tick(&In { write_enable: true, ..In::default() });
        for _ in 0..511 {
            buffer.tick(&In { write_enable: true, pair: true, ..In::default() });
        }
        buffer.tick(&In { write_enable: true, pair: true, ..In::default() });
        assert_eq!(buffer.outputs().count, PACKET_LINES - 1);
        buffer.tick(&In { write_enable: true, ..In::default() });
        assert_eq!(buffer.outputs().count, PACKET_LINES);
        buffer.tick(&In { write_enable: true, ..In::default() });
        assert_eq!(buffer.outputs().count, PACKET_LINES);
    }
}
