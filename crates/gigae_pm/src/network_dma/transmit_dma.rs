//! Frames out of NIC memory into the MAC, with their header in front.
//!
//! A frame of GigaE PM is twelve words of header, made here from registers, and the message from its send
//! buffer. A frame of another protocol lies in NIC memory as it is. The machine starts only when the MAC has
//! room for the longest frame, so only NIC memory, whose port it shares, can hold it up.

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use crate::header::{Frame, Identity, header_word};
use crate::mac::pins::{FRAME_WORDS, TransmitWord};

hdl::machine! {
    /// Network DMA of frames to be sent.
    pub enum State in transmit_dma_pkg {
        /// Waits for a frame.
        Idle => [Room],
        /// Waits for room in the MAC.
        Room => [Header, Payload],
        /// Writes the header.
        Header => [Payload, Idle],
        /// Writes words of NIC memory.
        Payload => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of transmit DMA.
    pub struct In in transmit_dma_pkg {
        /// The frame to send.
        frame: Frame,
        /// Starts it; only while `idle`.
        start: bool,
        /// Who the card is.
        identity: Identity,
        /// Words that the MAC can take.
        fifo_free: u16 : 11,
        /// NIC memory reads the word.
        memory_grant: bool,
        /// The word that it read last.
        memory_rdata: u32,
    }
}

hdl::bundle! {
    /// Output pins of transmit DMA.
    pub struct Out in transmit_dma_pkg {
        /// The next frame can be started.
        idle: bool,
        /// Reads a word of NIC memory.
        memory_read: bool,
        /// Which.
        memory_address: u32 : 18,
        /// Word to the MAC.
        word: TransmitWord,
        /// Writes `word`.
        word_enable: bool,
    }
}

hdl::bundle! {
    /// Registers of transmit DMA.
    pub struct TransmitDma in transmit_dma_pkg {
        /// State.
        state: State,
        /// The frame; its address moves on.
        frame: Frame,
        /// Word of the header.
        count: u8 : 4,
        /// Words to read.
        left: u16 : 9,
        /// A word was read in the cycle before.
        valid: bool,
        /// Word to the MAC.
        word: TransmitWord,
        /// Writes `word`.
        word_enable: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/network_dma/transmit_dma_pkg",
    source: "crates/gigae_pm/src/network_dma/transmit_dma.rs",
    items: &[Item::Machine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for TransmitDma {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            idle: q.state == Idle,
            memory_read: q.state == Payload && q.left != 0,
            memory_address: q.frame.address,
            word: q.word,
            word_enable: q.word_enable,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle && !self.word_enable { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl TransmitDma {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let bytes = q.frame.size.wrapping_sub(1) as u8 & 3;
        let reads = q.state == Payload && q.left != 0 && pins.memory_grant;
        let empty = q.frame.size == 0;

        d.word_enable = false;
        d.valid = reads;
        if reads {
            d.frame.address = (q.frame.address + 1) & 0x3_ffff;
            d.left = q.left - 1;
        }

        match q.state {
            // Idle: a frame is described by its registers.
            Idle => {
                if pins.start {
                    d.frame = pins.frame;
                    d.left = (pins.frame.size + 3) >> 2;
                    d.count = 0;
                    d.state = Room;
                }
            }
            // Room: for the longest frame.
            Room => {
                if pins.fifo_free >= FRAME_WORDS {
                    d.state = if q.frame.raw { Payload } else { Header };
                }
            }
            // Header: a control frame ends with it.
            Header => {
                let last = q.count == 11;
                d.word = TransmitWord {
                    data: header_word(q.count, &pins.identity, &q.frame),
                    bytes: 3,
                    last: last && empty,
                };
                d.word_enable = true;
                d.count = if last { 0 } else { q.count + 1 };
                if last {
                    d.state = if empty { Idle } else { Payload };
                }
            }
            // Payload: a word leaves in the cycle after it was read.
            Payload => {
                if q.valid {
                    let last = q.left == 0;
                    d.word = TransmitWord { data: pins.memory_rdata, bytes, last };
                    d.word_enable = true;
                    if last {
                        d.state = Idle;
                    }
                }
            }
        }
        d
    }
}

impl Probe for TransmitDma {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
