//! Send engine: takes a WQE of a send queue and makes a packet of it (IBA volume 1, sections 9.7.5, 9.8.2, 10.7.2).
//!
//! Doorbell, WQE, key, data, headers, completion: one after the other. A datagram is one packet, and longer ones are refused. Of a
//! connection each turn sends a packet of the data that an RDMA READ has asked for, or an answer of its responder, or a packet of the request
//! under way; its WQE is read again for each of them, and done when the peer has acknowledged the last. A doorbell that claims more WQEs than the ring has places kills the queue: what
//! lies there is not known to be a request.

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use crate::completion::Entry;
use crate::contexts::{Attributes, Key, Reader, Requester, Responder};
use crate::host_dma::Transfer;
use crate::key_check;
use crate::layout::{
    MAX_MESSAGE, Operation, PARTITION_KEY, PacketKind, SEND_WQE_BYTES, SEND_WQE_USED, Status, mtu_bytes,
};
use crate::protocol::requester;
use crate::protocol::responder::{self, ACK};
use crate::registers::SendCounts;

/// Word of a slot from which on WQEs lie; packets end before it.
pub const WQE_WORD: u16 = 480;

hdl::machine! {
    /// Send engine.
    pub enum State in send_engine_pkg {
        /// Waits for its turn.
        Idle => [Load],
        /// Reads the rows of the queue pair and the doorbell.
        Load => [Look],
        /// Is there a WQE?
        Look => [Fetch, Key, Header, Complete, Store, Finish],
        /// Gets it.
        Fetch => [Key],
        /// Reads the row of its key.
        Key => [Check],
        /// May it be sent?
        Check => [Cut, Complete, Store],
        /// Which part of the message goes into the packet?
        Cut => [Copy, Header],
        /// Gets the data.
        Copy => [Header],
        /// Writes the headers in front.
        Header => [Launch],
        /// Hands the packet to the transmitter.
        Launch => [Complete, Store],
        /// Has a CQE written.
        Complete => [Store],
        /// Writes the row of the requester.
        Store => [Finish],
        /// Reports the end.
        Finish => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the send engine.
    pub struct In in send_engine_pkg {
        /// A queue pair has its turn; looked at in `Idle` only.
        start: bool,
        /// Which one.
        pair: u8 : 4,
        /// LID of the port.
        lid: u16,
        /// Slot of the transmitter to fill.
        slot: bool,
        /// Rows of the queue pair.
        attributes: Attributes,
        /// How far its send queue is.
        requester: Requester,
        /// How far its receive queue is.
        responder: Responder,
        /// Its RDMA READ.
        reader: Reader,
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
    /// Output pins of the send engine.
    pub struct Out in send_engine_pkg {
        /// Reads the rows of the queue pair.
        load: bool,
        /// Reads the row of the key.
        key_load: bool,
        /// Which one.
        key: u8 : 4,
        /// Writes the row of the requester.
        store: bool,
        /// The row.
        requester: Requester,
        /// Writes that of the responder: its answer is sent.
        answered: bool,
        /// The row.
        responder: Responder,
        /// The row of its RDMA READ.
        reader: Reader,
        /// To host DMA.
        transfer: Transfer,
        /// Starts it.
        copy: bool,
        /// Writes a word of the headers.
        header_write: bool,
        /// Word of the transmitter's memory.
        header_address: u16 : 10,
        /// The word.
        header: u64,
        /// Only its lower half.
        header_half: bool,
        /// The slot is full.
        launch: bool,
        /// Units of 4 bytes of its packet, without ICRC.
        units: u16 : 11,
        /// Has a CQE written.
        complete: bool,
        /// The CQE.
        entry: Entry,
        /// The queue pair fails; high for one cycle.
        fail: bool,
        /// A request is under way; counts with `done`.
        active: bool,
        /// Over; high for one cycle.
        done: bool,
        /// There is more to do.
        again: bool,
        /// Counters.
        counts: SendCounts,
    }
}

hdl::bundle! {
    /// Registers of the send engine.
    pub struct SendEngine in send_engine_pkg {
        /// State.
        state: State,
        /// The queue pair.
        pair: u8 : 4,
        /// Slot of the transmitter.
        slot: bool,
        /// LID of the port.
        lid: u16,
        /// CQ of the send queue.
        ring: u8 : 2,
        /// Row of the requester.
        requester: Requester,
        /// Row of the responder.
        responder: Responder,
        /// Row of its RDMA READ.
        reader: Reader,
        /// The packet is an answer of the responder.
        answering: bool,
        /// It has data that an RDMA READ has asked for.
        responding: bool,
        /// The queue pair is connected.
        connected: bool,
        /// Bytes of data in a packet, as a code.
        mtu: u8 : 4,
        /// Bytes of data in this one.
        bytes: u16 : 12,
        /// It is the first one of its message.
        first: bool,
        /// It is the last one.
        last: bool,
        /// The doorbell is beyond the ring.
        fail: bool,
        /// There is more to do.
        again: bool,
        /// Where the WQE lies.
        wqe: u32,
        /// Operation.
        operation: u8,
        /// It wants a CQE.
        signalled: bool,
        /// It wants an event at the receiver.
        solicited: bool,
        /// Immediate data.
        immediate: u32,
        /// Address of the data.
        address: u32,
        /// Their length.
        length: u32,
        /// Their key.
        l_key: u32,
        /// Key of the peer.
        r_key: u32,
        /// Address at the peer.
        remote: u64,
        /// Destination.
        destination: u32 : 24,
        /// Its LID.
        destination_lid: u16,
        /// Service level.
        level: u8 : 4,
        /// Q_Key.
        q_key: u32,
        /// How it ended.
        status: u8,
        /// Word of the headers to write.
        index: u8 : 3,
        /// Counters.
        counts: SendCounts,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "hca/send_engine_pkg",
    source: "crates/hca/src/send_engine.rs",
    items: &[
        Item::Constant {
            name: "WqeWord",
            width: 9,
            value: WQE_WORD as u64,
            doc: "Word of a slot from which on WQEs lie.",
        },
        Item::Machine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for SendEngine {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let fetch = q.state == Fetch;
        let slot = u16::from(q.slot) << 12;
        let body = (q.bytes + 3) >> 2;
        Out {
            load: q.state == Load,
            key_load: q.state == Key,
            key: q.l_key as u8 & 0xf,
            store: q.state == Store && !q.answering,
            requester: q.requester,
            answered: q.state == Store && q.answering,
            responder: q.responder,
            reader: q.reader,
            transfer: Transfer {
                address: if fetch { q.wqe } else { q.address },
                offset: slot | if fetch { WQE_WORD << 3 } else { q.header_units() << 2 },
                bytes: if fetch { SEND_WQE_USED } else { q.bytes },
                to_host: false,
            },
            copy: matches!(q.state, Fetch | Copy),
            header_write: q.state == Header,
            header_address: u16::from(q.slot) << 9 | u16::from(q.index),
            header: q.header(),
            header_half: q.header_units() & 1 == 1 && q.index == q.last_header(),
            launch: q.state == Launch,
            units: (q.header_units() + body) & 0x7ff,
            complete: q.state == Complete,
            entry: Entry {
                ring: q.ring,
                index: q.requester.consumed.wrapping_sub(1),
                pair: q.pair,
                operation: q.operation,
                status: q.status,
                ..Entry::default()
            },
            fail: q.state == Store && q.fail,
            active: q.requester.active,
            done: q.state == Finish,
            again: q.again,
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

impl SendEngine {
    /// There is immediate data behind the headers.
    #[inline(always)]
    fn immediate_sent(&self) -> bool {
        (self.operation == Operation::SendImmediate.code()
            || self.operation == Operation::RdmaWriteImmediate.code())
            && self.last
            && !self.answering
    }

    /// It is an RDMA WRITE.
    #[inline(always)]
    fn writes(&self) -> bool {
        self.operation == Operation::RdmaWrite.code()
            || self.operation == Operation::RdmaWriteImmediate.code()
    }

    /// It is an RDMA READ.
    #[inline(always)]
    fn reads(&self) -> bool {
        self.operation == Operation::RdmaRead.code()
    }

    /// There is an AETH: in answers, but not between the data of an RDMA READ.
    #[inline(always)]
    fn answer_sent(&self) -> bool {
        self.answering && (!self.responding || self.first || self.last)
    }

    /// There is a RETH: in what begins an RDMA WRITE or READ.
    #[inline(always)]
    fn remote_sent(&self) -> bool {
        self.connected && !self.answering && (self.reads() || self.writes() && self.first)
    }

    /// Units of 4 bytes in front of the data: LRH, BTH; then an AETH, or a DETH of a datagram, or a RETH; and immediate data.
    #[inline(always)]
    fn header_units(&self) -> u16 {
        5 + u16::from(self.answer_sent())
            + 2 * u16::from(!self.connected)
            + 4 * u16::from(self.remote_sent())
            + u16::from(self.immediate_sent())
    }

    /// The last word of the headers.
    #[inline(always)]
    fn last_header(&self) -> u8 {
        match (self.connected, self.remote_sent()) {
            (false, _) => 3,
            (true, false) => 2,
            (true, true) => 4,
        }
    }

    /// Operation code of the packet.
    #[inline(always)]
    fn kind(&self) -> PacketKind {
        match (self.connected, self.first, self.last, self.immediate_sent()) {
            (false, _, _, false) => PacketKind::DatagramSend,
            (false, _, _, true) => PacketKind::DatagramSendImmediate,
            (true, true, false, _) if self.responding => PacketKind::ReadFirst,
            (true, false, false, _) if self.responding => PacketKind::ReadMiddle,
            (true, false, true, _) if self.responding => PacketKind::ReadLast,
            (true, true, true, _) if self.responding => PacketKind::ReadOnly,
            _ if self.answering => PacketKind::Acknowledge,
            _ if self.reads() => PacketKind::ReadRequest,
            (true, true, false, _) if self.writes() => PacketKind::WriteFirst,
            (true, false, false, _) if self.writes() => PacketKind::WriteMiddle,
            (true, false, true, false) if self.writes() => PacketKind::WriteLast,
            (true, false, true, true) if self.writes() => PacketKind::WriteLastImmediate,
            (true, true, true, false) if self.writes() => PacketKind::WriteOnly,
            (true, true, true, true) if self.writes() => PacketKind::WriteOnlyImmediate,
            (true, true, false, _) => PacketKind::SendFirst,
            (true, false, false, _) => PacketKind::SendMiddle,
            (true, false, true, false) => PacketKind::SendLast,
            (true, false, true, true) => PacketKind::SendLastImmediate,
            (true, true, true, false) => PacketKind::SendOnly,
            (true, true, true, true) => PacketKind::SendOnlyImmediate,
        }
    }

    /// Two units of the headers, each with its highest byte first on the wire (IBA volume 1, sections 7.7, 9.2, 9.3).
    #[inline(always)]
    fn header(&self) -> u64 {
        let q = self;
        let units = (q.header_units() + ((q.bytes + 3) >> 2) + 1) & 0x7ff;
        let pad = u32::from(q.bytes.wrapping_neg() & 3);
        let solicited = q.solicited && q.last && !q.answering;
        let asks = q.connected && q.last && !q.answering && !q.reads();
        let psn = if q.responding {
            q.reader.psn
        } else if q.answering {
            q.responder.answer_psn
        } else {
            q.requester.psn
        };
        let syndrome = if q.responding { ACK } else { q.responder.syndrome };
        let remote_sent = q.remote_sent();
        let (first, second) = match q.index {
            0 => (
                // Virtual lane 0, version 0; the link's next header is the BTH.
                u32::from(q.level) << 20 | 2 << 16 | u32::from(q.destination_lid),
                u32::from(units) << 16 | u32::from(q.lid),
            ),
            1 => (
                u32::from(q.kind().code()) << 24
                    | u32::from(solicited) << 23
                    | pad << 20
                    | u32::from(PARTITION_KEY),
                q.destination,
            ),
            2 => (
                u32::from(asks) << 31 | psn,
                if q.answering {
                    u32::from(syndrome) << 24 | q.responder.messages
                } else if remote_sent {
                    (q.remote >> 32) as u32
                } else if q.connected {
                    q.immediate
                } else {
                    q.q_key
                },
            ),
            3 if remote_sent => (q.remote as u32, q.r_key),
            3 => (q.pair.into(), q.immediate),
            _ => (q.length, q.immediate),
        };
        u64::from(second.swap_bytes()) << 32 | u64::from(first.swap_bytes())
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        // WQEs in the ring, and where the oldest one lies.
        let attributes = &pins.attributes;
        let posted = pins.bell.wrapping_sub(pins.requester.consumed);
        let size = 1u32 << attributes.send_log;
        let place = u32::from(pins.requester.consumed) & (size - 1);

        let allowed = key_check::check(&key_check::In {
            row: pins.key,
            key: q.l_key,
            domain: attributes.domain,
            address: q.address,
            length: q.length,
            local_write: q.reads() && !q.responding,
            remote_read: q.responding,
            ..key_check::In::default()
        })
        .allowed;
        // A message of no bytes is a packet too. The longest has 2^30 bytes, so its numbers are fewer than half of all.
        let mtu = u32::from(mtu_bytes(attributes.mtu));
        let log = 7 + u32::from(attributes.mtu & 7);
        let whole = (q.length.wrapping_add(mtu).wrapping_sub(1) >> log) & 0xff_ffff;
        let most = if attributes.connected { MAX_MESSAGE } else { mtu };
        let offset =
            (q.requester.psn.wrapping_sub(q.requester.first) & 0xff_ffff) << (7 + u32::from(q.mtu & 7));

        // The rule of the requester: one for each state that has one.
        let flushes = pins.requester.failed && posted != 0;
        let rule = requester::apply(&requester::In {
            row: if q.state == Look { pins.requester } else { q.requester },
            cause: match q.state {
                Look if flushes => requester::Cause::Flush,
                Look => requester::Cause::Turn,
                Launch => requester::Cause::Send,
                Check => requester::Cause::Begin,
                _ => requester::Cause::Nothing,
            }
            .code(),
            packets: if q.length == 0 { 1 } else { whole },
            operation: q.operation,
            length: q.length,
            signalled: q.signalled,
            retries: attributes.retries,
            rnr_retries: attributes.rnr_retries,
            now: pins.now,
            timeout: attributes.timeout,
            ..requester::In::default()
        });
        let sends = q.operation == Operation::Send.code() || q.operation == Operation::SendImmediate.code();
        let known = sends || attributes.connected && (q.writes() || q.reads());
        // The rule of the responder, whose data are sent.
        let row = responder::apply(&responder::In {
            row: q.responder,
            reader: q.reader,
            cause: match q.state {
                Launch => responder::Cause::Respond,
                Check => responder::Cause::Refuse,
                _ => responder::Cause::Nothing,
            }
            .code(),
            psn: q.reader.psn,
            read: true,
            mtu: mtu_bytes(q.mtu),
            code: 2,
            ..responder::In::default()
        });

        match q.state {
            // Idle: the scheduler gives turns.
            Idle => {
                if pins.start {
                    d.pair = pins.pair;
                    d.slot = pins.slot;
                    d.lid = pins.lid;
                    d.fail = false;
                    d.again = false;
                    d.answering = false;
                    d.responding = false;
                    d.bytes = 0;
                    d.first = true;
                    d.last = true;
                    d.index = 0;
                    d.status = Status::Success.code();
                    d.state = Load;
                }
            }
            // Load: rows come in the next cycle.
            Load => d.state = Look,
            // Look: data that were asked for go first, then an answer. A dead queue pair, and one without a WQE, have nothing to do.
            Look => {
                d.requester = pins.requester;
                d.responder = pins.responder;
                d.reader = pins.reader;
                d.connected = attributes.connected;
                d.mtu = attributes.mtu;
                d.ring = attributes.send_cq;
                d.wqe = attributes.send_base.wrapping_add(SEND_WQE_BYTES * place);
                let connected = attributes.valid && attributes.connected;
                d.state = if connected && pins.reader.active {
                    d.answering = true;
                    d.responding = true;
                    d.address = pins.reader.address;
                    d.length = pins.reader.left;
                    d.l_key = pins.reader.key;
                    d.again = true;
                    Key
                } else if connected && pins.responder.answer {
                    d.responder.answer = false;
                    d.answering = true;
                    d.destination = attributes.peer;
                    d.destination_lid = attributes.peer_lid;
                    d.level = 0;
                    d.again = true;
                    Header
                } else if !attributes.valid || pins.requester.dead {
                    Finish
                } else if u32::from(posted) > size {
                    d.requester.dead = true;
                    d.requester.active = false;
                    d.fail = true;
                    Store
                } else if connected && rule.finish {
                    d.requester = rule.row;
                    d.status = rule.status;
                    d.operation = if flushes { 0 } else { pins.requester.operation };
                    d.fail = !flushes;
                    d.again = true;
                    Complete
                } else if connected && pins.requester.active {
                    d.requester = rule.row;
                    if rule.sends { Fetch } else { Store }
                } else if posted == 0 {
                    Finish
                } else {
                    d.again = posted > 1;
                    Fetch
                };
            }
            // Fetch: words of the WQE pass by.
            Fetch => {
                if pins.word_valid {
                    let (low, high) = (pins.word as u32, (pins.word >> 32) as u32);
                    match pins.place {
                        0 => {
                            d.operation = low as u8;
                            d.signalled = low >> 8 & 1 == 1;
                            d.solicited = low >> 9 & 1 == 1;
                            d.immediate = high;
                        }
                        1 => (d.address, d.length) = (low, high),
                        2 => (d.l_key, d.r_key) = (low, high),
                        3 => d.remote = pins.word,
                        4 => {
                            d.destination = low & 0xff_ffff;
                            d.destination_lid = high as u16;
                            d.level = (high >> 16) as u8 & 0xf;
                        }
                        5 => d.q_key = low,
                        _ => (),
                    }
                }
                if pins.copied {
                    d.state = Key;
                }
            }
            // Key: the row comes in the next cycle.
            Key => d.state = Check,
            // Check: what is wrong is told to the owner and not sent; it breaks a connection. A peer that may not read any more is told so.
            Check if q.responding => {
                d.destination = attributes.peer;
                d.destination_lid = attributes.peer_lid;
                d.level = 0;
                if !allowed {
                    (d.responder, d.reader) = (row.row, row.reader);
                    d.fail = true;
                }
                d.state = if allowed { Cut } else { Store };
            }
            Check => {
                let changed = q.requester.active && q.operation != q.requester.operation;
                let status = if !known || changed {
                    Status::OperationError
                } else if mtu == 0 || q.length > most || q.requester.active && q.length != q.requester.length
                {
                    Status::LengthError
                } else if !allowed {
                    Status::ProtectionError
                } else {
                    Status::Success
                };
                d.status = status.code();
                d.state = if status == Status::Success { Cut } else { Complete };
                if status != Status::Success {
                    d.counts.failed = q.counts.failed.wrapping_add(1);
                    d.requester.consumed = q.requester.consumed.wrapping_add(1);
                    d.requester.active = false;
                    d.requester.failed = attributes.connected;
                    d.fail = attributes.connected;
                    d.again = true;
                } else if !attributes.connected {
                    d.requester.consumed = q.requester.consumed.wrapping_add(1);
                } else if !q.requester.active {
                    d.requester = rule.row;
                }
                if attributes.connected {
                    d.destination = attributes.peer;
                    d.destination_lid = attributes.peer_lid;
                    d.level = 0;
                }
            }
            // Cut: all packets of a message but the last one are full. An RDMA READ asks for what is left.
            Cut if q.responding => {
                let last = q.reader.psn == q.reader.last;
                d.first = !q.reader.begun;
                d.last = last;
                d.bytes = if last { q.length as u16 & 0xfff } else { mtu_bytes(q.mtu) };
                d.state = if q.length == 0 { Header } else { Copy };
            }
            Cut => {
                let left = q.length.wrapping_sub(offset);
                let last = q.requester.psn == q.requester.last;
                if q.connected {
                    d.first = q.reads() || q.requester.psn == q.requester.first;
                    d.last = q.reads() || last;
                    d.address = q.address.wrapping_add(offset);
                    d.remote = q.remote.wrapping_add(offset.into());
                    d.length = left;
                    d.bytes = match (q.reads(), last) {
                        (true, _) => 0,
                        (false, true) => left as u16 & 0xfff,
                        (false, false) => mtu_bytes(q.mtu),
                    };
                    d.again = true;
                } else {
                    d.bytes = q.length as u16 & 0xfff;
                }
                d.state = if q.length == 0 || q.connected && q.reads() { Header } else { Copy };
            }
            // Copy: data lie behind the headers.
            Copy => {
                if pins.copied {
                    d.state = Header;
                }
            }
            // Header: of the last word only half if there is nothing else.
            Header => {
                d.index = (q.index + 1) & 7;
                if q.index == q.last_header() {
                    d.state = Launch;
                }
            }
            // Launch: the data of a datagram are the transmitter's, and the buffer is the owner's again.
            Launch => {
                d.counts.sent = q.counts.sent.wrapping_add(1);
                if !q.answering {
                    d.requester = rule.row;
                } else if q.responding {
                    (d.responder, d.reader) = (row.row, row.reader);
                }
                d.state = if q.signalled && !q.connected { Complete } else { Store };
            }
            // Complete: an error is told whether it was asked for or not.
            Complete => {
                if pins.completed {
                    d.state = Store;
                }
            }
            // Store: the WQE counts as taken from here on.
            Store => d.state = Finish,
            // Finish: the next one has its turn.
            Finish => d.state = Idle,
        }
        d
    }
}

impl Probe for SendEngine {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
