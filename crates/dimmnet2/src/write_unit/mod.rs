//! The Write Unit: stores data in SO-DIMM (thesis section 4.2, table 7.4).
//!
//! ```text
//! Receive Controller --write_request--+----------------> write control --word--> SO-DIMM interface
//!                                     v                    ^      |
//!                SWIF ---line---> read control --line_valid+      +--done--> Receive Controller
//!                     <-line_next-
//! ```
//!
//! Contiguous data at any offset that is a multiple of 4, any number of bytes; what does not fit in the region
//! is cut. A packet with one data line takes, from the cycle after the request: two cycles to compute, one to ask
//! SWIF for the line, one to get it, one to ask for the write right, one to get it, six to write; with the
//! cycle after that `done` is high. The read control and the write control see the same write right, so the line is
//! taken in the very cycle in which the right is there.

pub mod pins;
pub mod read_control;
pub mod write_control;

use hdl::{Clocked, Probe, Quiet, Role, Visitor};

use self::pins::{In, Out};
use self::read_control::ReadControl;
use self::write_control::WriteControl;

/// The Write Unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteUnit {
    /// Pulls lines out of SWIF.
    pub read_control: ReadControl,
    /// Hands words over to the SO-DIMM interface.
    pub write_control: WriteControl,
}

impl Clocked for WriteUnit {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let read = self.read_control.outputs();
        let write = self.write_control.outputs();
        Out {
            line_next: read.line_next,
            write_right_request: write.write_right_request,
            word: write.word,
            done: write.done,
            overrun: read.overrun,
            broken: read.broken,
            bytes: read.bytes,
            read_control_state: read.state as u8,
            write_control_state: write.state as u8,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let read = self.read_control.outputs();
        let write = self.write_control.outputs();
        self.read_control.tick(&read_control::In {
            write_request: pins.write_request,
            line: pins.line,
            capacity: pins.capacity,
            accept: write.writing || write.requesting && pins.write_right,
            sodimm_almost_full: pins.sodimm_almost_full,
        });
        self.write_control.tick(&write_control::In {
            write_request: pins.write_request,
            line: pins.line,
            line_valid: read.line_valid,
            line_bytes: read.line_bytes,
            empty: read.empty,
            capacity: pins.capacity,
            write_right: pins.write_right,
            sodimm_almost_full: pins.sodimm_almost_full,
            sodimm_idle: pins.sodimm_idle,
        });
    }

    fn reset(&mut self) {
        self.read_control.reset();
        self.write_control.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        self.read_control.quiescent().and(self.write_control.quiescent())
    }
}

impl Probe for WriteUnit {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("read_control", &self.read_control);
        visitor.block("write_control", &self.write_control);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
