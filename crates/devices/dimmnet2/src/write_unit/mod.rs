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
pub mod write_arbiter;
pub mod write_control;

use hdl::{Clocked, Probe, Quiet, Role, Visitor};

use self::list_read::ListRead;
use self::pins::{In, MemoryWord, Out};
use self::read_control::{LIST, ReadControl};
use self::ring::Ring;
use self::stride::{Elements, Stride};
use self::window_read::WindowRead;
use self::write_arbiter::WriteArbiter;
use self::write_control::WriteControl;
use crate::line::{FIRST, LAST, Line, MIDDLE};
use crate::prefetch_unit::pins::ListRequest;
use crate::receive_controller::pins::WriteRequest;
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
        let read = self.read_control.outputs();
        let write = self.write_control.outputs();
        let arbiter = self.write_arbiter.outputs();
        let window = self.window_read.outputs();
        let stride = self.stride.outputs();
        let list = self.list_read.outputs();
        let ring = self.ring.outputs();

        // The operation that begins in this cycle.
        let store = &pins.vector_store;
        let rest_begins = ring.room && pins.head_done && !pins.head_broken;
        let packet = pins.write_request.start || ring.begins || rest_begins;
        let packet_begins = packet && arbiter.free || arbiter.late_start;
        let store_begins = store.request && arbiter.free && !packet;
        let packet_offset = if ring.storing { ring.tail } else { pins.write_request.offset };

        // The line, of the window or of the packet, and the half of it that strided data uses.
        let packet_enable = ((1u16 << read.line_bytes) - 1) as u8;
        let (line, line_enable) =
            if arbiter.storing { (window.line, window.line_enable) } else { (pins.line, packet_enable) };
        let ends_low = if arbiter.storing { window.line_ends_low } else { read.line_held <= 4 };
        let half = if stride.upper { line.data >> 32 } else { line.data & 0xffff_ffff };
        let half_enable = if stride.upper { line_enable >> 4 } else { line_enable & 0xf };
        let half_last = line.is_last() && (stride.upper || ends_low);
        let half_id = match (line.id == FIRST, half_last) {
            (true, _) => FIRST,
            (false, true) => LAST,
            (false, false) => MIDDLE,
        };
        let held = if line.id == FIRST { 0 } else { read.line_held };
        let half_data = arbiter.storing || held > if stride.upper { 4 } else { 0 };
        let place_upper = stride.place >> 2 & 1 == 1;

        // A line or half waits until its location is known, and while the SO-DIMM interface is almost full.
        // Two cases do not wait, because the room was reserved earlier: a line of a contiguous packet, and
        // the second half of a line of a strided packet, whose next line is already in flight. With a list,
        // the next line is requested with the last half of this one.
        let accept = write.writing || write.requesting && pins.write_right;
        let free_to_wait = arbiter.storing || stride.running && (!stride.upper || stride.by_list);
        let crowded = pins.sodimm_almost_full && free_to_wait;
        let waits = stride.locating || crowded;
        let line_valid = if arbiter.storing { window.line_valid } else { read.line_valid } && !waits;
        let taken = line_valid && accept;
        let line_taken = taken && (!stride.running || stride.upper || half_last);

        self.read_control.tick_if(packet_begins, || read_control::In {
            write_request: WriteRequest { start: packet_begins, offset: packet_offset, ..pins.write_request },
            line: pins.line,
            capacity: pins.capacity,
            ring: ring.storing,
            refused: ring.refused,
            accept: line_taken && arbiter.packet,
            ask: arbiter.packet
                && match (stride.running, stride.by_list) {
                    (false, _) => accept && !pins.sodimm_almost_full,
                    (true, false) => taken && !stride.upper && !half_last,
                    (true, true) => line_taken,
                },
        });
        let empty = if arbiter.storing { window.empty } else { read.empty };
        let begins = packet_begins || store_begins;
        self.write_control.tick_if(begins || line_valid || empty, || write_control::In {
            write_request: WriteRequest {
                start: begins,
                wid: if store_begins { store.wid } else { pins.write_request.wid },
                offset: if store_begins { store.offset } else { packet_offset },
                ..pins.write_request
            },
            keep: if packet_begins && ring.storing { ring.keep } else { 0 },
            skip: store_begins && store.first & 1 == 1,
            line: if stride.running { Line { data: half << 32 | half, id: half_id } } else { line },
            line_valid,
            line_enable: if !stride.running {
                line_enable
            } else if !stride.store {
                0
            } else if place_upper {
                half_enable << 4
            } else {
                half_enable
            },
            empty,
            place_enable: stride.running,
            place: stride.place,
            capacity: pins.capacity,
            write_right: pins.write_right,
            sodimm_almost_full: pins.sodimm_almost_full,
            sodimm_idle: pins.sodimm_idle,
        });
        self.write_arbiter.tick(&write_arbiter::In { packet, store: store.request, done: write.done });
        self.window_read.tick_if(store_begins, || window_read::In {
            begin_store: store_begins,
            vector_store: *store,
            capacity: pins.capacity,
            write_window_rdata: if store.copies { pins.copy_rdata } else { pins.write_window_rdata },
            take: line_taken && arbiter.storing,
        });
        let packet = &pins.write_request;
        self.stride.tick_if(begins, || stride::In {
            begins,
            elements: if store_begins {
                Elements {
                    strided: store.strided && store.bytes != 0,
                    listed: store.listed,
                    upper: store.first & 1 == 1,
                    offset: store.offset,
                    stride: store.stride,
                    dtype: store.dtype,
                }
            } else {
                Elements {
                    strided: packet_begins && matches!(packet.variant, STRIDED | LIST) && packet.bytes != 0,
                    listed: packet.variant == LIST,
                    upper: false,
                    offset: packet.offset,
                    stride: packet.stride_list,
                    dtype: packet.dtype,
                }
            },
            done: write.done,
            capacity: pins.capacity,
            accept: taken,
            data: half_data,
            last: half_last,
            listed_valid: list.valid,
            listed_ended: list.ended,
            listed: (pins.store_list.rdata >> (32 * u32::from(list.upper))) as u32,
        });
        let packet_list = arbiter.packet && stride.locating && read.line_valid;
        let list_begins = store_begins && store.listed && store.bytes != 0 || packet_list;
        self.list_read.tick_if(list_begins, || list_read::In {
            begins: list_begins,
            wid: if packet_list { packet.wid } else { store.wid },
            offset: if packet_list { packet.stride_list } else { store.stride },
            entries: if packet_list { packet.iteration } else { elements(store.bytes, store.dtype) },
            store_list: pins.store_list,
            take: stride.locating,
            running: stride.running,
        });
        self.ring.tick_if(pins.ring_request.start, || ring::In {
            ring_request: pins.ring_request,
            announced: pins.write_request.bytes,
            capacity: pins.capacity,
            amt_entry: pins.amt_entry,
            llcm_rdata: pins.llcm_rdata,
            head_done: pins.head_done,
            head_broken: pins.head_broken,
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

/// Number of elements of `1 << dtype` bytes, at least 4, in `bytes` bytes; a window holds 128 at most.
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
