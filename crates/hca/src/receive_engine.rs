//! Receive engine: finds the queue pair of a packet, takes a receive WQE and puts the data there (IBA volume 1, sections 9.7.4, 9.8.3,
//! 10.7.3). An answer goes to the requester of its connection.
//!
//! What an RDMA WRITE has goes where it says, and what an RDMA READ asks for is left to the send engine; both if the r_key allows it. The data
//! of an RDMA READ of ours go where its WQE says, which is read again for each packet.
//!
//! Data of a datagram lie 40 bytes behind the beginning of the buffer, where a global route header would be. A packet that is not for a
//! queue pair of ours is dropped and counted, and takes no WQE; a WQE whose buffer or key does not allow the packet ends with an error.

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use crate::completion::Entry;
use crate::contexts::{Attributes, Key, Reader, Requester, Responder};
use crate::host_dma::Transfer;
use crate::key_check;
use crate::layout::{
    GRH_BYTES, PacketKind, RECEIVE_WQE_BYTES, RECEIVED, SEND_WQE_BYTES, SEND_WQE_USED, Status, WRITTEN,
    mtu_bytes,
};
use crate::protocol::{requester, responder};
use crate::registers::ReceiveCounts;
use crate::send_engine::WQE_WORD;

hdl::machine! {
    /// Receive engine.
    pub enum State in receive_engine_pkg {
        /// Waits for a packet.
        Idle => [Head],
        /// Reads its headers.
        Head => [Sort],
        /// Is it of a known form, and for this port?
        Sort => [Load, Release],
        /// Reads the rows of the queue pair and the doorbell.
        Load => [Look],
        /// Does the queue pair take it?
        Look => [Answer, Judge, Fetch, Store, Release],
        /// What does an answer change?
        Answer => [Fetch, Complete, Store],
        /// Is a packet of a connection the next one?
        Judge => [Fetch, Key, Store],
        /// Gets the WQE: a receive WQE, or that of the RDMA READ whose data come.
        Fetch => [Key],
        /// Reads the row of its key.
        Key => [Check],
        /// Is there room for it?
        Check => [Copy, Complete, Store],
        /// Writes the data.
        Copy => [Complete, Store],
        /// Has a CQE written.
        Complete => [Store],
        /// Writes the row of the responder or of the requester.
        Store => [Release],
        /// Gives the slot back, and reports the end.
        Release => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the receive engine.
    pub struct In in receive_engine_pkg {
        /// A packet may be received; looked at in `Idle` only.
        start: bool,
        /// Its slot.
        slot: bool,
        /// LID of the port.
        lid: u16,
        /// Word of the receiver's memory that was read last.
        memory_rdata: u64,
        /// Rows of the queue pair.
        attributes: Attributes,
        /// How far its receive queue is.
        responder: Responder,
        /// Its RDMA READ.
        reader: Reader,
        /// How far its send queue is.
        requester: Requester,
        /// Its doorbell.
        bell: u16,
        /// Time in ticks.
        now: u32,
        /// Row of the key.
        key: Key,
        /// Host DMA has got a word.
        word_valid: bool,
        /// The word.
        word: u64,
        /// Its place in the WQE.
        place: u8 : 3,
        /// Host DMA is done.
        copied: bool,
        /// The CQE is written.
        completed: bool,
    }
}

hdl::bundle! {
    /// Output pins of the receive engine.
    pub struct Out in receive_engine_pkg {
        /// Reads a word of the receiver's memory.
        memory_read: bool,
        /// Which one.
        memory_address: u16 : 10,
        /// Reads the rows of the queue pair.
        load: bool,
        /// Which one.
        pair: u8 : 4,
        /// Reads the row of the key.
        key_load: bool,
        /// Which one.
        key: u8 : 4,
        /// Writes the row of the responder.
        store: bool,
        /// The row.
        responder: Responder,
        /// The row of its RDMA READ.
        reader: Reader,
        /// Writes the row of the requester.
        acknowledge: bool,
        /// The row.
        requester: Requester,
        /// The send queue of the queue pair gets something to do; high for one cycle.
        post: bool,
        /// To host DMA.
        transfer: Transfer,
        /// Starts it.
        copy: bool,
        /// Has a CQE written.
        complete: bool,
        /// The CQE.
        entry: Entry,
        /// The queue pair fails; high for one cycle.
        fail: bool,
        /// Over: the slot is free; high for one cycle.
        done: bool,
        /// Counters.
        counts: ReceiveCounts,
    }
}

hdl::bundle! {
    /// Registers of the receive engine.
    pub struct ReceiveEngine in receive_engine_pkg {
        /// State.
        state: State,
        /// The slot.
        slot: bool,
        /// LID of the port.
        lid: u16,
        /// Word of the headers that is read; the one before comes.
        index: u8 : 3,
        /// What follows the LRH, 2 for a BTH; 0 for anything but version 0.
        next_header: u8 : 2,
        /// LID that it is for.
        destination_lid: u16,
        /// Units of 4 bytes, ICRC included.
        units: u16 : 11,
        /// LID that it is from.
        source_lid: u16,
        /// Kind of packet.
        kind: u8,
        /// Bytes that fill up the last unit of the data.
        pad: u8 : 2,
        /// Version of the transport header.
        version: u8 : 4,
        /// QPN that it is for.
        destination: u32 : 24,
        /// Q_Key; what follows the BTH of a connection.
        q_key: u32,
        /// QPN that it is from.
        source: u32 : 24,
        /// Immediate data.
        immediate: u32,
        /// Bytes of data.
        bytes: u16 : 12,
        /// Row of the responder.
        responder: Responder,
        /// Row of its RDMA READ.
        reader: Reader,
        /// Row of the requester.
        requester: Requester,
        /// The packet is an answer.
        answer: bool,
        /// A CQE is to be written.
        tells: bool,
        /// The queue pair is connected.
        connected: bool,
        /// There is a receive WQE.
        ready: bool,
        /// PSN.
        psn: u32 : 24,
        /// It asks for an answer.
        asks: bool,
        /// Bytes of the message, with what is in front of them.
        total: u32,
        /// CQ of the receive queue.
        ring: u8 : 2,
        /// The doorbell is beyond the ring.
        fail: bool,
        /// Where the WQE lies.
        wqe: u32,
        /// Address of the buffer; where an RDMA WRITE goes, or an RDMA READ is from.
        address: u32,
        /// Its length; bytes of these that are still to come.
        length: u32,
        /// Its key.
        l_key: u32,
        /// How it ended.
        status: u8,
        /// Counters.
        counts: ReceiveCounts,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "hca/receive_engine_pkg",
    source: "crates/hca/src/receive_engine.rs",
    items: &[Item::Machine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for ReceiveEngine {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let fetch = q.state == Fetch;
        let good = q.status == Status::Success.code();
        Out {
            memory_read: q.state == Head,
            memory_address: u16::from(q.slot) << 9 | u16::from(q.index),
            load: q.state == Load,
            pair: q.destination as u8 & 0xf,
            key_load: q.state == Key,
            key: q.l_key as u8 & 0xf,
            store: q.state == Store && !q.answer,
            responder: q.responder,
            reader: q.reader,
            acknowledge: q.state == Store && q.answer,
            requester: q.requester,
            post: q.state == Store && q.connected,
            transfer: Transfer {
                address: if fetch { q.wqe } else { q.address },
                offset: if fetch { WQE_WORD << 3 } else { u16::from(q.slot) << 12 | (4 * q.header_units()) },
                bytes: match (fetch, q.answer) {
                    (true, true) => SEND_WQE_USED,
                    (true, false) => RECEIVE_WQE_BYTES,
                    (false, _) => q.bytes,
                },
                to_host: !fetch,
            },
            copy: matches!(q.state, Fetch | Copy),
            complete: q.state == Complete,
            entry: Entry {
                ring: q.ring,
                index: if q.answer { q.requester.consumed } else { q.responder.consumed }.wrapping_sub(1),
                pair: q.destination as u8 & 0xf,
                operation: if q.answer {
                    q.requester.operation
                } else {
                    RECEIVED | if q.is_write() { WRITTEN } else { 0 } | u8::from(q.has_immediate())
                },
                status: q.status,
                source: if q.connected { 0 } else { q.source },
                source_lid: q.source_lid,
                bytes: if good && (!q.answer || q.is_response()) { q.total } else { 0 },
                immediate: if !q.has_immediate() {
                    0
                } else if q.connected && !q.has_remote() {
                    q.q_key
                } else {
                    q.immediate
                },
            },
            fail: q.state == Store && q.fail,
            done: q.state == Release,
            counts: q.counts,
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
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl ReceiveEngine {
    /// It is one of an RDMA WRITE.
    #[inline(always)]
    fn is_write(&self) -> bool {
        self.kind >= PacketKind::WriteFirst.code() && self.kind <= PacketKind::WriteOnlyImmediate.code()
    }

    /// It asks for an RDMA READ.
    #[inline(always)]
    fn is_read(&self) -> bool {
        self.kind == PacketKind::ReadRequest.code()
    }

    /// It has data of an RDMA READ.
    #[inline(always)]
    fn is_response(&self) -> bool {
        self.kind >= PacketKind::ReadFirst.code() && self.kind <= PacketKind::ReadOnly.code()
    }

    /// It is the first packet of its message.
    #[inline(always)]
    fn is_first(&self) -> bool {
        ![
            PacketKind::SendMiddle,
            PacketKind::SendLast,
            PacketKind::SendLastImmediate,
            PacketKind::WriteMiddle,
            PacketKind::WriteLast,
            PacketKind::WriteLastImmediate,
        ]
        .map(PacketKind::code)
        .contains(&self.kind)
    }

    /// It is the last one.
    #[inline(always)]
    fn is_last(&self) -> bool {
        ![
            PacketKind::SendFirst,
            PacketKind::SendMiddle,
            PacketKind::WriteFirst,
            PacketKind::WriteMiddle,
            PacketKind::ReadFirst,
            PacketKind::ReadMiddle,
        ]
        .map(PacketKind::code)
        .contains(&self.kind)
    }

    /// There is a RETH: in what begins an RDMA WRITE or READ.
    #[inline(always)]
    fn has_remote(&self) -> bool {
        self.is_read() || self.is_write() && self.is_first()
    }

    /// There is immediate data behind the headers.
    #[inline(always)]
    fn has_immediate(&self) -> bool {
        self.kind == PacketKind::DatagramSendImmediate.code()
            || self.kind == PacketKind::SendLastImmediate.code()
            || self.kind == PacketKind::SendOnlyImmediate.code()
            || self.kind == PacketKind::WriteLastImmediate.code()
            || self.kind == PacketKind::WriteOnlyImmediate.code()
    }

    /// It acknowledges something, and has no data.
    #[inline(always)]
    fn is_acknowledge(&self) -> bool {
        self.kind == PacketKind::Acknowledge.code()
    }

    /// It is an answer.
    #[inline(always)]
    fn is_answer(&self) -> bool {
        self.is_acknowledge() || self.is_response()
    }

    /// It is of a connection.
    #[inline(always)]
    fn is_connected(&self) -> bool {
        self.kind <= PacketKind::Acknowledge.code()
    }

    /// There is an AETH: in answers, but not between the data of an RDMA READ.
    #[inline(always)]
    fn has_answer(&self) -> bool {
        self.is_answer() && self.kind != PacketKind::ReadMiddle.code()
    }

    /// Units of 4 bytes in front of the data: LRH, BTH; then an AETH, or a DETH of a datagram, or a RETH; and immediate data.
    #[inline(always)]
    fn header_units(&self) -> u16 {
        5 + u16::from(self.has_answer())
            + 2 * u16::from(!self.is_connected())
            + 4 * u16::from(self.has_remote())
            + u16::from(self.has_immediate())
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        // Two units of the headers: each had its highest byte first on the wire.
        let first = (pins.memory_rdata as u32).swap_bytes();
        let second = ((pins.memory_rdata >> 32) as u32).swap_bytes();
        // What is left for the data, the ICRC behind them.
        let known = q.kind == PacketKind::DatagramSend.code()
            || q.kind == PacketKind::DatagramSendImmediate.code()
            || q.is_connected();
        let overhead = q.header_units() + 1;
        let room = (q.units.wrapping_sub(overhead) & 0x3ff) << 2;
        let formed = known
            && q.next_header == 2
            && q.version == 0
            && q.units >= overhead
            && room >= q.pad.into()
            && room <= 2048
            && (!(q.is_acknowledge() || q.is_read()) || room == 0);
        // WQEs in the ring, and where the oldest one lies.
        let attributes = &pins.attributes;
        let posted = pins.bell.wrapping_sub(pins.responder.consumed);
        let size = 1u32 << attributes.receive_log;
        let place = u32::from(pins.responder.consumed) & (size - 1);
        let request = u32::from(pins.requester.consumed) & ((1 << attributes.send_log) - 1);
        // The packets of an RDMA READ: where the one that is due begins, and its bytes; how many a peer's has.
        let log = 7 + u32::from(attributes.mtu & 7);
        let mtu = mtu_bytes(attributes.mtu);
        let offset = (q.requester.oldest.wrapping_sub(q.requester.first) & 0xff_ffff) << log;
        let left = q.requester.length.wrapping_sub(offset);
        let due = if q.requester.oldest == q.requester.last { left as u16 & 0xfff } else { mtu };
        let whole = (q.length.wrapping_add(mtu.into()).wrapping_sub(1) >> log) & 0xff_ffff;
        // The data and what is in front of them must have room in the buffer.
        let ahead = if q.connected { q.responder.received } else { GRH_BYTES };
        let needed = ahead.wrapping_add(q.bytes.into());
        let fits = needed <= q.length;
        let allowed = key_check::check(&key_check::In {
            row: pins.key,
            key: q.l_key,
            domain: attributes.domain,
            address: q.address,
            length: q.length,
            local_write: !q.is_write() && !q.is_read(),
            remote_write: q.is_write(),
            remote_read: q.is_read(),
        })
        .allowed;

        let remote = q.is_write() || q.is_read();
        let beyond = q.has_remote() && q.q_key != 0;
        let verdict = if !remote && (if q.answer { q.length != q.requester.length } else { !fits }) {
            Status::LengthError
        } else if remote && (!allowed || beyond) {
            Status::RemoteAccess
        } else if !allowed {
            Status::ProtectionError
        } else {
            Status::Success
        };
        let good = verdict == Status::Success;

        // The rules of a connection: one for each state that has one.
        let row = responder::apply(&responder::In {
            row: q.responder,
            reader: q.reader,
            cause: match q.state {
                Judge => responder::Cause::Arrive,
                Check if good => responder::Cause::Take,
                Check => responder::Cause::Refuse,
                _ => responder::Cause::Nothing,
            }
            .code(),
            psn: q.psn,
            first: q.is_first(),
            last: q.is_last(),
            asks: q.asks,
            bytes: q.bytes,
            mtu,
            ready: q.ready,
            rnr_timer: attributes.rnr_timer,
            code: match verdict {
                Status::LengthError => 1,
                Status::RemoteAccess => 2,
                _ => 3,
            },
            write: q.is_write(),
            read: q.is_read(),
            immediate: q.has_immediate(),
            address: q.address,
            length: q.length,
            key: q.l_key,
            packets: if q.length == 0 { 1 } else { whole },
        });
        let rule = requester::apply(&requester::In {
            row: q.requester,
            cause: match q.state {
                Answer if q.is_response() => requester::Cause::Respond,
                Answer => requester::Cause::Answer,
                Check if good => requester::Cause::Take,
                Check => requester::Cause::Fail,
                _ => requester::Cause::Nothing,
            }
            .code(),
            psn: q.psn,
            ends: q.is_last(),
            fits: q.bytes == due,
            syndrome: (q.q_key >> 24) as u8,
            retries: attributes.retries,
            rnr_retries: attributes.rnr_retries,
            now: pins.now,
            timeout: attributes.timeout,
            ..requester::In::default()
        });

        match q.state {
            // Idle: the scheduler says when.
            Idle => {
                if pins.start {
                    d.slot = pins.slot;
                    d.lid = pins.lid;
                    d.index = 0;
                    d.fail = false;
                    d.status = Status::Success.code();
                    d.state = Head;
                }
            }
            // Head: a word is read while the one before is taken apart.
            Head => {
                match q.index {
                    1 => {
                        d.next_header = if first >> 24 & 0xf == 0 { (first >> 16) as u8 & 3 } else { 0 };
                        d.destination_lid = first as u16;
                        d.units = (second >> 16) as u16 & 0x7ff;
                        d.source_lid = second as u16;
                    }
                    2 => {
                        d.kind = (first >> 24) as u8;
                        d.pad = (first >> 20) as u8 & 3;
                        d.version = (first >> 16) as u8 & 0xf;
                        d.destination = second & 0xff_ffff;
                    }
                    // Q_Key, AETH, upper half of an address, or immediate data of a connection.
                    3 => {
                        d.asks = first >> 31 == 1;
                        d.psn = first & 0xff_ffff;
                        d.q_key = second;
                    }
                    // Lower half of an address, and the r_key.
                    4 => {
                        d.source = first & 0xff_ffff;
                        d.immediate = second;
                        (d.address, d.l_key) = (first, second);
                    }
                    // Length, and immediate data behind it.
                    5 => (d.length, d.immediate) = (first, second),
                    _ => (),
                }
                d.index = (q.index + 1) & 7;
                if q.index == if q.has_remote() { 5 } else { 4 } {
                    d.state = Sort;
                }
            }
            // Sort: what is not for us is nobody's error.
            Sort => {
                d.bytes = room.wrapping_sub(q.pad.into()) & 0xfff;
                d.state = Release;
                if q.destination_lid != q.lid {
                    d.counts.foreign = q.counts.foreign.wrapping_add(1);
                } else if !formed {
                    d.counts.malformed = q.counts.malformed.wrapping_add(1);
                } else if q.destination >> 4 != 0 {
                    d.counts.unknown_qp = q.counts.unknown_qp.wrapping_add(1);
                } else {
                    d.state = Load;
                }
            }
            // Load: rows come in the next cycle.
            Load => d.state = Look,
            // Look: a datagram that cannot be taken is lost, and its sender is not told. A connection has one peer.
            Look => {
                d.responder = pins.responder;
                d.reader = pins.reader;
                d.requester = pins.requester;
                d.connected = attributes.connected;
                d.answer = q.is_answer();
                d.ready = posted != 0;
                d.ring = if q.is_answer() { attributes.send_cq } else { attributes.receive_cq };
                d.wqe = if q.is_answer() {
                    attributes.send_base.wrapping_add(SEND_WQE_BYTES * request)
                } else {
                    attributes.receive_base.wrapping_add(u32::from(RECEIVE_WQE_BYTES) * place)
                };
                d.state = Release;
                let served = attributes.valid && attributes.connected == q.is_connected();
                let stranger = attributes.connected && q.source_lid != attributes.peer_lid;
                let dead = if q.is_answer() {
                    pins.requester.dead || pins.requester.failed
                } else {
                    pins.responder.dead
                };
                if !served || stranger || dead {
                    d.counts.unknown_qp = q.counts.unknown_qp.wrapping_add(1);
                } else if q.is_answer() {
                    d.state = Answer;
                } else if !attributes.connected && q.q_key != attributes.q_key {
                    d.counts.wrong_q_key = q.counts.wrong_q_key.wrapping_add(1);
                } else if u32::from(posted) > size {
                    d.responder.dead = true;
                    d.fail = true;
                    d.state = Store;
                } else if attributes.connected {
                    d.state = Judge;
                } else if posted == 0 {
                    d.counts.no_receive = q.counts.no_receive.wrapping_add(1);
                } else {
                    d.state = Fetch;
                }
            }
            // Answer: a request that is done has its CQE, if it wants one or went wrong. Data that are due have a place in memory.
            Answer => {
                d.requester = rule.row;
                d.status = rule.status;
                let wrong = rule.status != Status::Success.code();
                d.fail = rule.finish && wrong;
                if rule.finish && wrong {
                    d.counts.failed = q.counts.failed.wrapping_add(1);
                }
                d.state = if rule.takes {
                    Fetch
                } else if rule.finish && (wrong || q.requester.signalled) {
                    Complete
                } else {
                    Store
                };
            }
            // Judge: what is not the next packet has its answer, and nothing else comes of it. An RDMA WRITE goes on where it was.
            Judge => {
                (d.responder, d.reader) = (row.row, row.reader);
                d.fail = row.breaks;
                if q.is_write() && !q.is_first() {
                    d.address = q.responder.write_address;
                    d.length = q.responder.write_left;
                    d.l_key = q.responder.write_key;
                }
                d.state = match (row.takes, remote) {
                    (true, true) => Key,
                    (true, false) => Fetch,
                    (false, _) => Store,
                };
            }
            // Fetch: words of the WQE pass by.
            Fetch => {
                if pins.word_valid {
                    let (low, high) = (pins.word as u32, (pins.word >> 32) as u32);
                    match (pins.place, q.answer) {
                        (0, false) | (1, true) => (d.address, d.length) = (low, high),
                        (1, false) | (2, true) => d.l_key = low,
                        _ => (),
                    }
                }
                if pins.copied {
                    d.state = Key;
                }
            }
            // Key: the row comes in the next cycle.
            Key => d.state = Check,
            // Check: the WQE is taken with the last packet, or with one that does not fit, which breaks a connection.
            Check => {
                if q.answer {
                    d.requester = rule.row;
                    d.fail = !good;
                } else if q.connected {
                    (d.responder, d.reader) = (row.row, row.reader);
                    d.fail = row.breaks;
                } else {
                    d.responder.consumed = q.responder.consumed.wrapping_add(1);
                }
                d.status = verdict.code();
                d.total = if q.answer { q.requester.length } else { needed };
                d.address = q.address.wrapping_add(match (q.answer, remote) {
                    (true, _) => offset,
                    (false, true) => 0,
                    (false, false) => ahead,
                });
                let tells = if q.answer {
                    rule.finish && (!good || q.requester.signalled)
                } else if remote {
                    good && q.has_immediate()
                } else {
                    !good || q.is_last()
                };
                d.tells = tells;
                if !good {
                    d.counts.failed = q.counts.failed.wrapping_add(1);
                } else if tells && !q.answer {
                    d.counts.received = q.counts.received.wrapping_add(1);
                }
                d.state = match (good && q.bytes != 0, tells) {
                    (true, _) => Copy,
                    (false, true) => Complete,
                    (false, false) => Store,
                };
            }
            // Copy: the 40 bytes in front of a datagram stay as they are.
            Copy => {
                if pins.copied {
                    d.state = if q.tells { Complete } else { Store };
                }
            }
            // Complete: the data are there before the CQE is.
            Complete => {
                if pins.completed {
                    d.state = Store;
                }
            }
            // Store: the WQE counts as taken from here on.
            Store => d.state = Release,
            // Release: the next packet may come into the slot.
            Release => d.state = Idle,
        }
        d
    }
}

impl Probe for ReceiveEngine {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
