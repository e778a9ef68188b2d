//! Packet control, the main machine of the Receive Controller (thesis section 4.2, table 7.4).
//!
//! It takes a packet's header from SWIF, decides where its data goes, starts whoever stores it, and hands over a
//! receive status or a remote request. It never interprets a packet by assumptions on its sender: hflag and TYPE
//! alone tell how long the header is (decision 0009).
//!
//! | hflag | TYPE | header lines |
//! |---|---|---|
//! | 0 | RVS, IPUSH | 2 |
//! | 1 | RVS family, IPUSH | 3 |
//! | 1 | RVL family | 3 or 4, the last one ends the packet |
//! | 0 | RVSS, RVSI, RVL family | none: condition 2'b10 |
//!
//! The RVS family is stored in SO-DIMM by the Write Unit, contiguous or in elements, and contiguously with rflag in a
//! Prefetch Window and with lflag in LLCM by the packet writer. IPUSH is stored by the Write Unit in the ring that its
//! sender has in the AMT Address Table, which is read in the cycle that brings the first line (thesis table 7.5). With
//! lflag, the first packet of a message brings its head, which the head writer puts into the LH Buffer; only what is
//! longer goes to the ring. It waits in `Room` until there is room for both, then holds VL of its process until the rest
//! is stored, so that the host may ask for the rest as soon as it sees the head (thesis section 7.2, decision 0021). All
//! other types are read to their end and dropped. So are, in silence, packets of a process group other than the
//! receiver's.
//!
//! A status says who sent what: OTYPE, DTYPE, Iteration and eflag of the packet, SWID and the sender's CLID in
//! the places of DWID and DCLID, the first address in the place of SRCOff, and as Size the bytes from there to
//! the end of this packet's data. For RVSS and RVSI, Stride or List Address is in the place of Size, and Iteration
//! counts the elements of the whole transfer. The first address of an IPUSH is where its message begins in the ring.
//! A remote request is the command that the requester would have given here: SWID and the requester's CLID are its DWID
//! and DCLID, SRCOff and DSTOff come from the second line, and Size is the Total Transfer Size of the third for RVL, its
//! Stride or List Address for RVLS and RVLI. SWIF puts the sender's LID where DLID was (decision 0005).
//!
//! A packet with one data line, from the cycle in which `Idle` sees it: 1 `Request`, 2 `Header1`, 3 `Header2`,
//! 4 `Decode`, in `Memory` from 5 to 17 where the status is built, 18 `Status`; the status is in LLCM 20 cycles
//! after the packet was seen. IPUSH is in `Memory` for 4 cycles more.

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use super::head_write::HEAD_BYTES;
use super::pins::{Result, RingRequest, WriteRequest};
use crate::address::lid_to_clid;
use crate::host_interface::pins::{Configuration, UserCode};
use crate::line::{FIRST, Line};
use crate::packet::{FirstLine, SecondLine, ThirdLine};
use crate::primitive::{Family, Primitive, is_rvl, is_rvs};
use crate::registers::ReceiveCondition;
use crate::status::{StatusLower, StatusUpper};

hdl::machine! {
    /// Main machine of the Receive Controller.
    pub enum State in packet_control_pkg {
        /// Waits for a packet.
        Idle => [Request],
        /// Takes the first line from SWIF.
        Request => [Header1],
        /// Looks at the first line, takes the second.
        Header1 => [Header2, Drop],
        /// Looks at the second line, takes the third if there is one.
        Header2 => [Header3, Decode, Drop],
        /// Looks at the third line, takes the fourth of a remote request.
        Header3 => [Header4, Decode, Drop],
        /// Looks at the fourth line.
        Header4 => [Decode, Drop],
        /// Starts whoever stores the data.
        Decode => [Memory, Local, Remote, Room],
        /// Waits for the Write Unit and builds the status.
        Memory => [Status, Idle],
        /// Waits for the packet writer and builds the status.
        Local => [Status, Idle],
        /// Waits for room in the LH Buffer and, if the message has a rest, in the ring.
        Room => [Head, Idle],
        /// Waits for the head writer.
        Head => [Memory, Status, Idle],
        /// Hands the status over.
        Status => [Idle],
        /// Hands a remote request over.
        Remote => [Idle],
        /// Reads the rest of a packet that nobody wants.
        Drop => [Idle],
    }
}

hdl::bundle! {
    /// How a packet's data was stored, from Write Unit or packet writer.
    pub struct Stored in packet_control_pkg {
        /// The packet is stored and read to its end; high for one cycle.
        done: bool,
        /// With `done`: data ran past its area and was cut.
        overrun: bool,
        /// With `done`: the packet found no ring.
        refused: bool,
        /// With `done`: a first line came inside the packet.
        broken: bool,
        /// With `done`: bytes of data that the packet held, at most what Packet Size says.
        bytes: u16 : 12,
    }
}

hdl::bundle! {
    /// Input pins of the packet control.
    pub struct In in packet_control_pkg {
        /// The line taken from SWIF last.
        line: Line,
        /// SWIF holds at least one whole packet.
        packet_available: bool,
        /// Process group of WID 0.
        pgid0: u8,
        /// Process group of WID 1.
        pgid1: u8,
        /// Configuration values, from the registers.
        configuration: Configuration,
        /// From Write Unit.
        write_unit: Stored,
        /// From packet writer.
        packet_write: Stored,
        /// With an IPUSH that the Write Unit has stored: first byte of its message.
        first_address: u32,
        /// From head writer.
        head_write: Stored,
        /// The Write Unit has found room for the rest of a message.
        ring_room: bool,
        /// The LH Buffer has no room for an entry, bit per WID.
        lh_full: u8 : 2,
        /// A status for this WID cannot be taken now, bit per WID.
        status_busy: u8 : 2,
        /// The Receive Controller's Request FIFO cannot take a request.
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
        /// To Write Unit; to the packet writer but for `start`.
        write_request: WriteRequest,
        /// To Write Unit.
        ring_request: RingRequest,
        /// Reads the AMT Address Table.
        amt_read_enable: bool,
        /// Starts the packet writer; high for one cycle.
        packet_write_start: bool,
        /// The packet writer writes to 0: Prefetch Window, 1: LLCM.
        to_llcm: bool,
        /// The data lies beyond the Prefetch Window in which its transfer began.
        outside: bool,
        /// The packet ends its transfer.
        last_packet: bool,
        /// Starts the head writer; low again in the cycle after it is done.
        head_write_start: bool,
        /// To the head writer: bytes of the message.
        message_size: u32,
        /// To the head writer: bytes of data in the packet, from Packet Size.
        head_bytes: u16 : 12,
        /// The rest of a message is on its way to SO-DIMM, bit per WID.
        vl_hold: u8 : 2,
        /// To Request Separator.
        result: Result,
        /// A packet was accepted; one cycle.
        packet_received: bool,
        /// Received data ran past its area; one cycle.
        overrun: bool,
        /// Condition, nonzero for one cycle.
        condition: u8 : 2,
        /// Process that the three pulses above belong to.
        wid: bool,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the packet control.
    pub struct PacketControl in packet_control_pkg {
        /// State.
        state: State,
        /// IPUSH Area Size of WID 0.
        area_size0: u16,
        /// IPUSH Area Size of WID 1.
        area_size1: u16,
        /// Packet Size.
        packet_size: u16 : 12,
        /// TYPE.
        otype: u8 : 5,
        /// Sender's process group.
        pgid: u8,
        /// Receiving process.
        dwid: bool,
        /// Sending process.
        swid: bool,
        /// Sending node.
        sclid: u16 : 12,
        /// DTYPE.
        dtype: u8 : 3,
        /// Iteration.
        iteration: u8,
        /// rflag.
        rflag: bool,
        /// eflag.
        eflag: bool,
        /// hflag.
        hflag: bool,
        /// lflag.
        lflag: bool,
        /// SRCOff or Initial DSTOff.
        srcoff: u32,
        /// DSTOff.
        dstoff: u32,
        /// Size, Stride or List Address of the result.
        size: u32,
        /// Total Transfer Size.
        total: u32,
        /// Bytes of data that Packet Size announces.
        bytes: u16 : 12,
        /// They are more than the head of a message.
        rest: bool,
        /// Bytes behind the head.
        rest_bytes: u16 : 12,
        /// An IPUSH that brings the head of its message.
        head: bool,
        /// In `Decode`: the data goes to SO-DIMM.
        starts: bool,
        /// Bytes of the transfer or message before this packet.
        sent: u32,
        /// Bytes of the transfer up to the end of this packet, as Packet Size announces it.
        reached: u32,
        /// Command Ex of a remote request.
        ex: u64,
        /// The rest of a message is on its way to SO-DIMM.
        hold: bool,
        /// A packet was accepted.
        packet_received: bool,
        /// Received data ran past its area.
        overrun: bool,
        /// Condition.
        condition: u8 : 2,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/receive_controller/packet_control_pkg",
    source: "crates/dimmnet2/src/receive_controller/packet_control.rs",
    items: &[
        Item::Machine(State::TABLE),
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
        let dstoff = if q.state == Remote { u64::from(q.dstoff) } else { 0 };
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
            // A header of two lines belongs to the only packet of a transfer.
            outside: q.hflag && q.dstoff >> 9 != q.srcoff >> 9,
            last_packet: !q.hflag || q.reached >= q.total,
            head_write_start: q.state == Head,
            message_size: if q.hflag { q.total } else { q.bytes.into() },
            head_bytes: q.bytes,
            vl_hold: (q.hold as u8) << q.dwid as u8,
            result: Result {
                request: crate::request::Request {
                    lower: lower.bits(),
                    upper: dstoff << 32 | upper,
                    to_prefetch_window: q.rflag,
                    wid: q.dwid,
                },
                ex: q.ex,
                enable: matches!(q.state, Status | Remote),
            },
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
        let q = self;
        let mut d = *q;

        let pgid = if q.dwid { pins.pgid1 } else { pins.pgid0 };
        let begins_packet = pins.line.id == FIRST;
        let last = pins.line.is_last();
        let lh_full = pins.lh_full >> q.dwid as u8 & 1 == 1;
        let status_busy = pins.status_busy >> q.dwid as u8 & 1 == 1;

        d.packet_received = false;
        d.overrun = false;
        d.condition = 0;
        d.starts = false;

        match q.state {
            // Idle: the results of the last packet may still be pulsing.
            Idle => {
                if pins.packet_available {
                    d.state = Request;
                }
            }
            // Request: the first line comes with the next cycle.
            Request => d.state = Header1,
            // Header1: a packet that does not begin with a first line has no header.
            Header1 => {
                d.latch(FirstLine::from_bits(pins.line.data));
                d.state = Header2;
                if !begins_packet {
                    d.give_up(ReceiveCondition::ReceiveHeaderMismatch);
                }
            }
            // Header2: packets of other groups and types without a place are dropped in silence. What Packet Size and the offsets come to is known
            // before anybody is started, and a register starts who stores in SO-DIMM (decision 0052).
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
            // Header3: a remote request may end here. How far the data reaches is known before it is compared with the whole.
            Header3 => {
                d.latch_total(q, ThirdLine::from_bits(pins.line.data));
                if begins_packet {
                    d.give_up(ReceiveCondition::ReceiveOverlap);
                } else {
                    d.starts = q.rvs() && !q.local_data();
                    d.state = if q.remote() && !last { Header4 } else { Decode };
                }
            }
            // Header4: nothing may follow.
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
            // Decode: starts whoever stores the packet, in this cycle.
            Decode => {
                d.sent = q.sent();
                d.state = q.destination();
            }
            // Memory: waits until the Write Unit has written the data to SO-DIMM.
            Memory => {}
            // Local: waits until the data is in the Prefetch Window or LLCM.
            Local => {}
            // Room: waits for a free entry of the LH Buffer and, for a rest, room in the ring. A rest without a ring is refused.
            Room => {
                if !lh_full && (pins.ring_room || !q.rest) {
                    d.hold = q.rest;
                    d.state = Head;
                }
            }
            // Head: waits until the entry is written; the Write Unit goes on with a rest in the same cycle.
            Head => {
                if pins.head_write.done {
                    d.state = Memory;
                }
            }
            // Status: no status may be lost, so this waits until the host has read others.
            Status => {
                if !status_busy {
                    d.state = Idle;
                }
            }
            // Remote: the packet counts when the Window Controller has the request.
            Remote => {
                if !pins.remote_fifo_full {
                    d.packet_received = true;
                    d.state = Idle;
                }
            }
            // Drop: to the end of the packet.
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

    /// A request of a remote node.
    #[inline]
    fn remote(&self) -> bool {
        is_rvl(self.otype)
    }

    /// Of the RVS family.
    #[inline]
    fn rvs(&self) -> bool {
        is_rvs(self.otype)
    }

    /// An RVS whose data is in elements.
    #[inline]
    fn elements(&self) -> bool {
        self.rvs() && self.otype & 3 != 0
    }

    /// An IPUSH of whatever kind: lflag tells whether its message has a head.
    #[inline]
    fn ipush(&self) -> bool {
        self.otype >> 2 == Family::FamilyIpush.code() && self.otype & 3 != 3
    }

    /// The data of an RVS goes to an on-chip memory.
    #[inline]
    fn local_data(&self) -> bool {
        self.rflag || self.lflag
    }

    /// Bytes of a contiguous transfer or a message before this packet.
    #[inline]
    fn sent(&self) -> u32 {
        self.dstoff.wrapping_sub(self.srcoff)
    }

    /// Takes the first line apart.
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
