//! Received frames into NIC memory, one behind the other in a ring of 16 buffers.
//!
//! Bad frames and those for other nodes are dropped and counted, and their buffer is used again. The length
//! of a good frame is stored in the last word of its buffer.

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use crate::header::{Identity, node_bytes};
use crate::mac::pins::{ReceiveStatus, ReceiveWord};
use crate::memory_map::{BUFFER_WORDS, FRAMES, LENGTH_WORD, SLOTS};

hdl::machine! {
    /// Network DMA of received frames.
    pub enum State in receive_dma_pkg {
        /// Waits for a frame and a free buffer; takes its first word.
        Idle => [Store],
        /// Stores words up to the status.
        Store => [Idle, Length],
        /// Stores the length.
        Length => [Idle],
    }
}

hdl::bundle! {
    /// Why received frames were dropped, and how many; the counters wrap.
    pub struct ReceiveCounts in receive_dma_pkg {
        /// Good frames.
        good: u16,
        /// A wrong check sequence.
        fcs_errors: u16,
        /// Too short.
        runts: u16,
        /// Too long.
        giants: u16,
        /// For other nodes.
        foreign: u16,
        /// No room in the receive FIFO.
        missed: u16,
    }
}

hdl::bundle! {
    /// Input pins of receive DMA.
    pub struct In in receive_dma_pkg {
        /// From the MAC: word taken last.
        word: ReceiveWord,
        /// From the MAC: a whole frame waits.
        frame_available: bool,
        /// Who the card is.
        identity: Identity,
        /// Frames are received at all.
        enable: bool,
        /// From firmware: the oldest frame is dealt with.
        frame_done: bool,
        /// NIC memory takes the word.
        memory_grant: bool,
    }
}

hdl::bundle! {
    /// Output pins of receive DMA.
    pub struct Out in receive_dma_pkg {
        /// Takes the first word of a frame, as soon as one is available.
        frame_start: bool,
        /// Takes the next word with each one that NIC memory takes.
        word_next: bool,
        /// Writes a word into NIC memory: that of the MAC, or the length.
        memory_write: bool,
        /// Where.
        memory_address: u32 : 18,
        /// The word is `length`.
        length_enable: bool,
        /// Bytes of the frame, check sequence not included.
        length: u16 : 11,
        /// To firmware: a frame waits.
        frame_waiting: bool,
        /// To firmware: buffer of the oldest frame.
        frame_slot: u8 : 4,
        /// Counters.
        counts: ReceiveCounts,
    }
}

hdl::bundle! {
    /// Registers of receive DMA.
    pub struct ReceiveDma in receive_dma_pkg {
        /// State.
        state: State,
        /// Buffer to fill next.
        head: u8 : 4,
        /// Frames that wait for the firmware.
        waiting: u8 : 5,
        /// Words of the frame stored.
        count: u16 : 9,
        /// The frame is for a group of nodes.
        group: bool,
        /// The frame is for this card.
        addressed: bool,
        /// Bytes of the frame, check sequence not included.
        length: u16 : 11,
        /// Counters.
        counts: ReceiveCounts,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/network_dma/receive_dma_pkg",
    source: "crates/gigae_pm/src/network_dma/receive_dma.rs",
    items: &[
        Item::Machine(State::TABLE),
        Item::Bundle(ReceiveCounts::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for ReceiveDma {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let word = if q.state == Length { LENGTH_WORD } else { q.count.into() };
        Out {
            frame_start: q.state == Idle && q.waiting < SLOTS,
            word_next: q.state == Store,
            memory_write: matches!(q.state, Store | Length),
            memory_address: FRAMES + BUFFER_WORDS * u32::from(q.head) + word,
            length_enable: q.state == Length,
            length: q.length,
            frame_waiting: q.waiting != 0,
            frame_slot: q.head.wrapping_sub(q.waiting) & 0xf,
            counts: q.counts,
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
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl ReceiveDma {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let status = ReceiveStatus::from_bits(pins.word.data);
        let own = &pins.identity;
        let bad = status.runt || status.giant || status.fcs_error || !q.addressed;

        match q.state {
            // Idle: the first word is on `word` in the next cycle.
            Idle => {
                if pins.frame_available && q.waiting < SLOTS {
                    d.count = 0;
                    d.state = Store;
                }
            }
            // Store: the destination is in the first two words, what is wrong with the frame in the last.
            Store => {
                if pins.word.last {
                    d.length = status.length.wrapping_sub(4) & 0x7ff;
                    d.counts.missed = q.counts.missed.wrapping_add(status.missed.into());
                    if !pins.enable {
                        d.state = Idle;
                    } else if bad {
                        d.counts = d.counts.with(&status);
                        d.state = Idle;
                    } else {
                        d.state = Length;
                    }
                } else if pins.memory_grant {
                    d.count = (q.count + 1) & 0x1ff;
                    if q.count == 0 {
                        d.group = pins.word.data >> 16 & 1 == 1;
                        d.addressed = pins.word.data >> 16 == own.mac_prefix & 0xffff;
                    }
                    if q.count == 1 {
                        let second = node_bytes(own.node) << 16 | own.mac_prefix >> 16;
                        d.addressed = q.group || q.addressed && pins.word.data == second;
                    }
                }
            }
            // Length: with it the frame is the firmware's.
            Length => {
                if pins.memory_grant {
                    d.head = (q.head + 1) & 0xf;
                    d.counts.good = q.counts.good.wrapping_add(1);
                    d.state = Idle;
                }
            }
        }
        // What waits when the card is stopped is dropped.
        let stored = q.state == Length && pins.memory_grant;
        let waiting = (q.waiting + u8::from(stored)).wrapping_sub(pins.frame_done.into()) & 0x1f;
        d.waiting = if pins.enable { waiting } else { 0 };
        d
    }
}

impl ReceiveCounts {
    /// One more bad frame, under the first name that fits.
    #[inline]
    fn with(mut self, status: &ReceiveStatus) -> Self {
        let counter = if status.runt {
            &mut self.runts
        } else if status.giant {
            &mut self.giants
        } else if status.fcs_error {
            &mut self.fcs_errors
        } else {
            &mut self.foreign
        };
        *counter = counter.wrapping_add(1);
        self
    }
}

impl Probe for ReceiveDma {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
