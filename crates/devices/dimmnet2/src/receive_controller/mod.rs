//! The Receive Controller: parses received packets and routes their data to its destination (thesis section
//! 4.2).
//!
//! ```text
//! SWIF ---line---> packet control --write_request--> Write Unit (SO-DIMM)
//!      <-line_next-  |      |  ^ \---result--------> Request Separator
//!                    | start|  |done
//!                    v      v  |
//! SWIF ---line---> packet writer ---------> Prefetch Window, LLCM
//! SWIF ---line---> head writer -----------> LH Buffer
//! ```

pub mod head_write;
pub mod packet_control;
pub mod packet_write;
pub mod pins;

use hdl::{Clocked, Probe, Quiet, Role, Visitor};

use self::head_write::HeadWrite;
use self::packet_control::{PacketControl, Stored};
use self::packet_write::PacketWrite;
use self::pins::{In, Out, RingRequest, WriteRequest};
use crate::prefetch_unit::pins::WindowFlag;

/// Packet control with its two writers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiveController {
    /// Main state machine: headers, destinations, statuses.
    pub packet_control: PacketControl,
    /// Writes to the Prefetch Window and to LLCM.
    pub packet_write: PacketWrite,
    /// Writes to the LH Buffer.
    pub head_write: HeadWrite,
}

impl Clocked for ReceiveController {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let control = self.packet_control.outputs();
        let write = self.packet_write.outputs();
        let head = self.head_write.outputs();
        Out {
            packet_start: control.packet_start,
            line_next: control.line_next || write.line_next || head.line_next,
            write_request: control.write_request,
            ring_request: control.ring_request,
            amt_read_enable: control.amt_read_enable,
            prefetch_window_byte_enable: write.prefetch_window_byte_enable,
            prefetch_window_address: write.prefetch_window_address,
            prefetch_window_wdata: write.prefetch_window_wdata,
            llcm_byte_enable: write.llcm_byte_enable,
            llcm_address: write.llcm_address,
            llcm_wdata: write.llcm_wdata,
            lh_write_enable: head.write_enable,
            lh_row: head.row,
            lh_wdata: head.wdata,
            lh_advance: head.advance,
            head_done: head.done,
            head_broken: head.broken,
            vl_hold: control.vl_hold,
            result: control.result,
            packet_received: control.packet_received,
            overrun: control.overrun,
            condition: control.condition,
            wid: control.wid,
            flag: WindowFlag {
                opened: false,
                quarters: write.quarters,
                window: (control.write_request.offset >> 9 & 3) as u8,
                wid: control.wid,
            },
            state: control.state as u8,
            packet_write_state: write.state as u8,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        // An idle unit without a packet or a new area size does not change.
        let asked = pins.packet_available || pins.configuration.user_code != 0;
        if !asked && self.quiescent() == Quiet::UntilInput {
            return;
        }
        let control = self.packet_control.outputs();
        let write = self.packet_write.outputs();
        let head = self.head_write.outputs();
        let begins = pins.packet_available && self.packet_control.state == packet_control::State::Idle;
        let stored = pins.write_unit_done || write.done || head.done;
        let asked = begins || stored || pins.configuration.user_code != 0;
        self.packet_control.tick_if(asked, || packet_control_inputs(pins, &write, &head));
        self.packet_write.tick_if(control.packet_write_start, || packet_write::In {
            start: control.packet_write_start,
            to_llcm: control.to_llcm,
            wid: control.write_request.wid,
            offset: control.write_request.offset,
            bytes: control.write_request.bytes,
            outside: control.outside,
            last_packet: control.last_packet,
            line: pins.line,
        });
        self.head_write.tick_if(control.head_write_start, || head_write::In {
            start: control.head_write_start,
            pointer: if control.ring_request.head { pins.write_unit_first_address } else { 0 },
            size: control.message_size,
            bytes: control.head_bytes,
            polarity: pins.lh_polarity >> control.write_request.wid as u8 & 1 == 1,
            line: pins.line,
        });
    }

    fn reset(&mut self) {
        self.packet_control.reset();
        self.packet_write.reset();
        self.head_write.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        self.packet_control.quiescent().and(self.packet_write.quiescent()).and(self.head_write.quiescent())
    }
}

/// Inputs of the packet control, from the units that store the data.
#[inline(always)]
fn packet_control_inputs(pins: &In, write: &packet_write::Out, head: &head_write::Out) -> packet_control::In {
    packet_control::In {
        line: pins.line,
        packet_available: pins.packet_available,
        pgid0: pins.pgid0,
        pgid1: pins.pgid1,
        configuration: pins.configuration,
        write_unit: Stored {
            done: pins.write_unit_done,
            overrun: pins.write_unit_overrun,
            refused: pins.write_unit_refused,
            broken: pins.write_unit_broken,
            bytes: pins.write_unit_bytes,
        },
        packet_write: Stored {
            done: write.done,
            overrun: write.overrun,
            refused: false,
            broken: write.broken,
            bytes: write.bytes,
        },
        first_address: pins.write_unit_first_address,
        head_write: Stored {
            done: head.done,
            overrun: false,
            refused: false,
            broken: head.broken,
            bytes: head.bytes.into(),
        },
        ring_room: pins.ring_room,
        lh_full: pins.lh_full,
        status_busy: pins.status_busy,
        remote_fifo_full: pins.remote_fifo_full,
    }
}

impl ReceiveController {
    /// The output pins while the unit rests; the constants let the compiler remove the logic that depends on
    /// them.
    #[inline(always)]
    pub fn outputs_at_rest(&self) -> Out {
        let out = self.outputs();
        let at_rest = Out {
            line_next: false,
            write_request: WriteRequest { start: false, ..out.write_request },
            ring_request: RingRequest { start: false, ..out.ring_request },
            amt_read_enable: false,
            prefetch_window_byte_enable: 0,
            llcm_byte_enable: 0,
            lh_write_enable: 0,
            lh_advance: false,
            head_done: false,
            vl_hold: 0,
            result: pins::Result { enable: false, ..out.result },
            packet_received: false,
            overrun: false,
            condition: 0,
            flag: WindowFlag { quarters: 0, ..out.flag },
            ..out
        };
        debug_assert_eq!(at_rest, out, "a resting Receive Controller requests nothing");
        at_rest
    }
}

impl Probe for ReceiveController {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("packet_control", &self.packet_control);
        visitor.block("packet_write", &self.packet_write);
        visitor.block("head_write", &self.head_write);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests;
