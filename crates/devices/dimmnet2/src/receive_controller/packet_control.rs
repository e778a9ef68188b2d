//! Packet control, the main state machine of the Receive Controller (thesis section 4.2, table 7.4).
//!
//! Packet control takes a packet's header from SWIF, decides the destination of its data, starts the unit
//! that stores the data, and sends a receive status or a remote request. The interpretation of a packet does
//! not depend on its sender: hflag and TYPE alone determine the length of the header (decision 0009).
//!
//! | hflag | TYPE | header lines |
//! |---|---|---|
//! | 0 | RVS, IPUSH | 2 |
//! | 1 | RVS family, IPUSH | 3 |
//! | 1 | RVL family | 3 or 4, the last one ends the packet |
//! | 0 | RVSS, RVSI, RVL family | none: condition 2'b10 |
//!
//! Data of the RVS family goes to one of three places. The Write Unit stores it in SO-DIMM, contiguously or
//! in elements. With rflag, the packet writer stores it contiguously in a Prefetch Window; with lflag, in
//! LLCM. The Write Unit stores an IPUSH in the ring that the AMT Address Table names for its sender; the
//! table is read in the cycle that delivers the first line (thesis table 7.5). With lflag, the first packet
//! of a message contains its head, which the head writer puts into the LH Buffer; only data beyond the head
//! goes to the ring. Such a packet waits in `Room` until there is room for both, and then holds VL of its
//! process until the rest is stored, so that the host may request the rest as soon as it sees the head
//! (thesis section 7.2, decision 0021). All other types are read to their end and dropped. Packets of a
//! process group other than the receiver's are dropped without a report.
//!
//! A status describes sender, data and location. OTYPE, DTYPE, Iteration and eflag are those of the packet;
//! SWID and the sender's CLID replace DWID and DCLID; the first address replaces SRCOff; Size is the number
//! of bytes from there to the end of this packet's data. For RVSS and RVSI, Stride or List Address replaces
//! Size, and Iteration counts the elements of the whole transfer. The first address of an IPUSH is the start
//! of its message in the ring. A remote request is the command as the requester would have issued it on this
//! node: its DWID and DCLID are SWID and CLID of the requester, SRCOff and DSTOff come from the second line.
//! Its Size comes from the third line: Total Transfer Size for RVL, Stride or List Address for RVLS and RVLI.
//! SWIF has replaced DLID by the sender's LID (decision 0005).
//!
//! Timing of a packet with one data line, in cycles from the one in which `Idle` sees it: 1 `Request`, 2
//! `Header1`, 3 `Header2`, 4 `Decode`, 5 to 17 `Memory`, where the status is built, 18 `Status`. The status
//! is in LLCM 20 cycles after the packet was seen. IPUSH stays in `Memory` for 4 cycles more.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::head_write::HEAD_BYTES;
use super::pins::{Result, RingRequest, WriteRequest};
use crate::address::lid_to_clid;
use crate::host_interface::pins::{Configuration, UserCode};
use crate::line::{FIRST, Line};
use crate::packet::{FirstLine, SecondLine, ThirdLine};
use crate::primitive::{Family, Primitive, is_rvl, is_rvs};
use crate::registers::ReceiveCondition;
use crate::status::{StatusLower, StatusUpper};

hdl::fsm! {
    /// Main state machine of the Receive Controller.
    pub enum State in packet_control_pkg {
        /// Waits for a packet.
        Idle => [Request: "whole packet in SWIF", Idle: "otherwise"],
        /// Takes the first line from SWIF.
        Request => [Header1],
        /// Examines the first line, takes the second.
        Header1 => [Header2: "1st DW", Drop: "not a 1st DW"],
        /// Examines the second line, takes the third if there is one.
        Header2 => [
            Header3: "hflag = 1",
            Decode: "hflag = 0",
            Drop: "other PGID or type, or malformed",
        ],
        /// Examines the third line, takes the fourth of a remote request.
        Header3 => [
            Header4: "remote request, line follows",
            Decode: "otherwise",
            Drop: "1st DW of another packet",
        ],
        /// Examines the fourth line.
        Header4 => [Decode: "last line", Drop: "not the last line"],
        /// Starts the unit that stores the data.
        Decode => [
            Memory: "data for SO-DIMM",
            Local: "data for Prefetch Window or LLCM",
            Remote: "remote request",
            Room: "head of a message",
        ],
        /// Waits for the Write Unit and builds the status.
        Memory => [
            Status: "stored, eflag = 1",
            Idle: "stored, eflag = 0; or malformed",
            Memory: "Write Unit not done",
        ],
        /// Waits for the packet writer and builds the status.
        Local => [
            Status: "stored, eflag = 1",
            Idle: "stored, eflag = 0; or malformed",
            Local: "packet writer not done",
        ],
        /// Waits for room in the LH Buffer and, if the message has a rest, in the ring.
        Room => [
            Head: "room in LH Buffer and ring",
            Idle: "rest refused by the ring",
            Room: "otherwise",
        ],
        /// Waits for the head writer.
        Head => [
            Memory: "head stored, rest follows",
            Status: "stored, no rest, eflag = 1",
            Idle: "no rest, eflag = 0; or malformed",
            Head: "head writer not done",
        ],
        /// Sends the status.
        Status => [Idle: "Status Write Unit not busy", Status: "Status Write Unit busy"],
        /// Sends the remote request.
        Remote => [Idle: "RC Request FIFO not full", Remote: "RC Request FIFO full"],
        /// Reads the rest of a dropped packet.
        Drop => [Idle: "last line", Drop: "otherwise"],
    }
}

hdl::bundle! {
    /// Result of storing a packet's data, from Write Unit, packet writer or head writer.
    pub struct Stored in packet_control_pkg {
        /// The packet has been stored and read to its end; high for one cycle.
        done: bool,
        /// With `done`: data extended past its area and was cut.
        overrun: bool,
        /// With `done`: the packet has no ring.
        refused: bool,
        /// With `done`: a first line arrived within the packet.
        broken: bool,
        /// With `done`: bytes of data in the packet, at most those announced by Packet Size.
        bytes: u16 : 12,
    }
}

hdl::bundle! {
    /// Input pins of the packet control.
    pub struct In in packet_control_pkg {
        /// The line most recently taken from SWIF.
        line: Line,
        /// SWIF holds at least one whole packet.
        packet_available: bool,
        /// Process group of WID 0.
        pgid0: u8,
        /// Process group of WID 1.
        pgid1: u8,
        /// Configuration values, from the registers; IPUSH Area Size is kept here.
        configuration: Configuration,
        /// Result of the Write Unit.
        write_unit: Stored,
        /// Result of the packet writer.
        packet_write: Stored,
        /// With `write_unit.done` of an IPUSH: first byte of its message, an offset in the region.
        first_address: u32,
        /// Result of the head writer.
        head_write: Stored,
        /// The Write Unit has found room for the rest of a message.
        ring_room: bool,
        /// The LH Buffer has no free entry, bit per WID.
        lh_full: u8 : 2,
        /// A status for this WID cannot be accepted now, bit per WID.
        status_busy: u8 : 2,
        /// The Receive Controller's Request FIFO is full.
        remote_fifo_full: bool,
    }
}

hdl::bundle! {
    /// Output pins of the packet control.
    pub struct Out in packet_control_pkg {
        /// Takes the first line of the next packet from SWIF.
        packet_start: bool,
        /// Takes the next line of the present packet.
        line_next: bool,
        /// Destination of the data, to Write Unit and packet writer; `start` concerns only the Write Unit.
        write_request: WriteRequest,
        /// Ring for the data, to Write Unit.
        ring_request: RingRequest,
        /// Reads the AMT Address Table for the sender on `line`.
        amt_read_enable: bool,
        /// Starts the packet writer; high for one cycle.
        packet_write_start: bool,
        /// The packet writer writes to 0: Prefetch Window, 1: LLCM.
        to_llcm: bool,
        /// The data lies outside the Prefetch Window in which its transfer began.
        outside: bool,
        /// The packet is the last one of its transfer.
        last_packet: bool,
        /// Starts the head writer; low in the cycle after the writer is done.
        head_write_start: bool,
        /// To the head writer: bytes of the message.
        message_size: u32,
        /// To the head writer: bytes of data in the packet, from Packet Size.
        head_bytes: u16 : 12,
        /// The rest of a message is in flight to SO-DIMM, bit per WID.
        vl_hold: u8 : 2,
        /// Status or remote request, to Request Separator.
        result: Result,
        /// A packet was accepted; one cycle.
        packet_received: bool,
        /// Received data extended past its area; one cycle.
        overrun: bool,
        /// Error, a `ReceiveCondition`, nonzero for one cycle.
        condition: u8 : 2,
        /// Process to which `packet_received`, `overrun` and `condition` belong.
        wid: bool,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the packet control.
    pub struct PacketControl in packet_control_pkg {
        /// State of the state machine.
        state: State,
        /// IPUSH Area Size of WID 0.
        area_size0: u16,
        /// IPUSH Area Size of WID 1.
        area_size1: u16,
        /// Packet Size of the first header line: bytes with header.
        packet_size: u16 : 12,
        /// TYPE: primitive code.
        otype: u8 : 5,
        /// Sender's process group.
        pgid: u8,
        /// Receiving process.
        dwid: bool,
        /// Sending process.
        swid: bool,
        /// Sending node's compressed LID.
        sclid: u16 : 12,
        /// DTYPE: elements have 1 << dtype bytes.
        dtype: u8 : 3,
        /// Iteration: number of elements in the packet.
        iteration: u8,
        /// rflag: into a Prefetch Window.
        rflag: bool,
        /// eflag: a status is to be written.
        eflag: bool,
        /// hflag: three or four header lines.
        hflag: bool,
        /// lflag: into LLCM, or LHS.
        lflag: bool,
        /// SRCOff or Initial DSTOff; later the first address for the status.
        srcoff: u32,
        /// DSTOff of the packet.
        dstoff: u32,
        /// Size, Stride or List Address for the status or request.
        size: u32,
        /// Total Transfer Size in bytes.
        total: u32,
        /// Bytes of data announced by Packet Size.
        bytes: u16 : 12,
        /// `bytes` exceeds the head of a message.
        rest: bool,
        /// Bytes after the head.
        rest_bytes: u16 : 12,
        /// An IPUSH that contains the head of its message.
        head: bool,
        /// In `Decode`: starts the Write Unit, for data of the RVS family that goes to SO-DIMM.
        starts: bool,
        /// Bytes of the transfer or message before this packet.
        sent: u32,
        /// Bytes of the transfer up to the end of this packet, as announced by Packet Size.
        reached: u32,
        /// Command Ex of a remote request.
        ex: u64,
        /// The rest of a message is in flight to SO-DIMM.
        hold: bool,
        /// A packet was accepted.
        packet_received: bool,
        /// Received data extended past its area.
        overrun: bool,
        /// Error of the packet, a `ReceiveCondition`.
        condition: u8 : 2,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/receive_controller/packet_control_pkg",
    source: file!(),
    items: &[
        Item::StateMachine(State::TABLE),
        Item::Bundle(Stored::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for PacketControl {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            packet_start: q.state == Request,
            line_next: match q.state {
                Header1 | Drop => true,
                Header2 => q.hflag,
                Header3 => q.remote(),
                _ => false,
            },
            write_request: WriteRequest {
                start: q.starts,
                wid: q.dwid,
                offset: q.dstoff,
                bytes: if q.head { q.rest_bytes } else { q.bytes },
                variant: if q.rvs() { q.otype & 3 } else { 0 },
                dtype: q.dtype,
                iteration: q.iteration,
                stride_list: q.size,
            },
            ring_request: RingRequest {
                start: q.state == Decode && q.ipush() && (!q.head || q.rest),
                head: q.head && q.rest,
                sent: if q.lflag && !q.head { q.sent.wrapping_sub(HEAD_BYTES.into()) } else { q.sent },
                area_size: if q.dwid { q.area_size1 } else { q.area_size0 },
            },
            amt_read_enable: q.state == Header1,
            packet_write_start: q.state == Decode && q.rvs() && q.local_data(),
            to_llcm: q.lflag,
            // Only the single packet of a transfer may have a header of two lines.
            outside: q.hflag && q.dstoff >> 9 != q.srcoff >> 9,
            last_packet: !q.hflag || q.reached >= q.total,
            head_write_start: q.state == Head,
            message_size: if q.hflag { q.total } else { q.bytes.into() },
            head_bytes: q.bytes,
            vl_hold: (q.hold as u8) << q.dwid as u8,
            result: q.result(),
            packet_received: q.packet_received,
            overrun: q.overrun,
            condition: q.condition,
            wid: q.dwid,
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

    #[inline(always)]
    fn waits(&self) -> bool {
        let pulses = self.packet_received || self.overrun || self.condition != 0 || self.starts;
        matches!(self.state, State::Idle | State::Memory | State::Local | State::Head) && !pulses
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        let pulses = self.packet_received || self.overrun || self.condition != 0;
        if self.state == State::Idle && !pulses { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl PacketControl {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let (q, mut d) = (self, *self);

        let pgid = if q.dwid { pins.pgid1 } else { pins.pgid0 };
        let begins_packet = pins.line.id == FIRST;
        let last = pins.line.is_last();
        let lh_full = pins.lh_full >> q.dwid as u8 & 1 == 1;
        let status_busy = pins.status_busy >> q.dwid as u8 & 1 == 1;

        d.end_pulses();

        match q.state {
            // Idle: pulses of the last packet may still be active.
            Idle => {
                if pins.packet_available {
                    d.state = Request;
                }
            }
            // Request: the first line arrives in the next cycle.
            Request => d.state = Header1,
            // Header1: a packet that does not begin with a first line has no header.
            Header1 => {
                d.latch(FirstLine::from_bits(pins.line.data));
                d.state = Header2;
                if !begins_packet {
                    d.give_up(ReceiveCondition::ReceiveHeaderMismatch);
                }
            }
            // Header2: packets of other groups, and types without a destination, are dropped without a
            // report. Sizes derived from Packet Size and the offsets are computed before any unit is started,
            // and a register starts the Write Unit (decision 0052).
            Header2 => {
                d.latch_offsets(q, SecondLine::from_bits(pins.line.data));
                if q.pgid != pgid || !(q.remote() || q.rvs() || q.ipush()) {
                    d.state = Drop;
                } else if begins_packet {
                    d.give_up(ReceiveCondition::ReceiveOverlap);
                } else if if q.hflag { last } else { q.remote() || q.elements() } {
                    d.give_up(ReceiveCondition::ReceiveHeaderMismatch);
                } else {
                    d.starts = !q.hflag && q.rvs() && !q.local_data();
                    d.state = if q.hflag { Header3 } else { Decode };
                }
            }
            // Header3: a remote request may end here. The extent of the data is computed before it is
            // compared with the total.
            Header3 => {
                d.latch_total(q, ThirdLine::from_bits(pins.line.data));
                if begins_packet {
                    d.give_up(ReceiveCondition::ReceiveOverlap);
                } else {
                    d.starts = q.rvs() && !q.local_data();
                    d.state = if q.remote() && !last { Header4 } else { Decode };
                }
            }
            // Header4: no line may follow.
            Header4 => {
                d.ex = pins.line.data;
                if begins_packet {
                    d.give_up(ReceiveCondition::ReceiveOverlap);
                } else if !last {
                    d.give_up(ReceiveCondition::ReceiveMalformedRvl);
                } else {
                    d.state = Decode;
                }
            }
            // Decode: the unit that stores the data starts in this cycle.
            Decode => {
                d.sent = q.sent();
                d.state = q.destination();
            }
            // Memory: waits until the Write Unit has written the data to SO-DIMM.
            Memory => {}
            // Local: waits until the data is in the Prefetch Window or LLCM.
            Local => {}
            // Room: waits for a free entry of the LH Buffer and, for a rest, for room in the ring. A rest
            // without a ring is refused.
            Room => {
                if !lh_full && (pins.ring_room || !q.rest) {
                    d.hold = q.rest;
                    d.state = Head;
                }
            }
            // Head: waits until the entry is written; the Write Unit continues with the rest in the same
            // cycle.
            Head => {
                if pins.head_write.done {
                    d.state = Memory;
                }
            }
            // Status: waits until the status is accepted, because none may be lost.
            Status => {
                if !status_busy {
                    d.state = Idle;
                }
            }
            // Remote: the packet is counted when the Window Controller has accepted the request.
            Remote => {
                if !pins.remote_fifo_full {
                    d.packet_received = true;
                    d.state = Idle;
                }
            }
            // Drop: reads to the end of the packet.
            Drop => {
                if last {
                    d.state = Idle;
                }
            }
        }

        // Memory, Local, Room and Head: the packet is stored; reports the result and builds the status.
        let stored = q.stored(pins);
        if q.finishes(stored) {
            d.finish(q, stored, pins);
        }
        d.configure(pins.configuration);
        d
    }

    /// Whether the packet is a request of a remote node.
    #[inline]
    fn remote(&self) -> bool {
        is_rvl(self.otype)
    }

    /// Whether the packet is of the RVS family.
    #[inline]
    fn rvs(&self) -> bool {
        is_rvs(self.otype)
    }

    /// Whether the packet is an RVSS or RVSI, whose data is in elements.
    #[inline]
    fn elements(&self) -> bool {
        self.rvs() && self.otype & 3 != 0
    }

    /// Whether the packet is an IPUSH; lflag says whether its message has a head.
    #[inline]
    fn ipush(&self) -> bool {
        self.otype >> 2 == Family::FamilyIpush.code() && self.otype & 3 != 3
    }

    /// Whether the data of an RVS goes to an on-chip memory.
    #[inline]
    fn local_data(&self) -> bool {
        self.rflag || self.lflag
    }

    /// Bytes of a contiguous transfer or message before this packet.
    #[inline]
    fn sent(&self) -> u32 {
        self.dstoff.wrapping_sub(self.srcoff)
    }

    /// Lowers the outputs that are high for one cycle.
    #[inline]
    fn end_pulses(&mut self) {
        self.packet_received = false;
        self.overrun = false;
        self.condition = 0;
        self.starts = false;
    }

    /// Latches the fields of the first line.
    #[inline]
    fn latch(&mut self, first: FirstLine) {
        self.packet_size = first.packet_size;
        self.otype = first.otype;
        self.pgid = first.pgid;
        self.dwid = first.dwid;
        self.swid = first.swid;
        self.sclid = lid_to_clid(first.dlid);
        self.dtype = first.dtype;
        self.iteration = first.iteration;
        self.rflag = first.rflag;
        self.eflag = first.eflag;
        self.hflag = first.hflag;
        self.lflag = first.lflag;
        self.ex = 0;
    }

    /// Latches the second line, and the sizes derived from Packet Size.
    #[inline]
    fn latch_offsets(&mut self, q: &Self, second: SecondLine) {
        self.srcoff = second.srcoff;
        self.dstoff = second.dstoff;
        self.bytes = q.packet_size.saturating_sub(if q.hflag { 24 } else { 16 });
        self.rest = self.bytes > HEAD_BYTES.into();
        self.rest_bytes = self.bytes.saturating_sub(HEAD_BYTES.into());
        self.head = q.ipush() && q.lflag && second.dstoff == second.srcoff;
    }

    /// Latches the third line, and the end of the data in the transfer.
    #[inline]
    fn latch_total(&mut self, q: &Self, third: ThirdLine) {
        let contiguous = q.otype == Primitive::Rvl.code();
        self.reached = q.sent().wrapping_add(q.bytes.into());
        self.total = third.total_transfer_size;
        self.size = if contiguous { third.total_transfer_size } else { third.stride_list };
    }

    /// State of the unit that stores the data.
    #[inline]
    fn destination(&self) -> State {
        if self.remote() {
            State::Remote
        } else if self.rvs() && self.local_data() {
            State::Local
        } else if self.head {
            State::Room
        } else {
            State::Memory
        }
    }

    /// Reports a condition and drops the rest of the packet.
    #[inline]
    fn give_up(&mut self, condition: ReceiveCondition) {
        self.condition = condition.code();
        self.state = State::Drop;
    }

    /// Status or remote request, to the Request Separator.
    #[inline(always)]
    fn result(&self) -> Result {
        let q = self;
        let lower = StatusLower {
            otype: q.otype,
            dtype: q.dtype,
            iteration: q.iteration,
            swid: q.swid,
            sclid: q.sclid,
            eflag: q.eflag,
            size_list_stride: q.size,
        };
        let upper = StatusUpper { first_address: q.srcoff }.bits();
        let dstoff = if q.state == State::Remote { u64::from(q.dstoff) } else { 0 };
        Result {
            request: crate::request::Request {
                lower: lower.bits(),
                upper: dstoff << 32 | upper,
                to_prefetch_window: q.rflag,
                wid: q.dwid,
            },
            ex: q.ex,
            enable: matches!(q.state, State::Status | State::Remote),
        }
    }

    /// Result of the unit that stores the data.
    #[inline]
    fn stored(&self, pins: &In) -> Stored {
        match self.state {
            State::Local => pins.packet_write,
            State::Head => pins.head_write,
            _ => pins.write_unit,
        }
    }

    /// Whether the packet ends in this cycle. An IPUSH with a rest continues after its head is stored; one that
    /// waits for room ends if there is no ring.
    #[inline]
    fn finishes(&self, stored: Stored) -> bool {
        stored.done
            && match self.state {
                State::Memory | State::Local => true,
                State::Room => self.rest,
                State::Head => !self.rest || stored.broken,
                _ => false,
            }
    }

    /// Reports the result and builds the status; `self` is the next state.
    #[inline]
    fn finish(&mut self, q: &Self, stored: Stored, pins: &In) {
        let whole = !stored.broken && !stored.refused && q.state != State::Room;
        let head_bytes = if q.state == State::Memory && q.head { pins.head_write.bytes } else { 0 };
        let stored_bytes = stored.bytes + head_bytes;

        self.packet_received = whole;
        self.overrun = stored.overrun;
        self.condition = if stored.broken { ReceiveCondition::ReceiveOverlap.code() } else { 0 };
        if q.elements() {
            self.iteration = (q.total >> q.dtype) as u8;
        } else {
            self.size = q.sent.wrapping_add(stored_bytes.into());
        }
        self.hold = false;
        if q.ipush() {
            self.srcoff = if q.state == State::Head { 0 } else { pins.first_address };
        }
        self.state = if q.eflag && whole { State::Status } else { State::Idle };
    }

    /// A new size applies from the next packet on.
    #[inline]
    fn configure(&mut self, configuration: Configuration) {
        if configuration.user_code == UserCode::UserIpushAreaSize.code() {
            match configuration.wid {
                false => self.area_size0 = configuration.value,
                true => self.area_size1 = configuration.value,
            }
        }
    }
}

impl Probe for PacketControl {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
