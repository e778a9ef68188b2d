//! Receive side of the link: decodes packets and hands each to the ring of its kind (paper, section 3).
//!
//! A packet for another processor element, or a malformed one, is dropped and counted. A packet whose ring is
//! full waits, and all packets after it wait on the link: none is lost.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::memory_map::{Header, Kind, MEMORY_BYTES, SLOT_BYTES};
use crate::pins::LinkWord;

hdl::fsm! {
    /// Receive side of the link.
    pub enum State in link_receive_pkg {
        /// Waits for the first word of a packet.
        Idle => [
            Room: "enabled, valid header, not last word",
            Drop: "enabled, bad header, not last word",
            Idle: "no word, disabled, or one-word packet",
        ],
        /// Waits until the ring has room.
        Room => [Stream: "rings idle, header free or not needed", Room: "otherwise"],
        /// Hands the words of the packet to the ring.
        Stream => [
            Idle: "ring takes the last word",
            Drop: "ring reports a fault",
            Stream: "otherwise",
        ],
        /// Discards the rest of a dropped packet.
        Drop => [Idle: "last word", Drop: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the receive side.
    pub struct In in link_receive_pkg {
        /// Packets may be taken.
        enable: bool,
        /// Number of this processor element.
        pe: u8,
        /// The FIFO holds no word; `word` stays as it is.
        fifo_empty: bool,
        /// Word that was read last from the FIFO.
        fifo_word: LinkWord,
        /// No ring is storing a packet.
        rings_idle: bool,
        /// Full rings, a bit each.
        full: u8 : 3,
        /// The ring takes the word.
        word_next: bool,
        /// The ring has found the packet malformed.
        fault: bool,
    }
}

hdl::bundle! {
    /// Output pins of the receive side.
    pub struct Out in link_receive_pkg {
        /// No packet is held.
        idle: bool,
        /// To the FIFO: reads the oldest word.
        fifo_next: bool,
        /// To the rings: a packet begins; a bit for each, high for one cycle.
        start: u8 : 3,
        /// To the rings: first word of the packet.
        header: u64,
        /// To the rings: `word` is valid.
        word_valid: bool,
        /// To the rings: word of the packet.
        word: LinkWord,
        /// Full rings for which the link is held back, a bit each.
        held: u8 : 3,
        /// A packet is dropped; high for one cycle.
        dropped: bool,
    }
}

hdl::bundle! {
    /// Registers of the receive side.
    pub struct LinkReceive in link_receive_pkg {
        /// Step of the packet; `Idle` between packets.
        state: State,
        /// The FIFO delivers a word in this cycle.
        reading: bool,
        /// `word` is valid.
        holding: bool,
        /// Word from the FIFO, not yet taken by a ring.
        word: LinkWord,
        /// First word of the packet.
        header: u64,
        /// A packet begins, a bit for each ring.
        start: u8 : 3,
        /// Full rings that a packet waits for, a bit each.
        held: u8 : 3,
        /// A packet is dropped in this cycle.
        dropped: bool,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/link_receive_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for LinkReceive {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            idle: q.state == Idle,
            fifo_next: !q.reading && !q.holding,
            start: q.start,
            header: q.header,
            word_valid: q.state == Stream && q.holding,
            word: q.word,
            held: q.held,
            dropped: q.dropped,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline(always)]
    fn waits(&self) -> bool {
        self.quiescent() == Quiet::UntilInput
            || self.state == State::Stream && !self.reading && self.start == 0
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        let q = self;
        let pulses = q.start != 0 || q.dropped || q.held != 0;
        let busy = q.state != State::Idle || q.reading || q.holding || pulses;
        if busy { Quiet::Busy } else { Quiet::UntilInput }
    }
}

impl LinkReceive {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let header = Header::from_bits(q.header);
        let ring = 1 << header.kind & 7;

        d.reading = !q.reading && !q.holding && !pins.fifo_empty;
        d.start = 0;
        d.held = 0;
        d.dropped = false;
        if q.reading {
            d.word = pins.fifo_word;
            d.holding = true;
        }
        match q.state {
            // Idle: while the NIF is stopped, a packet waits.
            Idle => {
                if q.holding && pins.enable {
                    d.header = q.word.data;
                    d.holding = false;
                    if q.word.last || !is_header(q.word.data, pins.pe) {
                        // A packet of one word ends with it.
                        d.dropped = true;
                        d.state = if q.word.last { Idle } else { Drop };
                    } else {
                        d.state = Room;
                    }
                }
            }
            // Room: waits for a free header, which the last segment needs, and for the packet before to be
            // stored.
            Room => {
                d.held = if header.last { pins.full & ring } else { 0 };
                if pins.rings_idle && d.held == 0 {
                    d.start = ring;
                    d.state = Stream;
                }
            }
            // Stream: a ring reports a malformed packet a cycle after it took the word.
            Stream => {
                if pins.fault {
                    d.dropped = true;
                    d.state = Drop;
                } else if q.holding && pins.word_next {
                    d.holding = false;
                    if q.word.last {
                        d.state = Idle;
                    }
                }
            }
            // Drop: discards words up to the last one.
            Drop => {
                if q.holding {
                    d.holding = false;
                    if q.word.last {
                        d.state = Idle;
                    }
                }
            }
        }
        // A packet that ended too early has no more words.
        if q.state == Idle && pins.fault {
            d.dropped = true;
        }
        d
    }
}

/// Whether a packet for this processor element may begin with this word.
#[inline(always)]
fn is_header(word: u64, pe: u8) -> bool {
    let header = Header::from_bits(word);
    let message = header.last && header.bytes < SLOT_BYTES as u8;
    // Only the last byte is compared: segments begin at multiples of 8, so its word lies in memory, too.
    let end = (header.address & (MEMORY_BYTES - 1)) + u32::from(header.bytes);
    let dma = header.address & 7 == 0 && header.address < MEMORY_BYTES && end < MEMORY_BYTES;
    let fits = match Kind::from_code(header.kind) {
        Some(Kind::Message0 | Kind::Message1) => message,
        Some(Kind::Dma) => dma,
        None => false,
    };
    header.pe == pe && fits
}

impl Probe for LinkReceive {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packet_begins_with_a_header_for_this_pe_that_fits_its_ring() {
        let kind = Kind::Message0.code();
        let message = Header { kind, last: true, pe: 0x5a, bytes: 127, ..Header::default() };
        let dma = Header { kind: Kind::Dma.code(), bytes: 255, address: MEMORY_BYTES - 256, ..message };
        let taken = |header: Header| is_header(header.bits(), 0x5a);
        for header in [message, dma] {
            assert!(taken(header));
            for bit in 0..8 {
                assert!(!taken(Header { pe: 0x5a ^ 1 << bit, ..header }), "bit {bit} of the PE");
            }
        }
        let second = Header { kind: Kind::Message1.code(), ..message };
        for header in [message, second] {
            assert!(!taken(Header { bytes: 128, ..header }), "a message longer than its slot");
            assert!(!taken(Header { last: false, ..header }), "a message of two segments");
        }
        assert!(taken(Header { last: false, ..dma }));
        for (address, bytes, fits) in [
            (MEMORY_BYTES - 8, 7, true),
            (MEMORY_BYTES - 8, 8, false),
            (MEMORY_BYTES - 256, 255, true),
            (MEMORY_BYTES - 248, 255, false),
            (MEMORY_BYTES, 0, false),
            (1 << 31, 0, false),
        ] {
            assert_eq!(taken(Header { address, bytes, ..dma }), fits, "{bytes} more bytes at {address:#x}");
        }
        for bit in 0..3 {
            assert!(!taken(Header { address: 64 | 1 << bit, ..dma }), "bit {bit} of the address");
        }
    }

    #[test]
    fn word_of_a_dropped_packet_takes_three_cycles() {
        let mut block = LinkReceive::default();
        let mut taken = Vec::new();
        for cycle in 0..40 {
            let fifo_word = LinkWord { data: u64::MAX, last: false };
            block.tick(&In { enable: true, fifo_word, ..In::default() });
            if block.outputs().fifo_next {
                taken.push(cycle);
            }
        }
        assert_eq!(block.state, State::Drop);
        assert!(taken.windows(2).all(|two| two[1] - two[0] == 3), "{taken:?}");
    }
}
