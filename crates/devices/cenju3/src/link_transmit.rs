//! Transmit side of the link: sends a word of the FIFO every 15 cycles: 40 MB/s (paper, section 3).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::memory_map::WORD_CYCLES;
use crate::pins::LinkWord;

/// Cycles of a word's 15 in which the link is idle: all but those of the three states.
pub const REST: u8 = WORD_CYCLES - 3;

hdl::fsm! {
    /// Transmit side of the link.
    pub enum State in link_transmit_pkg {
        /// Waits for a word, and for the end of the last word's 15 cycles.
        Wait => [Take: "15 cycles over, FIFO not empty", Wait: "otherwise"],
        /// The FIFO delivers the word.
        Take => [Offer],
        /// Waits until the network takes it.
        Offer => [Wait: "network ready", Offer: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the transmit side.
    pub struct In in link_transmit_pkg {
        /// The FIFO holds no word; `word` stays as it is.
        fifo_empty: bool,
        /// Word that was read last from the FIFO.
        fifo_word: LinkWord,
        /// The network takes the word.
        ready: bool,
    }
}

hdl::bundle! {
    /// Output pins of the transmit side.
    pub struct Out in link_transmit_pkg {
        /// To the FIFO: reads the oldest word.
        fifo_next: bool,
        /// To the network: `word` is valid.
        valid: bool,
        /// To the network: word of a packet.
        word: LinkWord,
    }
}

hdl::bundle! {
    /// Registers of the transmit side.
    pub struct LinkTransmit in link_transmit_pkg {
        /// Step of the word.
        state: State,
        /// Cycles until the next word may be taken.
        pace: u8 : 4,
        /// Word offered to the network.
        word: LinkWord,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/link_transmit_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "Rest",
            width: 4,
            value: REST as u64,
            doc: "Cycles in which the link rests behind a word.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for LinkTransmit {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out { fifo_next: q.state == Wait && q.pace == 0, valid: q.state == Offer, word: q.word }
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
        self.state != State::Take && self.pace == 0
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        match (self.state, self.pace) {
            (State::Wait, 0) => Quiet::UntilInput,
            (State::Wait, pace) => Quiet::For(pace.into()),
            _ => Quiet::Busy,
        }
    }

    fn skip(&mut self, cycles: u64) {
        self.pace = u64::from(self.pace).saturating_sub(cycles) as u8;
    }
}

impl LinkTransmit {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        d.pace = q.pace.saturating_sub(1);
        match q.state {
            // Wait: the 15 cycles of the last word pass.
            Wait => {
                if q.pace == 0 && !pins.fifo_empty {
                    d.state = Take;
                }
            }
            // Take: the FIFO delivers the word.
            Take => {
                d.word = pins.fifo_word;
                d.state = Offer;
            }
            // Offer: the 15 cycles count from the cycle in which the word is taken.
            Offer => {
                if pins.ready {
                    d.pace = REST;
                    d.state = Wait;
                }
            }
        }
        d
    }
}

impl Probe for LinkTransmit {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
