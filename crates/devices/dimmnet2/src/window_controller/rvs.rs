//! RVS module: sends data of own SO-DIMM to a remote node, for the RVS and IPUSH families (thesis section
//! 5.3, figure 5.15).
//!
//! The module sends the Prefetch Unit one request, and makes packets of the data that arrives. The data is
//! contiguous, strided or listed at either end. A host's primitive describes the remote memory in the command
//! and its own in Command Ex; an RVL request of a remote node describes this node's memory in the command and
//! the requester's in Command Ex (decision 0018).
//!
//! A packet is at most MTU long (decision 0019). Data that fits in one contiguous packet has a header of two
//! lines; otherwise a third line holds the size of the whole transfer and the stride or list. RVSS and RVSI
//! packets contain whole elements.
//!
//! Data is sent as it arrives: `Rvs2` and `Rvs3` wait for the first line of a packet. `Rvs5` sends a line in
//! each cycle in which one is available, until the Data Counter, the number of unsent lines, is 0 (decision
//! 0034). With `data_awaited`, `Rvs2` and `Rvs3` wait for all lines of the packet that come from the Prefetch
//! Unit (decision 0041).
//!
//! An IPUSH is a contiguous RVS with another TYPE, whose DSTOff counts from 0; with LHSv1 and LHSv2, its
//! packets have lflag. The data of LHSv2 begins with lines of the Write Window, which are sent as they are
//! read, before those of the packet buffer; packets are cut from the concatenation (decision 0023).
//!
//! While a line is sent, the next is on the buffer's output and the one after that is read: reading begins
//! with the next-to-last header line. An empty buffer causes a gap that passes through both stages.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::request_acceptor::Sizes;
use crate::address::clid_to_lid;
use crate::line::{FIRST, LAST, Line, MIDDLE};
use crate::packet::{FirstLine, SecondLine, ThirdLine};
use crate::prefetch_unit::pins::VectorLoad;
use crate::primitive::Family;

/// Bytes of a header of two lines.
const SHORT_HEADER: u16 = 16;
/// Bytes of a header of three lines.
const LONG_HEADER: u16 = 24;

/// Variants: code bits 1:0 of a primitive.
pub(super) const CONTIGUOUS: u8 = 0;
const STRIDED: u8 = 1;
pub(super) const LIST: u8 = 2;

hdl::fsm! {
    /// RVS module of the Request Executor (figure 5.15).
    pub enum State in rvs_pkg {
        /// Waits for a primitive.
        Prim => [
            Wait: "Prefetch Unit busy",
            Rvs1: "Prefetch Unit not busy, RVS",
            Rvss1: "Prefetch Unit not busy, RVSS or RVSI",
            Prim: "no primitive, or no data",
        ],
        /// Waits for the Prefetch Unit.
        Wait => [
            Rvs1: "Prefetch Unit not busy, RVS",
            Rvss1: "Prefetch Unit not busy, RVSS or RVSI",
            Wait: "Prefetch Unit busy",
        ],
        /// RVSS, RVSI: tests whether the rest fits in one packet.
        Rvss1 => [Rvs1: "one packet suffices", Rvss2: "more than one packet"],
        /// RVSS, RVSI: computes the bytes of the elements of this packet.
        Rvss2 => [Rvs1],
        /// Waits for room in the SWIF FIFO; builds the first and the second header line.
        Rvs1 => [
            Rvs2: "FIFO not almost full, 3 header lines",
            Rvs3: "FIFO not almost full, 2 header lines",
            Rvs1: "SWIF FIFO almost full",
        ],
        /// Waits for the data; builds the third header line.
        Rvs2 => [Rvs4: "data ready", Rvs2: "data not ready"],
        /// Waits for the data.
        Rvs3 => [Rvs4: "data ready", Rvs3: "data not ready"],
        /// Sends the header.
        Rvs4 => [Rvs5: "header sent", Rvs4: "header lines remain"],
        /// Sends the data as it arrives.
        Rvs5 => [
            Rvs1: "DC = 0, LPF = 0, RVS",
            Rvss1: "DC = 0, LPF = 0, RVSS or RVSI",
            RvsEnd: "DC = 0, LPF = 1",
            Rvs5: "DC != 0",
        ],
        /// Resets the internal registers.
        RvsEnd => [Prim],
    }
}

hdl::bundle! {
    /// Layout of data in a memory.
    pub struct Vector in rvs_pkg {
        /// 0 contiguous, 1 strided, 2 by list.
        variant: u8 : 2,
        /// Element size: 1 << dtype bytes.
        dtype: u8 : 3,
        /// Number of elements.
        iteration: u8,
        /// Size in bytes, stride in bytes, or offset of the list, depending on the variant.
        size_list_stride: u32,
    }
}

hdl::bundle! {
    /// Input pins of the RVS module.
    pub struct In in rvs_pkg {
        /// The Request Executor dispatches a primitive; high for one cycle, only while `idle`.
        start: bool,
        /// The primitive is a request of a remote node.
        remote: bool,
        /// TYPE of the packets.
        otype: u8 : 5,
        /// Process on this node: the issuer, or the one whose data is read.
        wid: bool,
        /// Receiving process.
        dwid: bool,
        /// Receiving node.
        dclid: u16 : 12,
        /// The last packet requests a status.
        eflag: bool,
        /// Destination of the data: 0 SO-DIMM, 1 Prefetch Window.
        rflag: bool,
        /// Layout in own memory.
        source: Vector,
        /// Offset in own SO-DIMM region.
        srcoff: u32,
        /// Layout in the remote memory.
        target: Vector,
        /// Offset in the remote memory.
        dstoff: u32,
        /// Bytes of the transfer.
        sizes: Sizes,
        /// The packets carry lflag.
        lflag: bool,
        /// First line of the process's Write Windows to send.
        window: u8,
        /// Two lines of the Write Window, read most recently.
        write_window_rdata: u128,
        /// Process group of WID 0, from Configuration Register.
        pgid0: u8,
        /// Process group of WID 1, from Configuration Register.
        pgid1: u8,
        /// Longest packet in bytes, from Configuration Register.
        mtu: u16 : 13,
        /// A packet begins only when all of its data has been read, from Configuration Register.
        data_awaited: bool,
        /// The SWIF FIFO has less room than one packet needs.
        swif_fifo_almost_full: bool,
        /// The Prefetch Unit is executing a request.
        prefetch_unit_busy: bool,
        /// The most recently taken line of the packet buffer, from Prefetch Unit.
        packet_data: u64,
        /// Lines in the packet buffer.
        packet_lines: u16 : 11,
    }
}

hdl::bundle! {
    /// Output pins of the RVS module.
    pub struct Out in rvs_pkg {
        /// Request, to Prefetch Unit.
        vector_load: VectorLoad,
        /// The Prefetch Unit accepts `vector_load` in this cycle.
        vector_load_start: bool,
        /// Takes a line of the packet buffer, if there is one.
        packet_next: bool,
        /// Reads two lines of the Write Window.
        write_window_read_enable: bool,
        /// Row of 16 bytes: WID, window, row in the window.
        write_window_address: u8,
        /// Line to the SWIF FIFO.
        line: Line,
        /// Writes `line` into the SWIF FIFO.
        line_enable: bool,
        /// Longest packet of the transfer in bytes; 0 while `idle`.
        mtu: u16 : 13,
        /// A primitive of the host is complete; high for one cycle.
        done: bool,
        /// Process whose primitive is complete.
        done_wid: bool,
        /// The primitive is of the IPUSH family.
        ipush: bool,
        /// The module can accept a primitive.
        idle: bool,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the RVS module.
    pub struct Rvs in rvs_pkg {
        /// State of the state machine.
        state: State,
        /// The primitive is a request of a remote node.
        remote: bool,
        /// A primitive of the host without data was accepted.
        empty: bool,
        /// TYPE of the packets.
        otype: u8 : 5,
        /// Receiving process.
        dwid: bool,
        /// Receiving node.
        dclid: u16 : 12,
        /// The last packet requests a status.
        eflag: bool,
        /// The data goes to a Prefetch Window.
        rflag: bool,
        /// The packets carry lflag.
        lflag: bool,
        /// Layout in the remote memory; the list offset advances from packet to packet.
        target: Vector,
        /// Offset in the remote memory; advances from packet to packet.
        dstoff: u32,
        /// DSTOff of the primitive.
        initial_dstoff: u32,
        /// Longest packet in bytes.
        mtu: u16 : 13,
        /// Request to the Prefetch Unit.
        vector_load: VectorLoad,
        /// `vector_load` goes to the Prefetch Unit in this cycle.
        asked: bool,
        /// Bytes of the transfer.
        total: u32,
        /// Next line of the Write Windows to take.
        window: u8,
        /// Lines of the Write Windows still to take.
        window_left: u8 : 7,
        /// A line of data was taken in the cycle before.
        taken: bool,
        /// The most recently taken line is from the Write Window.
        from_window: bool,
        /// The most recently taken line is in the Odd bank.
        odd: bool,
        /// Bytes after this packet.
        remaining: u32,
        /// Bytes in this packet.
        bytes: u16 : 12,
        /// Elements in this packet.
        elements: u8,
        /// Data Counter: lines of this packet still to send.
        data_counter: u16 : 10,
        /// Lines that must be in the packet buffer before the packet begins.
        awaited: u16 : 10,
        /// Last Packet Flag.
        last_packet: bool,
        /// The header has three lines.
        long_header: bool,
        /// Header lines still to send.
        header_left: u8 : 2,
        /// `line` is valid.
        valid: bool,
        /// `line` is the first of its packet.
        first: bool,
        /// First header line, then the line on the output.
        line: u64,
        /// Second header line.
        second: u64,
        /// Third header line.
        third: u64,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/window_controller/rvs_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "ShortHeader",
            width: 12,
            value: SHORT_HEADER as u64,
            doc: "Bytes of a header of two lines.",
        },
        Item::Constant {
            name: "LongHeader",
            width: 12,
            value: LONG_HEADER as u64,
            doc: "Bytes of a header of three lines.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(Vector::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

/// Bytes of data in a packet with a header of `header` bytes. All five MTUs exceed a header.
#[inline]
fn room(mtu: u16, header: u16) -> u16 {
    mtu.wrapping_sub(header) & 0xfff
}

impl Clocked for Rvs {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let id = match q.state {
            Rvs5 if q.data_counter == 1 => LAST,
            _ if q.first => FIRST,
            _ => MIDDLE,
        };
        Out {
            vector_load: q.vector_load,
            vector_load_start: q.asked,
            packet_next: q.asks() && q.window_left == 0,
            write_window_read_enable: q.asks() && q.window_left != 0,
            write_window_address: (q.vector_load.wid as u8) << 7 | q.window >> 1,
            line: Line { data: q.line, id },
            line_enable: q.valid,
            mtu: q.mtu,
            done: q.empty || q.state == RvsEnd && !q.remote,
            done_wid: q.vector_load.wid,
            ipush: q.otype >> 2 == Family::FamilyIpush.code(),
            idle: q.state == Prim,
            state: q.state,
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
        if self.state == State::Prim && !self.empty { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Rvs {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        // First state of a packet's computation.
        let begin = |target: Vector| if target.variant == CONTIGUOUS { Rvs1 } else { Rvss1 };
        let begins = pins.start && !pins.sizes.nothing;
        let ready = q.window_left != 0 || pins.packet_lines != 0;
        let complete = pins.packet_lines >= q.awaited;

        d.asked = false;
        d.empty = false;
        d.taken = q.asks() && ready;

        match q.state {
            // Prim: a primitive without data completes at once. The first packet of a contiguous one is
            // computed immediately.
            Prim => {
                if pins.start {
                    d.vector_load.wid = pins.wid;
                    d.otype = pins.otype;
                    d.empty = pins.sizes.nothing && !pins.remote;
                }
                if begins {
                    d.latch(pins);
                    d.asked = !pins.prefetch_unit_busy && d.vector_load.total != 0;
                    d.state = if pins.prefetch_unit_busy { Wait } else { begin(pins.target) };
                }
            }
            // Wait: no other module uses the Prefetch Unit meanwhile.
            Wait => {
                if !pins.prefetch_unit_busy {
                    d.asked = q.vector_load.total != 0;
                    d.state = begin(q.target);
                }
            }
            // Rvss1: a packet contains whole elements, and therefore a multiple of 8 bytes.
            Rvss1 => {
                let room = room(q.mtu, LONG_HEADER);
                d.last_packet = q.remaining <= u32::from(room);
                d.set_bytes(q.remaining as u16 & 0xfff);
                d.elements = if d.last_packet { q.rest_elements() } else { (room >> q.target.dtype) as u8 };
                d.state = if d.last_packet { Rvs1 } else { Rvss2 };
            }
            // Rvss2: the Data Counter is computed from the elements.
            Rvss2 => {
                d.set_bytes(u16::from(q.elements) << q.target.dtype);
                d.state = Rvs1;
            }
            // Rvs1: the FIFO has room for a whole packet unless it is almost full, so it is not tested again.
            Rvs1 => {
                let pgid = if q.vector_load.wid { pins.pgid1 } else { pins.pgid0 };
                d.line = q.first_line(pgid).bits();
                d.second = SecondLine::writing(q.dstoff, q.initial_dstoff).bits();
                d.first = true;
                d.header_left = if q.long_header { 3 } else { 2 };
                d.awaited = q.awaited(pins.data_awaited);
                if !pins.swif_fifo_almost_full {
                    d.remaining = q.remaining.wrapping_sub(q.bytes.into());
                    d.dstoff = q.dstoff.wrapping_add(q.advance());
                    d.state = if q.long_header { Rvs2 } else { Rvs3 };
                }
            }
            // Rvs2: the offsets of this packet's elements are consecutive in the list.
            Rvs2 => {
                let (total_transfer_size, stride_list) = (q.total, q.target.size_list_stride);
                d.third = ThirdLine { total_transfer_size, stride_list }.bits();
                if complete {
                    if q.target.variant == LIST {
                        d.target.size_list_stride = stride_list.wrapping_add(4 * q.placed());
                    }
                    d.valid = true;
                    d.state = Rvs4;
                }
            }
            // Rvs3: the packet has no third header line.
            Rvs3 => {
                if complete {
                    d.valid = true;
                    d.state = Rvs4;
                }
            }
            // Rvs4: one line per cycle; the first line of data is available and follows immediately.
            Rvs4 => {
                d.line = if q.header_left == 1 { q.data(pins) } else { q.second };
                d.second = q.third;
                d.valid = q.header_left != 1 || q.taken;
                d.first = false;
                d.header_left = q.header_left - 1;
                d.state = if q.header_left == 1 { Rvs5 } else { Rvs4 };
            }
            // Rvs5: sends a line in each cycle in which one was available; the next packet of a contiguous
            // transfer is computed at the end.
            Rvs5 => {
                d.line = q.data(pins);
                d.valid = q.taken;
                if q.valid {
                    d.data_counter = Self::WIDTHS.data_counter.wrap(q.data_counter.wrapping_sub(1));
                    d.dstoff = q.dstoff.wrapping_add(q.advance_by_line());
                }
                if q.valid && q.data_counter == 1 {
                    d.end_packet(q);
                }
            }
            // RvsEnd: back to the reset values.
            RvsEnd => d = Self::default(),
        }

        if d.taken {
            d.take_line(q);
        }
        d
    }

    /// The most recently taken line.
    #[inline]
    fn data(&self, pins: &In) -> u64 {
        match (self.from_window, self.odd) {
            (false, _) => pins.packet_data,
            (true, false) => pins.write_window_rdata as u64,
            (true, true) => (pins.write_window_rdata >> 64) as u64,
        }
    }

    /// Takes a line of data: those of the Write Window come before those of the packet buffer.
    #[inline]
    fn take_line(&mut self, q: &Self) {
        self.from_window = q.window_left != 0;
        self.odd = q.window & 1 == 1;
        if self.from_window {
            self.window = q.window.wrapping_add(1);
            self.window_left = q.window_left - 1;
        }
    }

    /// Lines of this packet that must be in the packet buffer before it begins: all that come from there, or
    /// the first one if the packet begins with it. Lines of the Write Window are always available.
    #[inline]
    fn awaited(&self, all: bool) -> u16 {
        let from_buffer = self.data_counter.saturating_sub(self.window_left.into());
        if all { from_buffer } else { (self.window_left == 0).into() }
    }

    /// Whether a line of data is taken in this cycle if one is available. It is sent two cycles later; the
    /// Data Counter still counts the lines between.
    #[inline]
    fn asks(&self) -> bool {
        let between = match self.state {
            State::Rvs4 if self.header_left != 3 => u16::from(self.taken),
            State::Rvs5 => u16::from(self.taken) + u16::from(self.valid),
            _ => return false,
        };
        self.data_counter > between
    }

    /// Latches a primitive.
    #[inline]
    fn latch(&mut self, pins: &In) {
        let contiguous = pins.target.variant == CONTIGUOUS;
        let (total, window_lines) = (pins.sizes.total(), pins.sizes.window_lines);
        self.remote = pins.remote;
        self.dwid = pins.dwid;
        self.dclid = pins.dclid;
        self.eflag = pins.eflag;
        self.rflag = pins.rflag;
        self.lflag = pins.lflag;
        self.total = total;
        self.window = pins.window;
        self.window_left = window_lines;
        // Without elements, the header fields for them are 0.
        self.target = if contiguous { Vector::default() } else { pins.target };
        self.dstoff = pins.dstoff;
        self.initial_dstoff = pins.dstoff;
        self.mtu = pins.mtu;
        self.vector_load = VectorLoad {
            wid: pins.wid,
            variant: pins.source.variant,
            dtype: pins.source.dtype,
            iteration: pins.source.iteration,
            size_list_stride: pins.source.size_list_stride,
            srcoff: pins.srcoff,
            dstoff: 0,
            to_packet: true,
            total: total.wrapping_sub(8 * u32::from(window_lines)),
            first_half: false,
            wanted: 0,
            reach: 0,
        };
        self.remaining = total;
        self.elements = 0;
        self.long_header = !contiguous || total > u32::from(room(pins.mtu, SHORT_HEADER));
        self.last_packet = !self.long_header;
        self.set_bytes(if self.long_header { room(pins.mtu, LONG_HEADER) } else { total as u16 & 0xfff });
    }

    /// Elements in the rest of the transfer; the last one may be partial.
    #[inline]
    fn rest_elements(&self) -> u8 {
        ((self.remaining + (1 << self.target.dtype) - 1) >> self.target.dtype) as u8
    }

    /// After the last line of a packet: the next packet, or the end of the transfer.
    #[inline]
    fn end_packet(&mut self, q: &Self) {
        self.state = match (q.last_packet, q.target.variant) {
            (true, _) => State::RvsEnd,
            (false, CONTIGUOUS) => {
                self.set_contiguous();
                State::Rvs1
            }
            (false, _) => State::Rvss1,
        };
    }

    /// The next packet of a contiguous transfer that does not fit in one.
    #[inline]
    fn set_contiguous(&mut self) {
        let room = room(self.mtu, LONG_HEADER);
        self.last_packet = self.remaining <= u32::from(room);
        self.set_bytes(if self.last_packet { self.remaining as u16 & 0xfff } else { room });
    }

    /// Sets the bytes of a packet and the Data Counter.
    #[inline]
    fn set_bytes(&mut self, bytes: u16) {
        self.bytes = Self::WIDTHS.bytes.wrap(bytes);
        self.data_counter = self.bytes.div_ceil(8);
    }

    /// First header line of this packet.
    #[inline]
    fn first_line(&self, pgid: u8) -> FirstLine {
        let header = if self.long_header { LONG_HEADER } else { SHORT_HEADER };
        FirstLine {
            packet_size: (self.bytes + header) & 0xfff,
            otype: self.otype,
            pgid,
            dwid: self.dwid,
            swid: self.vector_load.wid,
            dlid: clid_to_lid(self.dclid),
            dtype: self.target.dtype,
            iteration: self.elements,
            rflag: self.rflag,
            eflag: self.eflag && self.last_packet,
            hflag: self.long_header,
            lflag: self.lflag,
        }
    }

    /// Advance of the remote DSTOff by this packet if the data is contiguous there, as in every Prefetch
    /// Window.
    #[inline]
    fn advance(&self) -> u32 {
        if self.target.variant == CONTIGUOUS || self.rflag { self.bytes.into() } else { 0 }
    }

    /// Advance of the remote DSTOff by a line of data: the strides of the elements that end with it. A line
    /// holds two units of 4 bytes; the receiver stores no smaller elements.
    #[inline]
    fn advance_by_line(&self) -> u32 {
        let stride = self.target.size_list_stride & !3;
        let left = self.data_counter.wrapping_sub(1) & 0xf;
        match self.target.dtype {
            _ if self.target.variant != STRIDED || self.rflag => 0,
            0..3 => stride << 1,
            dtype if left & ((1 << (dtype - 3)) - 1) == 0 => stride,
            _ => 0,
        }
    }

    /// List entries that the receiver uses for a packet that is not the last: one for each element, or for
    /// each 4 bytes of smaller elements.
    #[inline]
    fn placed(&self) -> u32 {
        u32::from(self.bytes) >> self.target.dtype.max(2)
    }
}

impl Probe for Rvs {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests;
