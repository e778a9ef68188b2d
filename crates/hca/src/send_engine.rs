//! Send engine: takes a WQE of a send queue and makes a packet of it (IBA volume 1, sections 9.7.5, 9.8.2, 10.7.2).
//!
//! Doorbell, WQE, key, data, headers, completion: one after the other. A datagram is one packet, and longer ones are refused. Of a
//! connection each turn sends a packet of the data that an RDMA READ has asked for, or an answer of its responder, or a packet of the request
//! under way; its WQE is read again for each of them, and done when the peer has acknowledged the last. A doorbell that claims more WQEs than the ring has places kills the queue: what
//! lies there is not known to be a request.

mod packet;
mod pins;
mod state;

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use crate::completion::Entry;
use crate::contexts::{Reader, Requester, Responder};
use crate::host_dma::Transfer;
use crate::layout::{Operation, SEND_WQE_USED};
use crate::registers::SendCounts;

pub use pins::{In, Out};

/// Word of a slot from which on WQEs lie; packets end before it.
pub const WQE_WORD: u16 = 480;

hdl::machine! {
    /// Send engine.
    pub enum State in send_engine_pkg {
        /// Waits for its turn.
        Idle => [Load],
        /// Reads the rows of the queue pair and the doorbell.
        Load => [Look],
        /// Takes the rows, and how many WQEs there are.
        Look => [Turn],
        /// What is there to send?
        Turn => [Fetch, Key, Frame, Complete, Store, Finish],
        /// Gets it.
        Fetch => [Key],
        /// Reads the row of its key.
        Key => [Check],
        /// May it be sent?
        Check => [Begin],
        /// Begins it, or tells what is wrong.
        Begin => [Cut, Complete, Store],
        /// Which part of the message goes into the packet?
        Cut => [Frame],
        /// How long are its headers, and all of it?
        Frame => [Copy, Header],
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
    /// What the operation of a WQE says.
    pub struct Says in send_engine_pkg {
        /// It is a SEND.
        send: bool,
        /// It is an RDMA WRITE.
        write: bool,
        /// It is an RDMA READ.
        read: bool,
        /// There is immediate data behind the last one's headers.
        immediate: bool,
    }
}

impl Says {
    /// That of an operation.
    #[inline]
    fn of(operation: u8) -> Self {
        let is = |one: Operation| operation == one.code();
        let immediate = is(Operation::SendImmediate) || is(Operation::RdmaWriteImmediate);
        Self {
            send: is(Operation::Send) || is(Operation::SendImmediate),
            write: is(Operation::RdmaWrite) || is(Operation::RdmaWriteImmediate),
            read: is(Operation::RdmaRead),
            immediate,
        }
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
        /// Units of 4 bytes in front of them.
        headers: u8 : 4,
        /// With those of the data.
        units: u16 : 11,
        /// Its operation code.
        kind: u8,
        /// It has a RETH.
        reth: bool,
        /// It is the first one of its message.
        first: bool,
        /// It is the last one.
        last: bool,
        /// WQEs in the ring.
        posted: u16,
        /// The doorbell is beyond the ring.
        beyond: bool,
        /// The deadline of the request under way has passed.
        passed: bool,
        /// Its packet that is due is the oldest one.
        rests: bool,
        /// There is a packet that is due.
        unsent: bool,
        /// There is one after going back to the oldest.
        unanswered: bool,
        /// Packets are sent again when the deadline has passed.
        resends: bool,
        /// That is once too often.
        spent: bool,
        /// The next one.
        deadline: u32,
        /// The WQE is not that of the request under way.
        changed: bool,
        /// It has no more bytes than it may, and as many as the request under way.
        sized: bool,
        /// The packet may be sent.
        good: bool,
        /// What happens to the requester in this state.
        event: u8 : 4,
        /// And to the responder.
        cause: u8 : 3,
        /// The queue pair fails.
        fail: bool,
        /// There is more to do.
        again: bool,
        /// Where the WQE lies.
        wqe: u32,
        /// Address behind the data.
        reach: u64 : 33,
        /// Packets of the message in front of the one that is due.
        begun: u32 : 24,
        /// Packets of the message behind its first one.
        more: u32 : 24,
        /// Where the packet that is due begins in the message.
        offset: u32,
        /// Operation.
        operation: u8,
        /// What it says.
        says: Says,
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
        Item::Bundle(Says::TABLE),
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
            key: q.l_key as u8 & 0xf,
            store: q.state == Store && !q.answering,
            requester: q.requester,
            answered: q.state == Store && q.answering,
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

impl Probe for SendEngine {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
