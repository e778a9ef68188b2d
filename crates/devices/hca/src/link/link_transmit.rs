//! Transmitter: sends the packets of its two slots in order and appends the ICRC to each (IBA volume 1,
//! section 7.8.1).
//!
//! A slot is half of the transmitter's memory. The send engine fills one slot while the other is sent.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::icrc::{START, icrc, masked};

hdl::fsm! {
    /// Transmitter.
    pub enum State in link_transmit_pkg {
        /// Waits for a packet and reads its first word.
        Idle => [First: "a slot holds a packet", Idle: "otherwise"],
        /// The first word arrives; the second one is read.
        First => [Load],
        /// Takes the first word; the second one arrives.
        Load => [Send],
        /// Offers a word to the link.
        Send => [Check: "ready, data sent, ICRC left", Idle: "ready, last word", Send: "otherwise"],
        /// Offers the ICRC where it needs a word of its own.
        Check => [Idle: "ready", Check: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the transmitter.
    pub struct In in link_transmit_pkg {
        /// The slot that is filled may be sent.
        launch: bool,
        /// Units of 4 bytes of the packet, without ICRC; 5 to 527.
        units: u16 : 11,
        /// Word of the memory that was read last.
        memory_rdata: u64,
        /// From the link: the word is taken in this cycle.
        ready: bool,
    }
}

hdl::bundle! {
    /// Output pins of the transmitter.
    pub struct Out in link_transmit_pkg {
        /// A slot is free.
        free: bool,
        /// Slot that is free.
        slot: bool,
        /// Word of the memory to read.
        address: u16 : 10,
        /// Reads the memory.
        read: bool,
        /// Reads the memory if the link takes the offered word.
        next: bool,
        /// To the link: word of a packet.
        data: u64,
        /// To the link: the word is the last one of its packet.
        last: bool,
        /// To the link: the word is valid.
        valid: bool,
    }
}

hdl::bundle! {
    /// Registers of the transmitter.
    pub struct LinkTransmit in link_transmit_pkg {
        /// Step of the packet; `Idle` between packets.
        state: State,
        /// Slots that are full.
        full: u8 : 2,
        /// Slot that is filled next.
        fill: bool,
        /// Slot that is sent, or will be sent next.
        leave: bool,
        /// Units of 4 bytes of the packet in slot 0.
        units0: u16 : 11,
        /// Units of 4 bytes of the packet in slot 1.
        units1: u16 : 11,
        /// Units of 4 bytes not offered yet.
        left: u16 : 11,
        /// Word of the slot to read next.
        index: u16 : 9,
        /// CRC register up to the offered word.
        crc: u32,
        /// Word after the offered one.
        ahead: u64,
        /// Word offered to the link.
        data: u64,
        /// The offered word is the last one of its packet.
        last: bool,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/link/link_transmit_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for LinkTransmit {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            free: q.full != 2,
            slot: q.fill,
            address: u16::from(q.leave) << 9 | q.index,
            read: q.state == Idle && q.full != 0 || matches!(q.state, First | Load),
            next: q.state == Send,
            data: q.data,
            last: q.last,
            valid: matches!(q.state, Send | Check),
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle && self.full == 0 { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl LinkTransmit {
    #[inline(always)]
    fn next(&mut self, pins: &In) {
        use State::*;
        let q = *self;
        let d = self;

        // Next word, and the ICRC after it or after its first half; `index` is already two words ahead.
        let half = q.left == 1;
        let crc = || icrc(q.crc, masked(Self::WIDTHS.index.wrap(q.index.wrapping_sub(2)), q.ahead), half);
        let word = |crc: u32| {
            if half { u64::from(!crc) << 32 | u64::from(q.ahead as u32) } else { q.ahead }
        };
        let left = q.left.saturating_sub(2);

        let mut leaves = false;
        match q.state {
            // Idle: the slots alternate. The first word is requested.
            Idle => {
                if q.full != 0 {
                    d.left = if q.leave { q.units1 } else { q.units0 };
                    d.index = 1;
                    d.crc = START;
                    d.state = First;
                }
            }
            // First: the memory answers late in its cycle, so each word is registered before the CRC uses it.
            First => {
                d.ahead = pins.memory_rdata;
                d.index = 2;
                d.state = Load;
            }
            // Load: a packet has more than one word.
            Load => {
                d.ahead = pins.memory_rdata;
                d.crc = crc();
                d.data = word(d.crc);
                d.last = half;
                d.left = left;
                d.index = Self::WIDTHS.index.wrap(q.index + 1);
                d.state = Send;
            }
            // Send: the next word is ready when the link takes this one.
            Send => {
                if pins.ready {
                    if q.last {
                        leaves = true;
                        d.index = 0;
                        d.state = Idle;
                    } else if q.left == 0 {
                        d.data = (!q.crc).into();
                        d.last = true;
                        d.state = Check;
                    } else {
                        d.ahead = pins.memory_rdata;
                        d.crc = crc();
                        d.data = word(d.crc);
                        d.last = half;
                        d.left = left;
                        d.index = Self::WIDTHS.index.wrap(q.index + 1);
                    }
                }
            }
            // Check: the ICRC is the lower half of the last word.
            Check => {
                if pins.ready {
                    leaves = true;
                    d.index = 0;
                    d.state = Idle;
                }
            }
        }

        // A launch without a free slot has no effect; the send engine waits for a slot.
        let launched = pins.launch && q.full != 2;
        if launched {
            if q.fill {
                d.units1 = pins.units;
            } else {
                d.units0 = pins.units;
            }
            d.fill = !q.fill;
        }
        if leaves {
            d.leave = !q.leave;
        }
        d.full = q.full + u8::from(launched) - u8::from(leaves);
    }
}

impl Probe for LinkTransmit {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::icrc::of_packet;

    /// A transmitter with its memory, and a link that takes a word every `pace` cycles.
    struct Bench {
        block: LinkTransmit,
        memory: Vec<u64>,
        rdata: u64,
    }

    impl Bench {
        fn new() -> Self {
            let memory = (0..1024_u64).map(|place| place.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            Self { block: LinkTransmit::default(), memory, rdata: 0 }
        }

        fn tick(&mut self, pins: In) -> Out {
            let out = self.block.outputs();
            let reads = out.read || out.next && pins.ready;
            self.block.tick(&In { memory_rdata: self.rdata, ..pins });
            if reads {
                self.rdata = self.memory[usize::from(out.address)];
            }
            out
        }

        fn launch(&mut self, units: u16) {
            self.tick(In { launch: true, units, ..In::default() });
        }

        /// Words of the next packet, and the cycles until it was sent.
        fn packet(&mut self, every: u32) -> (Vec<u64>, u32) {
            let (mut words, mut offered) = (Vec::new(), None);
            for cycle in 1..5_000 {
                let ready = cycle % every == 0;
                let out = self.tick(In { ready, ..In::default() });
                if let Some(word) = offered.take() {
                    assert_eq!((out.data, out.valid), (word, true), "a word stays until it is taken");
                }
                if out.valid && !ready {
                    offered = Some(out.data);
                }
                if out.valid && ready {
                    words.push(out.data);
                    if out.last {
                        return (words, cycle);
                    }
                }
            }
            panic!("the packet does not end");
        }

        /// Words of a slot followed by the ICRC.
        fn expected(&self, slot: usize, units: usize) -> Vec<u64> {
            let bytes = self.memory[512 * slot..].iter().flat_map(|word| word.to_le_bytes());
            let mut bytes: Vec<u8> = bytes.take(4 * units).collect();
            let crc = of_packet(&bytes).to_le_bytes();
            bytes.extend(crc);
            let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            bytes.chunks(8).map(word).collect()
        }
    }

    #[test]
    fn packet_leaves_with_its_icrc_behind_it_a_word_in_each_cycle() {
        let mut bench = Bench::new();
        for (turn, units) in [5, 6, 7, 12, 13, 527].into_iter().enumerate() {
            for every in [1, 3] {
                let slot = usize::from(bench.block.outputs().slot);
                bench.launch(units);
                let (words, cycles) = bench.packet(every);
                assert_eq!(words, bench.expected(slot, units.into()), "{units} units, turn {turn}");
                if every == 1 {
                    // Idle, First, Load.
                    assert_eq!(cycles as usize, 3 + words.len());
                }
                assert!(!bench.block.outputs().valid);
            }
        }
    }

    #[test]
    fn slots_are_filled_and_leave_in_turn_and_a_third_one_waits() {
        let mut bench = Bench::new();
        for units in [6, 9] {
            assert!(bench.block.outputs().free);
            bench.launch(units);
        }
        assert!(!bench.block.outputs().free);
        let before = bench.block;
        bench.launch(100);
        assert_eq!((bench.block.units0, bench.block.units1, bench.block.fill), (6, 9, before.fill));
        assert_eq!(bench.block.full, 2);
        // The first packet has begun; one launched at its end takes its slot.
        let (words, _) = bench.packet(1);
        assert_eq!(words, bench.expected(0, 6));
        bench.launch(7);
        assert_eq!(bench.packet(1).0, bench.expected(1, 9));
        assert_eq!(bench.packet(1).0, bench.expected(0, 7));
        assert_eq!(bench.block.full, 0);
    }
}
