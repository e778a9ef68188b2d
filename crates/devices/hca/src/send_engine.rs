//! Send engine: turns a WQE of a send queue into a packet (IBA volume 1, sections 9.7.5, 9.8.2, 10.7.2).
//!
//! A turn goes through doorbell, WQE, key, data, headers and completion, one after the other. A datagram is
//! one packet; a longer message is refused. A connection sends one packet a turn: data for the peer's RDMA
//! READ or the saved answer of its atomic operation, or an acknowledgement, or the next packet of a request. The WQE of
//! a request is read again for each of its packets, and is done when the peer has acknowledged the last one, or on an
//! unreliable connection when that one has left.
//!
//! On a reliable connection the next SEND or RDMA WRITE begins when the packets of all outstanding SENDs and RDMA WRITEs
//! have been sent, the next RDMA READ when all outstanding RDMA READs have been requested. A request of the other kind,
//! an atomic operation, and a request that may not be sent wait until no request before them is outstanding. No request
//! begins behind an atomic operation.
//!
//! When the data of one of the peer's RDMA READs have been sent and another one waits, the send queue goes first, so
//! that a peer that always reads does not keep it from sending.
//!
//! A doorbell that claims more WQEs than the ring has places kills the queue: the ring cannot hold valid
//! requests.
//!
//! In the error state a turn flushes one WQE, of the send queue first, then of the receive queue
//! (decision 0080).
//!
//! The next values of the registers are computed in four groups, as in the RTL: state, rows, request, packet.

mod packet;
mod pins;
mod request;
mod rows;
mod state;

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::completion::Entry;
use crate::contexts::{Reader, Request, Requester, Responder};
use crate::host_dma::Transfer;
use crate::layout::SEND_WQE_USED;
use crate::registers::SendCounts;

pub use pins::{In, Out};
pub use request::OperationFlags;

/// First word of a slot's area for WQEs; packets end before it.
pub const WQE_WORD: u16 = 480;

hdl::fsm! {
    /// Send engine.
    pub enum State in send_engine_pkg {
        /// Waits until the scheduler gives a queue pair its turn.
        Idle => [Load: "start", Idle: "otherwise"],
        /// Reads the rows of the queue pair and its doorbell.
        Load => [Look],
        /// Takes the rows and counts the posted WQEs.
        Look => [Turn],
        /// Chooses what to send.
        Turn => [
            Fetch: "WQE posted, or packet may be sent",
            Key: "RDMA READ data to send",
            Frame: "acknowledgement or saved answer to send",
            Complete: "request or flushed WQE is over",
            Store: "request must wait, or bad doorbell",
            Drain: "error state, send queue flushed",
            Finish: "no WQE, or queue closed or dead",
        ],
        /// Reads the WQE.
        Fetch => [Key: "WQE read", Fetch: "otherwise"],
        /// Reads the row of the key.
        Key => [Check],
        /// Checks operation, length and key.
        Check => [Begin],
        /// Begins the packet, or reports what is wrong.
        Begin => [
            Cut: "check passed",
            Complete: "check of the requester failed",
            Store: "responder refuses, or request must wait",
        ],
        /// Cuts this packet's part out of the message.
        Cut => [Frame],
        /// Adds up the lengths of headers and data.
        Frame => [Copy: "packet has data", Header: "no data"],
        /// Reads the data into the slot.
        Copy => [Header: "data read", Copy: "otherwise"],
        /// Writes the headers in front of the data.
        Header => [Launch: "last word of header", Header: "otherwise"],
        /// Hands the packet to the transmitter.
        Launch => [Complete: "signalled message without acknowledgement", Store: "otherwise"],
        /// Reads the doorbell of the receive queue.
        Drain => [Count],
        /// Counts the posted receive WQEs.
        Count => [Flush],
        /// Flushes a receive WQE.
        Flush => [
            Complete: "WQE posted",
            Store: "bad doorbell",
            Finish: "no WQE, or queue dead",
        ],
        /// Waits until the CQE is written.
        Complete => [Store: "CQE written", Complete: "otherwise"],
        /// Writes the row of the requester or of the responder.
        Store => [Finish],
        /// Reports the end of the turn.
        Finish => [Idle],
    }
}

hdl::bundle! {
    /// Registers of the send engine.
    pub struct SendEngine in send_engine_pkg {
        /// Step of the turn; `Idle` between turns.
        state: State,
        /// Queue pair that has the turn.
        pair: u8,
        /// Slot of the transmitter's memory in which the packet is built.
        slot: bool,
        /// LID of the port when the turn began.
        lid: u16,
        /// CQ of the send queue.
        ring: u8,
        /// Row of the requester; written back in `Store`.
        requester: Requester,
        /// Row of the request of the packet; written back in `Cut`.
        request: Request,
        /// Row of the responder; written back in `Store` after an answer.
        responder: Responder,
        /// Row of the peer's RDMA READ or atomic operation; written back together with the responder's.
        reader: Reader,
        /// The send queue goes before data of the peer's RDMA READ; the row of that one is written back, too.
        yields: bool,
        /// The packet is sent for the responder: an acknowledgement, or data for the peer.
        answering: bool,
        /// The packet carries data for the peer's RDMA READ, or the saved answer of its atomic operation.
        responding: bool,
        /// A receive WQE is flushed.
        draining: bool,
        /// The queue pair is a connection.
        connected: bool,
        /// The queue pair is an unreliable connection.
        unreliable: bool,
        /// The queue pair has a state in which it answers, or is in the error state.
        present: bool,
        /// The send queue has a state in which its WQEs are taken or flushed.
        open: bool,
        /// The queue pair is in the error state: WQEs are flushed.
        broken: bool,
        /// MTU of the queue pair as a code: 1 to 4 for 256 to 2,048 bytes.
        mtu: u8 : 4,
        /// Bytes of data in this packet; 0 to 2,048.
        bytes: u16 : 12,
        /// Units of 4 bytes in front of the data; 5 to 12.
        headers: u8 : 4,
        /// Units of 4 bytes of headers and data, without ICRC.
        units: u16 : 11,
        /// Operation code of the packet, a `PacketKind`.
        kind: u8,
        /// The packet has a RETH or an AtomicETH.
        reth: bool,
        /// The packet is the first one of its message.
        first: bool,
        /// The packet is the last one of its message.
        last: bool,
        /// WQEs posted and not yet done.
        posted: u16,
        /// The doorbell claims more WQEs than the ring has places.
        beyond: bool,
        /// Sequence number of the WQE to read; wraps.
        place: u16,
        /// The packet belongs to an outstanding request.
        resumes: bool,
        /// The deadline of the outstanding requests has passed.
        passed: bool,
        /// The next packet to send is the oldest unacknowledged one: none is in flight.
        rests: bool,
        /// Packets of outstanding requests are still to be sent.
        unsent: bool,
        /// A posted request may begin behind the outstanding ones.
        begins: bool,
        /// The oldest outstanding request is an RDMA READ.
        reading: bool,
        /// Unacknowledged packets remain after a go-back-N restart.
        unanswered: bool,
        /// The queue pair has a time-out, after which it sends again.
        resends: bool,
        /// The retry count is exhausted; another time-out ends the request.
        spent: bool,
        /// Tick at which the time-out of this packet expires.
        deadline: u32,
        /// The WQE's operation differs from that of the outstanding request.
        changed: bool,
        /// The length is allowed, and is that of the outstanding request.
        sized: bool,
        /// The packet may be sent.
        good: bool,
        /// Event of the requester in this state, a `requester::Cause`.
        event: u8 : 4,
        /// Event of the responder in this state, a `responder::Cause`.
        cause: u8 : 3,
        /// The queue pair fails at the end of the turn.
        fail: bool,
        /// The queue pair has more to send.
        again: bool,
        /// Byte address of the WQE to read.
        wqe: u32,
        /// Address of the byte after the data.
        reach: u64 : 33,
        /// Packets of the message before this one.
        begun: u32 : 24,
        /// Packets of the message after its first one.
        more: u32 : 24,
        /// Bytes of the message before this packet.
        offset: u32,
        /// Operation of the WQE, an `Operation`.
        operation: u8,
        /// `operation`, decoded.
        says: OperationFlags,
        /// The WQE asks for a CQE.
        signalled: bool,
        /// The WQE asks for an event at the receiver.
        solicited: bool,
        /// Immediate data of the WQE.
        immediate: u32,
        /// Byte address of the data in host memory.
        address: u32,
        /// Bytes of the message from `address` on.
        length: u32,
        /// Key for `address`: the l_key of the WQE, or the r_key of the peer's RDMA READ.
        l_key: u32,
        /// r_key of an RDMA request or of an atomic operation.
        r_key: u32,
        /// Byte address at the peer of an RDMA request or of an atomic operation.
        remote: u64,
        /// QPN of the destination.
        destination: u32 : 24,
        /// LID of the port at the destination.
        destination_lid: u16,
        /// Service level.
        level: u8 : 4,
        /// Q_Key of a datagram.
        q_key: u32,
        /// Value that an atomic operation swaps in or adds.
        swap: u64,
        /// Value with which a compare-and-swap compares.
        compare: u64,
        /// Status for the CQE, a `Status`.
        status: u8,
        /// Word of the headers to write; 0 to 5.
        index: u8 : 3,
        /// Packets sent and WQEs failed.
        counts: SendCounts,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/send_engine_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "WqeWord",
            width: 9,
            value: WQE_WORD as u64,
            doc: "First word of a slot's area for WQEs.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(OperationFlags::TABLE),
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
        Out {
            load: q.state == Load,
            key_load: q.state == Key,
            // The row of a key is read a cycle ahead.
            key: Out::WIDTHS.key.wrap(if q.state == Turn { q.reader.key } else { q.l_key }),
            drain: q.state == Drain,
            store: q.state == Store && !q.answering && !q.draining,
            requester: q.requester,
            request_load: q.state == Turn,
            request_store: q.state == Cut && q.connected && !q.responding,
            request_place: Out::WIDTHS.request_place.wrap(q.place as u8),
            request: q.request,
            read_load: q.state == Turn,
            read_place: q.reader.place,
            answered: q.state == Store && (q.answering || q.draining),
            yielded: q.state == Store && q.yields,
            responder: q.responder,
            reader: q.reader,
            transfer: Transfer {
                address: if fetch { q.wqe } else { q.address },
                offset: slot | if fetch { WQE_WORD << 3 } else { u16::from(q.headers) << 2 },
                bytes: if fetch { SEND_WQE_USED } else { q.bytes },
                to_host: false,
            },
            copy: matches!(q.state, Fetch | Copy),
            header_write: q.state == Header,
            header_address: u16::from(q.slot) << 9 | u16::from(q.index),
            header: q.header(),
            header_half: q.headers & 1 == 1 && q.index == q.last_header(),
            launch: q.state == Launch,
            units: q.units,
            complete: q.state == Complete,
            entry: Entry {
                ring: q.ring,
                index: if q.draining { q.responder.consumed } else { q.requester.consumed }.wrapping_sub(1),
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
        let q = *self;
        let rule = q.requester_rule();
        let row = q.responder_rule(pins);
        self.next_state(&q, pins, &rule, &row);
        self.next_rows(&q, pins, &rule, &row);
        self.next_request(&q, pins, &rule);
        self.next_packet(&q, pins, &rule);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Probe for SendEngine {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
