//! Wires between the blocks of the Write Unit in one cycle: the outputs of all blocks, the line that they
//! take, and the inputs that they form.

use hdl::Clocked;

use super::pins::In;
use super::read_control::LIST;
use super::stride::Elements;
use super::{
    STRIDED, WriteUnit, list_read, read_control, ring, stride, window_read, write_arbiter, write_control,
};
use crate::line::{FIRST, LAST, Line, MIDDLE};
use crate::receive_controller::pins::WriteRequest;

/// Outputs of the blocks before a clock edge, and what begins and is taken at that edge.
pub(super) struct Wires {
    pub(super) read: read_control::Out,
    pub(super) write: write_control::Out,
    pub(super) arbiter: write_arbiter::Out,
    pub(super) window: window_read::Out,
    pub(super) stride: stride::Out,
    pub(super) list: list_read::Out,
    pub(super) ring: ring::Out,
    /// A packet requests the unit.
    pub(super) packet: bool,
    /// A packet begins; the arbiter may have delayed it.
    pub(super) packet_begins: bool,
    /// A local store begins.
    pub(super) store_begins: bool,
    /// Destination of a packet that begins, an offset in the region.
    packet_offset: u32,
    /// Line of the window or of the packet.
    line: Line,
    /// Bytes of `line` to store.
    line_enable: u8,
    /// `line` may be taken in this cycle.
    pub(super) line_valid: bool,
    /// Half of `line` that strided data uses.
    half: Half,
    /// Write control takes a line or half in this cycle.
    accept: bool,
    /// The line or half is taken.
    taken: bool,
    /// The last part of the line is taken.
    line_taken: bool,
}

/// Four bytes of a line.
struct Half {
    /// The bytes, in bits 31:0.
    data: u64,
    /// Bytes to store.
    enable: u8,
    /// Last half of the transfer.
    last: bool,
    /// Any byte belongs to the transfer.
    holds_data: bool,
}

impl Half {
    /// The half of `line` that the stride block uses next.
    #[inline(always)]
    fn of(
        line: &Line,
        line_enable: u8,
        read: &read_control::Out,
        window: &window_read::Out,
        stride: &stride::Out,
        storing: bool,
    ) -> Self {
        let ends_low = if storing { window.line_ends_low } else { read.line_held <= 4 };
        let held = if line.id == FIRST { 0 } else { read.line_held };
        Self {
            data: if stride.upper { line.data >> 32 } else { line.data & 0xffff_ffff },
            enable: if stride.upper { line_enable >> 4 } else { line_enable & 0xf },
            last: line.is_last() && (stride.upper || ends_low),
            holds_data: storing || held > if stride.upper { 4 } else { 0 },
        }
    }

    /// The half, as a line.
    #[inline(always)]
    fn line(&self, whole: &Line) -> Line {
        let id = match (whole.id == FIRST, self.last) {
            (true, _) => FIRST,
            (false, true) => LAST,
            (false, false) => MIDDLE,
        };
        Line { data: self.data << 32 | self.data, id }
    }
}

impl WriteUnit {
    /// Outputs of the blocks, and what begins and is taken at the next edge.
    #[inline(always)]
    pub(super) fn wires(&self, pins: &In) -> Wires {
        let read = self.read_control.outputs();
        let write = self.write_control.outputs();
        let arbiter = self.write_arbiter.outputs();
        let window = self.window_read.outputs();
        let stride = self.stride.outputs();
        let list = self.list_read.outputs();
        let ring = self.ring.outputs();

        // The operation that begins in this cycle.
        let rest_begins = ring.room && pins.head_done && !pins.head_broken;
        let packet = pins.write_request.start || ring.begins || rest_begins;

        // The line, of the window or of the packet.
        let storing = arbiter.storing;
        let packet_enable = ((1u16 << read.line_bytes) - 1) as u8;
        let (line, line_enable) =
            if storing { (window.line, window.line_enable) } else { (pins.line, packet_enable) };
        let half = Half::of(&line, line_enable, &read, &window, &stride, storing);

        // A line or half waits until its location is known, and while the SO-DIMM interface is almost full.
        // Two cases do not wait, because the room was reserved earlier: a line of a contiguous packet, and
        // the second half of a line of a strided packet, whose next line is already in flight. With a list,
        // the next line is requested with the last half of this one.
        let accept = write.writing || write.requesting && pins.write_right;
        let free_to_wait = storing || stride.running && (!stride.upper || stride.by_list);
        let crowded = pins.sodimm_almost_full && free_to_wait;
        let waits = stride.locating || crowded;
        let line_valid = if storing { window.line_valid } else { read.line_valid } && !waits;
        let taken = line_valid && accept;
        Wires {
            packet,
            packet_begins: packet && arbiter.free || arbiter.late_start,
            store_begins: pins.vector_store.request && arbiter.free && !packet,
            packet_offset: if ring.storing { ring.tail } else { pins.write_request.offset },
            line,
            line_enable,
            line_valid,
            accept,
            taken,
            line_taken: taken && (!stride.running || stride.upper || half.last),
            half,
            read,
            write,
            arbiter,
            window,
            stride,
            list,
            ring,
        }
    }
}

impl Wires {
    #[inline(always)]
    pub(super) fn read_control_inputs(&self, pins: &In) -> read_control::In {
        read_control::In {
            write_request: WriteRequest {
                start: self.packet_begins,
                offset: self.packet_offset,
                ..pins.write_request
            },
            line: pins.line,
            capacity: pins.capacity,
            ring: self.ring.storing,
            refused: self.ring.refused,
            accept: self.line_taken && self.arbiter.packet,
            ask: self.arbiter.packet
                && match (self.stride.running, self.stride.by_list) {
                    (false, _) => self.accept && !pins.sodimm_almost_full,
                    (true, false) => self.taken && !self.stride.upper && !self.half.last,
                    (true, true) => self.line_taken,
                },
        }
    }

    #[inline(always)]
    pub(super) fn write_control_inputs(&self, pins: &In) -> write_control::In {
        write_control::In {
            write_request: WriteRequest {
                start: self.begins(),
                wid: if self.store_begins { pins.vector_store.wid } else { pins.write_request.wid },
                offset: if self.store_begins { pins.vector_store.offset } else { self.packet_offset },
                ..pins.write_request
            },
            keep: if self.packet_begins && self.ring.storing { self.ring.keep } else { 0 },
            skip: self.store_begins && pins.vector_store.first & 1 == 1,
            line: if self.stride.running { self.half.line(&self.line) } else { self.line },
            line_valid: self.line_valid,
            line_enable: self.line_enable(),
            empty: self.empty(),
            place_enable: self.stride.running,
            place: self.stride.place,
            capacity: pins.capacity,
            write_right: pins.write_right,
            sodimm_almost_full: pins.sodimm_almost_full,
            sodimm_idle: pins.sodimm_idle,
        }
    }

    #[inline(always)]
    pub(super) fn write_arbiter_inputs(&self, pins: &In) -> write_arbiter::In {
        write_arbiter::In { packet: self.packet, store: pins.vector_store.request, done: self.write.done }
    }

    #[inline(always)]
    pub(super) fn window_read_inputs(&self, pins: &In) -> window_read::In {
        window_read::In {
            begin_store: self.store_begins,
            vector_store: pins.vector_store,
            capacity: pins.capacity,
            write_window_rdata: if pins.vector_store.copies {
                pins.copy_rdata
            } else {
                pins.write_window_rdata
            },
            take: self.line_taken && self.arbiter.storing,
        }
    }

    #[inline(always)]
    pub(super) fn stride_inputs(&self, pins: &In) -> stride::In {
        stride::In {
            begins: self.begins(),
            elements: self.elements(pins),
            done: self.write.done,
            capacity: pins.capacity,
            accept: self.taken,
            data: self.half.holds_data,
            last: self.half.last,
            listed_valid: self.list.valid,
            listed_ended: self.list.ended,
            listed: (pins.store_list.rdata >> (32 * u32::from(self.list.upper))) as u32,
        }
    }

    #[inline(always)]
    pub(super) fn list_read_inputs(&self, pins: &In) -> list_read::In {
        list_read::In {
            begins: self.list_begins(pins),
            wid: if self.packet_list() { pins.write_request.wid } else { pins.vector_store.wid },
            offset: if self.packet_list() {
                pins.write_request.stride_list
            } else {
                pins.vector_store.stride
            },
            entries: if self.packet_list() {
                pins.write_request.iteration
            } else {
                element_count(pins.vector_store.bytes, pins.vector_store.dtype)
            },
            store_list: pins.store_list,
            take: self.stride.locating,
            running: self.stride.running,
        }
    }

    #[inline(always)]
    pub(super) fn ring_inputs(&self, pins: &In) -> ring::In {
        ring::In {
            ring_request: pins.ring_request,
            announced: pins.write_request.bytes,
            capacity: pins.capacity,
            amt_entry: pins.amt_entry,
            llcm_rdata: pins.llcm_rdata,
            head_done: pins.head_done,
            head_broken: pins.head_broken,
            done: self.write.done && self.arbiter.packet,
            broken: self.read.broken,
            bytes: self.read.bytes,
        }
    }

    /// A packet or a local store begins.
    #[inline(always)]
    pub(super) fn begins(&self) -> bool {
        self.packet_begins || self.store_begins
    }

    /// The operation has no data; high for one cycle.
    #[inline(always)]
    pub(super) fn empty(&self) -> bool {
        if self.arbiter.storing { self.window.empty } else { self.read.empty }
    }

    /// Bytes of the line to store, or of the element at its place in memory.
    #[inline(always)]
    fn line_enable(&self) -> u8 {
        if !self.stride.running {
            self.line_enable
        } else if !self.stride.store {
            0
        } else if self.stride.place >> 2 & 1 == 1 {
            self.half.enable << 4
        } else {
            self.half.enable
        }
    }

    /// Layout of the elements of the operation that begins.
    #[inline(always)]
    fn elements(&self, pins: &In) -> Elements {
        let (packet, store) = (&pins.write_request, &pins.vector_store);
        if self.store_begins {
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
                strided: self.packet_begins && matches!(packet.variant, STRIDED | LIST) && packet.bytes != 0,
                listed: packet.variant == LIST,
                upper: false,
                offset: packet.offset,
                stride: packet.stride_list,
                dtype: packet.dtype,
            }
        }
    }

    /// The list of a packet is needed, because its first data line has arrived.
    #[inline(always)]
    fn packet_list(&self) -> bool {
        self.arbiter.packet && self.stride.locating && self.read.line_valid
    }

    /// A list is to be read.
    #[inline(always)]
    pub(super) fn list_begins(&self, pins: &In) -> bool {
        let store = &pins.vector_store;
        self.store_begins && store.listed && store.bytes != 0 || self.packet_list()
    }
}

/// Number of elements of `1 << dtype` bytes, at least 4, in `bytes` bytes; a window holds 128 at most.
#[inline]
fn element_count(bytes: u16, dtype: u8) -> u8 {
    let shift = dtype.max(2);
    ((bytes + (1 << shift) - 1) >> shift) as u8
}
