//! Receive engine: finds the queue pair of a packet, takes a receive WQE and puts the data there (IBA volume 1, sections 9.7.4, 9.8.3,
//! 10.7.3). An answer goes to the requester of its connection.
//!
//! What an RDMA WRITE has goes where it says, and what an RDMA READ asks for is left to the send engine; both if the r_key allows it. The data
//! of an RDMA READ of ours go where its WQE says, which is read again for each packet.
//!
//! Data of a datagram lie 40 bytes behind the beginning of the buffer, where a global route header would be. A packet that is not for a
//! queue pair of ours is dropped and counted, and takes no WQE; a WQE whose buffer or key does not allow the packet ends with an error.

mod packet;
mod pins;
mod state;

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use crate::completion::Entry;
use crate::contexts::{Reader, Requester, Responder};
use crate::host_dma::Transfer;
use crate::layout::{RECEIVE_WQE_BYTES, RECEIVED, SEND_WQE_USED, Status, WRITTEN};
use crate::registers::ReceiveCounts;
use crate::send_engine::WQE_WORD;

pub use packet::Says;
pub use pins::{In, Out};

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
        /// Takes the rows, and how many WQEs there are.
        Look => [Admit],
        /// Does the queue pair take it?
        Admit => [Answer, Judge, Fetch, Store, Release],
        /// What does an answer change?
        Answer => [Fetch, Complete, Store],
        /// Is a packet of a connection the next one?
        Judge => [Fetch, Key, Store],
        /// Gets the WQE: a receive WQE, or that of the RDMA READ whose data come.
        Fetch => [Key],
        /// Reads the row of its key.
        Key => [Check],
        /// Is there room for it?
        Check => [Take],
        /// Takes the packet, or refuses it.
        Take => [Copy, Complete, Store],
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
        /// Bytes that are left for the data, in whole units.
        room: u16 : 12,
        /// It is as long as its headers, or longer.
        holds: bool,
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
        /// The connection is broken.
        fail: bool,
        /// Where the WQE lies.
        wqe: u32,
        /// What its kind says.
        says: Says,
        /// Address behind the buffer.
        reach: u64 : 33,
        /// Packets of the data of an RDMA READ behind the first one.
        more: u32 : 24,
        /// Where the data go in the buffer.
        offset: u32,
        /// The data have no room, or are not as many as were asked for; an address at us has more bits than ours.
        misfits: bool,
        /// An answer is for a packet of the request.
        belongs: bool,
        /// And for one that is not sent yet, or again.
        overtakes: bool,
        /// It is for the oldest one.
        next: bool,
        /// It ends the request.
        over: bool,
        /// The oldest one is the last one.
        remains: bool,
        /// The request is an RDMA READ.
        reads: bool,
        /// Its packet that is due is the oldest one.
        rests: bool,
        /// A packet of a connection is the next one.
        follows: bool,
        /// It came before.
        repeats: bool,
        /// It has as many bytes as one like it.
        sized: bool,
        /// WQEs in the ring.
        posted: u16,
        /// Place of the WQE in its ring.
        place: u16,
        /// How far the packet that is due is from the oldest one.
        sent: u32 : 24,
        /// And the one that is answered.
        answered: u32 : 24,
        /// And the last one.
        all: u32 : 24,
        /// Packets of data of an RDMA READ in front of the one that it waits for.
        begun: u32 : 24,
        /// What its last one has more than the one that has come, as far as it counts, if it begins with all of them.
        rest: u16 : 12,
        /// It has the bytes that are due.
        fits: bool,
        /// How far the next deadline is.
        ticks: u32,
        /// The next deadline of the request under way.
        deadline: u32,
        /// The packet may be taken.
        good: bool,
        /// What happens to the requester in this state.
        event: u8 : 4,
        /// And to the responder.
        cause: u8 : 3,
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
    items: &[
        Item::Machine(State::TABLE),
        Item::Bundle(Says::TABLE),
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
                offset: if fetch {
                    WQE_WORD << 3
                } else {
                    u16::from(q.slot) << 12 | u16::from(q.says.units) << 2
                },
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
        self.next(pins);
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
