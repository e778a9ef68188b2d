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
//! Packets: contiguous data at any offset that is a multiple of 4, any number of bytes; what does not fit in the
//! region is cut. A packet with one data line takes, from the cycle after the request: two cycles to compute, one to
//! ask SWIF for the line, one to get it, one to ask for the write right, one to get it, six to write; with the
//! cycle after that `done` is high. The read control and the write control see the same write right, so the line is
//! taken in the very cycle in which the right is there.
//!
//! Packets for a ring: four cycles later, since the ring has to be found first. The ring knows where the packet goes,
//! and moves Tail when it is stored.
//!
//! Local stores: data of a Write Window, from and to any offset that is a multiple of 4, contiguous at one line per
//! cycle, or in elements at a stride or where a list says at up to 4 bytes per cycle. The list is read before the write
//! right is asked for. A copy from SO-DIMM to SO-DIMM comes as local stores of chunks, whose data is in the copy buffer of
//! the Prefetch Unit. The arbiter lets one packet or one local store in at a
//! time; a packet that finds the Write Unit free begins in the cycle in which it comes.

pub mod list_read;
pub mod pins;
pub mod read_control;
pub mod ring;
pub mod stride;
pub mod window_read;
pub mod write_arbiter;
pub mod write_control;

use hdl::{Clocked, Probe, Quiet, Role, Visitor};

use self::list_read::ListRead;
use self::pins::{In, Out};
use self::read_control::ReadControl;
use self::ring::Ring;
use self::stride::Stride;
use self::window_read::WindowRead;
use self::write_arbiter::WriteArbiter;
use self::write_control::WriteControl;
use crate::line::{LAST, Line, MIDDLE};
use crate::receive_controller::pins::WriteRequest;
use crate::window_controller::pins::VectorStoreStatus;

/// The Write Unit.
#[derive(Clone, Debug, Default)]
pub struct WriteUnit {
    /// Pulls lines out of SWIF.
    pub read_control: ReadControl,
    /// Hands words over to the SO-DIMM interface.
    pub write_control: WriteControl,
    /// Lets packets and local stores in.
    pub write_arbiter: WriteArbiter,
    /// Takes lines out of a Write Window.
    pub window_read: WindowRead,
    /// Places the elements of a store at a stride or by list.
    pub stride: Stride,
    /// Gets the offsets of a list.
    pub list_read: ListRead,
    /// Finds room in rings.
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
            overrun: read.overrun || ring.refused,
            refused: ring.refused,
            broken: read.broken,
            bytes: read.bytes,
            first_address: ring.first_address,
            llcm_read_enable: ring.llcm_read_enable,
            llcm_byte_enable: if ring.llcm_write_enable { 0x0f } else { 0 },
            llcm_wdata: u64::from(ring.tail) << 32 | u64::from(ring.tail),
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
        let read = self.read_control.outputs();
        let write = self.write_control.outputs();
        let arbiter = self.write_arbiter.outputs();
        let window = self.window_read.outputs();
        let stride = self.stride.outputs();
        let list = self.list_read.outputs();
        let ring = self.ring.outputs();

        // What begins in this cycle.
        let store = &pins.vector_store;
        let packet = pins.write_request.start || ring.begins;
        let packet_begins = packet && arbiter.free || arbiter.late_start;
        let store_begins = store.request && arbiter.free && !packet;
        let packet_offset = if ring.storing { ring.tail } else { pins.write_request.offset };

        // The half of a line of the window that a strided store places.
        let half = if stride.upper { window.line.data >> 32 } else { window.line.data & 0xffff_ffff };
        let half_enable = if stride.upper { window.line_enable >> 4 } else { window.line_enable & 0xf };
        let half_last = window.line.is_last() && (stride.upper || window.line_ends_low);
        let place_upper = stride.place >> 2 & 1 == 1;

        // A line or half of the window waits while the SO-DIMM interface has little room, or its place is not known.
        let accept = write.writing || write.requesting && pins.write_right;
        let local_valid = window.line_valid && !pins.sodimm_almost_full && !stride.locating;
        let local_accept = local_valid && accept && arbiter.storing;

        self.read_control.tick(&read_control::In {
            write_request: WriteRequest { start: packet_begins, offset: packet_offset, ..pins.write_request },
            line: pins.line,
            capacity: pins.capacity,
            ring: ring.storing,
            refused: ring.refused,
            accept: accept && arbiter.packet,
            sodimm_almost_full: pins.sodimm_almost_full,
        });
        self.write_control.tick(&write_control::In {
            write_request: WriteRequest {
                start: packet_begins || store_begins,
                wid: if store_begins { store.wid } else { pins.write_request.wid },
                offset: if store_begins { store.offset } else { packet_offset },
                bytes: pins.write_request.bytes,
            },
            keep: if packet_begins && ring.storing { ring.keep } else { 0 },
            skip: store_begins && store.first & 1 == 1,
            line: if !arbiter.storing {
                pins.line
            } else if stride.running {
                Line { data: half << 32 | half, id: if half_last { LAST } else { MIDDLE } }
            } else {
                window.line
            },
            line_valid: if arbiter.storing { local_valid } else { read.line_valid },
            line_enable: if !arbiter.storing {
                ((1u16 << read.line_bytes) - 1) as u8
            } else if !stride.running {
                window.line_enable
            } else if !stride.store {
                0
            } else if place_upper {
                half_enable << 4
            } else {
                half_enable
            },
            empty: if arbiter.storing { window.empty } else { read.empty },
            place_enable: arbiter.storing && stride.running,
            place: stride.place,
            capacity: pins.capacity,
            write_right: pins.write_right,
            sodimm_almost_full: pins.sodimm_almost_full,
            sodimm_idle: pins.sodimm_idle,
        });
        self.write_arbiter.tick(&write_arbiter::In { packet, store: store.request, done: write.done });
        self.window_read.tick(&window_read::In {
            begin_store: store_begins,
            vector_store: *store,
            capacity: pins.capacity,
            write_window_rdata: if store.copies { pins.copy_rdata } else { pins.write_window_rdata },
            take: local_accept && (!stride.running || stride.upper || half_last),
        });
        self.stride.tick(&stride::In {
            begin_store: store_begins,
            vector_store: *store,
            capacity: pins.capacity,
            accept: local_accept,
            last: half_last,
            listed_valid: list.valid,
            listed_ended: list.ended,
            listed: (pins.store_list.rdata >> (32 * u32::from(list.upper))) as u32,
        });
        self.list_read.tick(&list_read::In {
            begin_store: store_begins && store.listed && store.bytes != 0,
            wid: store.wid,
            offset: store.stride,
            entries: elements(store.bytes, store.dtype),
            store_list: pins.store_list,
            take: stride.locating,
            running: stride.running,
        });
        self.ring.tick(&ring::In {
            ring_request: pins.ring_request,
            announced: pins.write_request.bytes,
            capacity: pins.capacity,
            llcm_rdata: pins.llcm_rdata,
            done: write.done && arbiter.packet,
            broken: read.broken,
            bytes: read.bytes,
        });
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

/// Elements of `1 << dtype` bytes, at least 4, that `bytes` bytes are; a window holds 128 at most.
#[inline]
fn elements(bytes: u16, dtype: u8) -> u8 {
    let shift = dtype.max(2);
    ((bytes + (1 << shift) - 1) >> shift) as u8
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
