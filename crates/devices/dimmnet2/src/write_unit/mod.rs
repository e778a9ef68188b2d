//! The Write Unit: stores data in SO-DIMM (thesis section 4.2, table 7.4).
//!
//! ```text
//! Receive Controller --write_request--+----------------> write control --word--> SO-DIMM interface
//!                                     v                    ^  ^   |
//!                SWIF ---line---> read control --line_valid+  |   +--done--> Receive Controller
//!                     <-line_next-                            |   +--done--> Window Controller
//! Window Controller --vector_store--> window read ----line----+
//!                   <-row_next------    stride ------place----+
//!     Prefetch Unit --store_list----> list read
//!                   <-list_request--
//! Receive Controller --ring_request->    ring -----offset-----+
//!               LLCM <-read, Tail----
//! ```
//!
//! Packets: data at any offset that is a multiple of 4, any number of bytes, contiguous, strided or listed;
//! data beyond the region is cut. The list of a packet is read when its first data line has arrived. A packet
//! with one data line takes, from the cycle after the request: two cycles to compute, one to request the line
//! from SWIF, one to get it, one to request the write right, one to get it, six to write; `done` is high in
//! the cycle after that. Read control and write control see the same write right, so the line is taken in the
//! very cycle in which the right is granted.
//!
//! Packets for a ring take four cycles more, because the ring has to be located first. The ring block
//! computes the destination of the packet, and advances Tail when the packet is stored.
//!
//! Local stores: data of a Write Window, from and to any offset that is a multiple of 4; contiguous at one
//! line per cycle, strided or listed at up to 4 bytes per cycle. The list is read before the write right is
//! requested. A copy from SO-DIMM to SO-DIMM is a sequence of local stores of chunks whose data is in the
//! copy buffer of the Prefetch Unit. The arbiter admits one packet or one local store at a time; a packet
//! that finds the Write Unit free begins in the cycle in which it arrives.

pub mod list_read;
pub mod pins;
pub mod read_control;
pub mod ring;
pub mod stride;
pub mod window_read;
mod wires;
pub mod write_arbiter;
pub mod write_control;

use hdl::{Clocked, Probe, Quiet, Role, Visitor};

use self::list_read::ListRead;
use self::pins::{In, MemoryWord, Out};
use self::read_control::ReadControl;
use self::ring::Ring;
use self::stride::Stride;
use self::window_read::WindowRead;
use self::write_arbiter::WriteArbiter;
use self::write_control::WriteControl;
use crate::prefetch_unit::pins::ListRequest;
use crate::window_controller::pins::VectorStoreStatus;

/// Variant of a packet with strided elements.
const STRIDED: u8 = 1;

/// Read side, write side, arbiter, and the blocks that compute destinations.
#[derive(Clone, Debug, Default)]
pub struct WriteUnit {
    /// Takes data lines from SWIF.
    pub read_control: ReadControl,
    /// Sends words to the SO-DIMM interface.
    pub write_control: WriteControl,
    /// Admits one packet or local store at a time.
    pub write_arbiter: WriteArbiter,
    /// Takes lines from a Write Window.
    pub window_read: WindowRead,
    /// Computes the locations of strided and listed elements.
    pub stride: Stride,
    /// Fetches the offsets of a list.
    pub list_read: ListRead,
    /// Finds room in IPUSH rings.
    pub ring: Ring,
}

impl Clocked for WriteUnit {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let read = self.read_control.outputs();
        let write = self.write_control.outputs();
        let arbiter = self.write_arbiter.outputs();
        let window = self.window_read.outputs();
        let stride = self.stride.outputs();
        let list = self.list_read.outputs();
        let ring = self.ring.outputs();
        Out {
            line_next: read.line_next,
            write_right_request: write.write_right_request,
            word: write.word,
            done: write.done && arbiter.packet,
            overrun: read.overrun || stride.overrun || ring.refused,
            refused: ring.refused,
            broken: read.broken,
            bytes: read.bytes,
            first_address: ring.first_address,
            ring_room: ring.room,
            llcm_read_enable: ring.llcm_read_enable,
            llcm_byte_enable: if ring.llcm_write_enable { 0x0f } else { 0 },
            llcm_wdata: u64::from(ring.tail) << 32 | u64::from(ring.tail),
            llcm_entry: ring.entry,
            read_control_state: read.state as u8,
            write_control_state: write.state as u8,
            vector_store_status: VectorStoreStatus {
                busy: !arbiter.free,
                storing: arbiter.storing,
                row_next: window.row_next,
                done: write.done && arbiter.storing,
                overrun: window.overrun || stride.overrun,
            },
            stride_state: stride.state as u8,
            list_request: list.request,
            list_read_enable: list.read_enable,
            list_row: list.row,
            ring_state: ring.state,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        // An idle unit without a request does not change.
        let asked = pins.write_request.start || pins.ring_request.start || pins.vector_store.request;
        if !asked && self.quiescent() == Quiet::UntilInput {
            return;
        }
        let wires = self.wires(pins);
        self.read_control.tick_if(wires.packet_begins, || wires.read_control_inputs(pins));
        let writes = wires.begins() || wires.line_valid || wires.empty();
        self.write_control.tick_if(writes, || wires.write_control_inputs(pins));
        self.write_arbiter.tick(&wires.write_arbiter_inputs(pins));
        self.window_read.tick_if(wires.store_begins, || wires.window_read_inputs(pins));
        self.stride.tick_if(wires.begins(), || wires.stride_inputs(pins));
        self.list_read.tick_if(wires.list_begins(pins), || wires.list_read_inputs(pins));
        self.ring.tick_if(pins.ring_request.start, || wires.ring_inputs(pins));
    }

    fn reset(&mut self) {
        self.read_control.reset();
        self.write_control.reset();
        self.write_arbiter.reset();
        self.window_read.reset();
        self.stride.reset();
        self.list_read.reset();
        self.ring.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        self.read_control
            .quiescent()
            .and(self.write_control.quiescent())
            .and(self.write_arbiter.quiescent())
            .and(self.window_read.quiescent())
            .and(self.stride.quiescent())
            .and(self.list_read.quiescent())
            .and(self.ring.quiescent())
    }
}

impl WriteUnit {
    /// The output pins while the unit rests; the constants let the compiler remove the logic that depends on
    /// them.
    #[inline(always)]
    pub fn outputs_at_rest(&self) -> Out {
        let out = self.outputs();
        let at_rest = Out {
            line_next: false,
            write_right_request: false,
            word: MemoryWord { byte_enable: 0, ..out.word },
            done: false,
            ring_room: false,
            llcm_read_enable: false,
            llcm_byte_enable: 0,
            vector_store_status: VectorStoreStatus {
                busy: false,
                row_next: false,
                done: false,
                ..out.vector_store_status
            },
            list_request: ListRequest { request: false, ..out.list_request },
            list_read_enable: false,
            ..out
        };
        debug_assert_eq!(at_rest, out, "a resting Write Unit requests nothing");
        at_rest
    }
}

impl Probe for WriteUnit {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("read_control", &self.read_control);
        visitor.block("write_control", &self.write_control);
        visitor.block("write_arbiter", &self.write_arbiter);
        visitor.block("window_read", &self.window_read);
        visitor.block("stride", &self.stride);
        visitor.block("list_read", &self.list_read);
        visitor.block("ring", &self.ring);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests;
