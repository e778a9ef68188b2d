//! Receive engine: finds the queue pair of a packet, takes a receive WQE and writes the data to host memory
//! (IBA volume 1, sections 9.7.4, 9.8.3, 10.7.3). Answers go to the requester of their connection. One that acknowledges
//! several requests goes round: the oldest request ends in each round, with its CQE.
//!
//! A peer's RDMA WRITE names its own destination, and the data for its RDMA READ are left to the send engine;
//! both need an r_key that allows them. Data that arrive for an RDMA READ of the send queue go to the address
//! in its WQE, which is read again for each packet.
//!
//! A peer's atomic operation reads 8 bytes of host memory and writes them back changed before the next packet is
//! taken; the send engine sends the value that was read. No other access of the adapter comes between; an access of
//! a processor may.
//!
//! A queue pair with a shared receive queue takes the oldest WQE of that queue with the first packet of a message, and
//! keeps its buffer in the row of the responder: the next message of another queue pair takes the next one. When the
//! queue has fewer WQEs than its limit, the limit is cleared and its cause interrupts.
//!
//! Data of a datagram start 40 bytes into the buffer, after the place of a global route header. A packet for
//! no queue pair of the adapter is dropped and counted, and takes no WQE. A WQE whose buffer or key does not
//! allow the packet ends with an error.
//!
//! A datagram for a multicast group goes to each queue pair that is attached to the group, the lowest number first,
//! as if it had arrived for that one.
//!
//! Packets of an unreliable connection are decoded like those of a reliable one. A message of it that is not whole or
//! has no right to its memory is dropped without an answer.
//!
//! The next values of the registers are computed in four groups, as in the RTL: state, packet, rows, buffer.

mod buffer;
mod packet;
mod pins;
mod rows;
mod state;

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::completion::Entry;
use crate::contexts::{Reader, Requester, Responder, SharedQueue};
use crate::layout::{RECEIVED, Status, WRITTEN};
use crate::registers::ReceiveCounts;

pub use packet::PacketForm;
pub use pins::{In, Out};

hdl::fsm! {
    /// Receive engine.
    pub enum State in receive_engine_pkg {
        /// Waits for a packet.
        Idle => [Head: "start", Idle: "otherwise"],
        /// Reads the headers.
        Head => [Sort: "last word of header", Head: "otherwise"],
        /// Drops packets for other ports and malformed ones.
        Sort => [
            Group: "well-formed datagram for a multicast group",
            Load: "own LID, well-formed, QP in range",
            Release: "otherwise",
        ],
        /// Reads a quarter of the queue pairs of the multicast group.
        Group => [Members],
        /// Takes them.
        Members => [Member: "one is attached", Group: "none, other quarters", Release: "otherwise"],
        /// Chooses the next one.
        Member => [Ahead],
        /// Waits while its rows are read ahead.
        Ahead => [Load],
        /// Reads the rows of the queue pair and its doorbell.
        Load => [Look],
        /// Takes the rows and counts the posted WQEs.
        Look => [Pool: "a WQE of a shared receive queue is needed", Admit: "otherwise"],
        /// Reads the row of the shared receive queue, its limit and its doorbell.
        Pool => [Share],
        /// Takes the row and counts the posted WQEs of the shared receive queue.
        Share => [Admit],
        /// Decides whether the queue pair takes the packet.
        Admit => [
            Answer: "ACK, NAK or RDMA READ response",
            Judge: "request on a connection",
            Fetch: "datagram, receive WQE posted",
            Store: "bad doorbell of the receive queue",
            Member: "not taken, others of the quarter",
            Group: "not taken, other quarters of the group",
            Release: "unknown QP, wrong Q_Key or no WQE",
        ],
        /// Applies an answer to the oldest request.
        Answer => [
            Fetch: "RDMA READ data taken",
            Complete: "request over, signalled or failed",
            Advance: "over without CQE, others outstanding",
            Store: "otherwise",
        ],
        /// Decides whether a packet of a connection is the next one.
        Judge => [
            Fetch: "expected packet, SEND",
            Key: "expected packet, RDMA or known buffer",
            Store: "not taken",
        ],
        /// Reads the WQE: a receive WQE, or that of the RDMA READ whose data arrive.
        Fetch => [Key: "WQE read", Fetch: "otherwise"],
        /// Reads the row of the key.
        Key => [Check],
        /// Checks length and key.
        Check => [Operand: "atomic operation allowed", Take: "otherwise"],
        /// Reads the operand of an atomic operation.
        Operand => [Take: "operand read", Operand: "otherwise"],
        /// Takes the packet, or refuses it.
        Take => [
            Copy: "good, data or new value to write",
            Complete: "nothing to copy, CQE due",
            Advance: "no data, READ over, others outstanding",
            Store: "nothing to copy, no CQE",
        ],
        /// Writes the data, or the value of an atomic operation, to host memory.
        Copy => [
            Complete: "data written, CQE due",
            Advance: "READ over, no CQE, others outstanding",
            Store: "data written, no CQE",
            Copy: "otherwise",
        ],
        /// Waits until the CQE is written.
        Complete => [
            Advance: "CQE written, others outstanding",
            Store: "CQE written",
            Complete: "otherwise",
        ],
        /// Takes the next outstanding request as the oldest one.
        Advance => [Store],
        /// Writes the row of the responder or of the requester.
        Store => [
            Load: "answer is for a later request",
            Member: "others of the quarter",
            Group: "other quarters of the group",
            Release: "otherwise",
        ],
        /// Frees the slot and reports the end.
        Release => [Idle],
    }
}

hdl::bundle! {
    /// Registers of the receive engine.
    pub struct ReceiveEngine in receive_engine_pkg {
        /// Step of the packet; `Idle` between packets.
        state: State,
        /// Slot of the receiver's memory that holds the packet.
        slot: bool,
        /// LID of the port when the packet was started.
        lid: u16,
        /// Word of the headers that is read, 0 to 6; the one before it arrives.
        index: u8 : 3,
        /// LNH field of the LRH, 2 for a BTH; 0 if the link version is not 0.
        next_header: u8 : 2,
        /// Destination LID of the packet.
        destination_lid: u16,
        /// Units of 4 bytes of the packet, ICRC included.
        units: u16 : 11,
        /// Source LID of the packet.
        source_lid: u16,
        /// Operation code of the packet, a `PacketKind` if it is known.
        kind: u8,
        /// Pad bytes after the data; 0 to 3.
        pad: u8 : 2,
        /// Version of the transport header.
        version: u8 : 4,
        /// Destination QPN of the packet.
        destination: u32 : 24,
        /// Queue pairs of the quarter of its multicast group that have not got the packet yet, a bit each.
        members: u64,
        /// Quarters of the group that have been read; 4 for a packet of no group.
        quarters: u8 : 3,
        /// A queue pair of the port is attached to the group.
        attached: bool,
        /// Unit after the BTH: Q_Key, AETH, upper half of an address, or immediate data of a connection.
        q_key: u32,
        /// Source QPN of a datagram.
        source: u32 : 24,
        /// Immediate data, unless `q_key` holds them.
        immediate: u32,
        /// Bytes between headers and ICRC, pad bytes included.
        room: u16 : 12,
        /// The packet is at least as long as headers and ICRC.
        holds: bool,
        /// Bytes of data; 0 to 2,048.
        bytes: u16 : 12,
        /// Row of the responder; written back in `Store`.
        responder: Responder,
        /// Row of the peer's RDMA READ or atomic operation; written back together with the responder's.
        reader: Reader,
        /// Row of the requester; written back in `Store` after an answer.
        requester: Requester,
        /// The packet answers a request of the send queue.
        answer: bool,
        /// A CQE is to be written.
        tells: bool,
        /// The queue pair is a connection.
        connected: bool,
        /// A receive WQE is posted.
        ready: bool,
        /// Receive WQEs come from a shared receive queue.
        shared: bool,
        /// The packet takes a WQE of the shared receive queue.
        borrows: bool,
        /// The buffer of the packet is in the row of the responder: an earlier one took a WQE of the shared queue.
        kept: bool,
        /// Number of the shared receive queue.
        shared_queue: u8 : 2,
        /// Row of the shared receive queue; written back in `Store` if `taken`.
        pool: SharedQueue,
        /// The limit of the shared receive queue is reached if a WQE is taken.
        low: bool,
        /// A WQE of the shared receive queue was taken.
        taken: bool,
        /// PSN of the packet.
        psn: u32 : 24,
        /// The packet requests an acknowledgement.
        asks: bool,
        /// Bytes of the buffer up to the end of these data; those of the whole request for an answer.
        total: u32,
        /// CQ of the queue that the packet concerns.
        ring: u8,
        /// The queue pair fails when the packet is done.
        fail: bool,
        /// Byte address of the WQE.
        wqe: u32,
        /// `kind`, decoded.
        says: PacketForm,
        /// Address of the byte after the buffer.
        reach: u64 : 33,
        /// Packets of the peer's RDMA READ after the first one.
        more: u32 : 24,
        /// Offset of the data in the buffer.
        offset: u32,
        /// The data do not fit the buffer, differ in length from the request, or name an address above 32
        /// bits.
        misfits: bool,
        /// The answer is for a packet of an outstanding request.
        belongs: bool,
        /// The answer is for a packet of a later request, and acknowledges the oldest one whole.
        passes: bool,
        /// The answered packet is not sent yet, or is to be sent again.
        overtakes: bool,
        /// The answer is for the oldest unacknowledged packet.
        next: bool,
        /// The answer ends the oldest request.
        over: bool,
        /// The oldest unacknowledged packet is the last one of the request.
        remains: bool,
        /// The outstanding request is an RDMA READ or an atomic operation.
        reads: bool,
        /// The data are of the kind that answers the outstanding request.
        suits: bool,
        /// The saved answer is that of the packet.
        saved: bool,
        /// The RDMA READ waits behind those that are answered.
        appends: bool,
        /// The RDMA READ would wait, and there is no place.
        crowded: bool,
        /// The next packet to send is the oldest unacknowledged one: none is in flight.
        rests: bool,
        /// The packet has the expected PSN.
        follows: bool,
        /// The packet is a duplicate.
        repeats: bool,
        /// The packet has as many bytes as its kind may have.
        sized: bool,
        /// Receive WQEs posted and not yet taken.
        posted: u16,
        /// Place of the WQE in its ring.
        place: u16,
        /// Packets from the oldest unacknowledged one to the next one to send.
        sent: u32 : 24,
        /// Packets from the oldest unacknowledged one to the answered one.
        answered: u32 : 24,
        /// Packets from the oldest unacknowledged one to the last one of its request.
        all: u32 : 24,
        /// Packets from the oldest unacknowledged one to the last one of the newest request.
        whole: u32 : 24,
        /// Packets of the outstanding RDMA READ whose data have arrived.
        begun: u32 : 24,
        /// Low bits of the length of the outstanding RDMA READ without this packet: the offset of its last
        /// packet.
        rest: u16 : 12,
        /// The data of the outstanding request have the kind and the length that are due.
        fits: bool,
        /// Ticks from now to the next deadline: the time-out, or the delay of an RNR NAK.
        ticks: u32,
        /// Tick at which the time-out of the outstanding request expires.
        deadline: u32,
        /// The packet may be taken.
        good: bool,
        /// Event of the requester in this state, a `requester::Cause`.
        event: u8 : 4,
        /// Event of the responder in this state, a `responder::Cause`.
        cause: u8 : 3,
        /// Byte address of the buffer; of the peer's RDMA WRITE or READ, or of its atomic operation.
        address: u32,
        /// Bytes of the buffer; those that the peer's RDMA WRITE or READ still has.
        length: u32,
        /// Key for `address`.
        l_key: u32,
        /// Value of an atomic operation: the original one, then the new one.
        word: u64,
        /// Value that the peer's atomic operation swaps in or adds.
        swap: u64,
        /// Value with which the peer's compare-and-swap compares.
        compare: u64,
        /// Status for the CQE, a `Status`.
        status: u8,
        /// Packets dropped, messages received and receptions failed.
        counts: ReceiveCounts,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/receive_engine_pkg",
    source: file!(),
    items: &[
        Item::StateMachine(State::TABLE),
        Item::Bundle(PacketForm::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for ReceiveEngine {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let good = q.status == Status::Success.code();
        Out {
            memory_read: q.state == Head,
            memory_address: u16::from(q.slot) << 9 | u16::from(q.index),
            load: q.state == Load,
            pair: Out::WIDTHS.pair.wrap(q.destination),
            group_load: q.state == Group,
            group: (q.quarters & 3) << 4 | q.destination_lid as u8 & 0xf,
            shared_load: q.state == Pool,
            shared_queue: q.shared_queue,
            shared_store: q.state == Store && q.taken,
            shared: q.pool,
            sinks: q.state == Store && q.taken && q.low,
            key_load: q.state == Key,
            key: Out::WIDTHS.key.wrap(q.l_key),
            store: q.state == Store && !q.answer,
            responder: q.responder,
            reader: q.reader,
            read_store: q.state == Store && q.appends,
            read_place: q.read_place(),
            read: q.read(),
            acknowledge: q.state == Store && q.answer,
            requester: q.requester,
            request_load: q.state == Answer,
            request_place: Out::WIDTHS.request_place.wrap((q.requester.consumed as u8).wrapping_add(1)),
            post: q.state == Store && q.connected,
            transfer: q.transfer(),
            copy: matches!(q.state, Fetch | Operand | Copy),
            supply: q.state == Copy && (q.says.atomic || q.says.original),
            value: q.word,
            complete: q.state == Complete,
            entry: Entry {
                ring: q.ring,
                index: if q.answer { q.requester.consumed } else { q.responder.consumed }.wrapping_sub(1),
                pair: Entry::WIDTHS.pair.wrap(q.destination),
                operation: if q.answer {
                    q.requester.operation
                } else {
                    RECEIVED | if q.says.write { WRITTEN } else { 0 } | u8::from(q.says.immediate)
                },
                status: q.status,
                source: if q.connected { 0 } else { q.source },
                source_lid: q.source_lid,
                bytes: if good && (!q.answer || q.says.response) { q.total } else { 0 },
                immediate: if !q.says.immediate {
                    0
                } else if q.connected && !q.says.remote {
                    q.q_key
                } else {
                    q.immediate
                },
            },
            fail: q.state == Store && (q.fail || q.answer && !good),
            done: q.state == Release,
            counts: q.counts,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let q = *self;
        let rule = q.requester_rule();
        let row = q.responder_rule(pins);
        self.next_state(&q, pins, &rule, &row);
        self.next_packet(&q, pins);
        self.next_rows(&q, pins, &rule, &row);
        self.next_buffer(&q, pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Probe for ReceiveEngine {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
