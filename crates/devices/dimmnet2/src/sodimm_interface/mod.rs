//! The DDR SO-DIMM Interface: two channels, interleaved every 8 bytes (thesis sections 4.1 and 4.5.6).
//!
//! Word address bit 0 selects the module, bit 1 the half of a 16-byte burst, bits 30:2 the burst. The
//! channels work independently; consecutive words alternate between them and are written or read at one per
//! core cycle. A word is accepted only from the holder of the right. Words read wait in one FIFO per module;
//! the Prefetch Unit keeps track of the order in which it requested them. It may request words of both
//! modules in one cycle and take both results in one cycle.

use hdl::{Clocked, Probe, Quiet, Role, Visitor};

pub mod pins;
pub mod sodimm;
pub mod sodimm_arbiter;

#[cfg(test)]
mod tests;

use pins::{In, Out};
use sodimm::{Sodimm, Word};
use sodimm_arbiter::SodimmArbiter;

use crate::prefetch_unit::pins::MemoryData;

/// Arbiter and two channels.
#[derive(Clone, Debug, Default)]
pub struct SodimmInterface {
    /// Grants the right to one of the two masters.
    pub arbiter: SodimmArbiter,
    /// Channel of SO-DIMM1, even words.
    pub sodimm0: Sodimm,
    /// Channel of SO-DIMM2, odd words.
    pub sodimm1: Sodimm,
}

impl Clocked for SodimmInterface {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let (sodimm0, sodimm1) = (self.sodimm0.outputs(), self.sodimm1.outputs());
        let right = self.arbiter.outputs();
        Out {
            write_right: right.write_right,
            read_right: right.read_right,
            almost_full: sodimm0.almost_full || sodimm1.almost_full,
            idle: sodimm0.idle && sodimm1.idle,
            data: MemoryData {
                data0: sodimm0.rdata,
                data1: sodimm1.rdata,
                empty0: sodimm0.data_empty,
                empty1: sodimm1.data_empty,
            },
            memory0: sodimm0.memory,
            memory1: sodimm1.memory,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let right = self.arbiter.outputs();
        let write = pins.word.byte_enable != 0 && right.write_right;
        let read = pins.read.enable && right.read_right;
        let address = if right.read_right { pins.read.address } else { pins.word.address };
        let module = address & 1 != 0;
        let pair = right.read_right && pins.read.pair;
        let word = Word {
            data: pins.word.data,
            burst: address >> 2,
            upper: address & 2 != 0,
            byte_enable: pins.word.byte_enable,
            read: right.read_right,
        };
        let channel = |module, data_next, memory| sodimm::In {
            word,
            word_enable: (write || read) && module,
            data_next,
            sodimm_enabled: pins.sodimm_enabled,
            memory,
        };
        // Two words are taken together or not at all.
        let both = pins.data_next0 && pins.data_next1;
        let late = both && (self.sodimm0.outputs().data_empty || self.sodimm1.outputs().data_empty);
        let (next0, next1) = (pins.data_next0 && !late, pins.data_next1 && !late);
        self.arbiter.tick_if(pins.write_right_request || pins.read_right_request, || sodimm_arbiter::In {
            write_right_request: pins.write_right_request,
            read_right_request: pins.read_right_request,
        });
        let word_enable = write || read || !self.settled(pins.sodimm_enabled);
        self.sodimm0.tick_if(word_enable || next0, || channel(!module || pair, next0, pins.memory0));
        self.sodimm1.tick_if(word_enable || next1, || channel(module || pair, next1, pins.memory1));
    }

    fn reset(&mut self) {
        self.arbiter.reset();
        self.sodimm0.reset();
        self.sodimm1.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        self.arbiter.quiescent().and(self.sodimm0.quiescent()).and(self.sodimm1.quiescent())
    }
}

impl SodimmInterface {
    /// Whether both channels have seen the present value of the enable.
    #[inline]
    pub fn settled(&self, sodimm_enabled: bool) -> bool {
        self.sodimm0.enabled() == sodimm_enabled && self.sodimm1.enabled() == sodimm_enabled
    }
}

impl Probe for SodimmInterface {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.pins(Role::Outputs, || self.outputs());
        visitor.block("arbiter", &self.arbiter);
        visitor.block("sodimm0", &self.sodimm0);
        visitor.block("sodimm1", &self.sodimm1);
    }
}
