//! Request: the WQE, whether it may be sent, and which part of its message this packet has.

use super::{In, SendEngine, State};
use crate::key_check;
use crate::layout::{ATOMIC_BYTES, MAX_MESSAGE, Operation, RECEIVED, Status, is_atomic, mtu_bytes, mtu_log};
use crate::protocol::{psn_distance, requester};

hdl::bundle! {
    /// The operation of a WQE, decoded.
    pub struct OperationFlags in send_engine_pkg {
        /// SEND, with or without immediate data.
        send: bool,
        /// RDMA WRITE, with or without immediate data.
        write: bool,
        /// RDMA READ.
        read: bool,
        /// The last packet carries immediate data.
        immediate: bool,
        /// Atomic operation.
        atomic: bool,
        /// Compare-and-swap.
        compares: bool,
    }
}

impl OperationFlags {
    /// Decodes an operation; one that is unknown has no flag.
    #[inline]
    fn of(operation: u8) -> Self {
        let is = |one: Operation| operation == one.code();
        Self {
            send: is(Operation::Send) || is(Operation::SendImmediate),
            write: is(Operation::RdmaWrite) || is(Operation::RdmaWriteImmediate),
            read: is(Operation::RdmaRead),
            immediate: is(Operation::SendImmediate) || is(Operation::RdmaWriteImmediate),
            atomic: is_atomic(operation),
            compares: is(Operation::CompareSwap),
        }
    }
}

impl SendEngine {
    /// Whether the key allows the access to host memory.
    #[inline]
    pub(super) fn allowed(&self, pins: &In) -> bool {
        let q = self;
        key_check::check(&key_check::In {
            row: pins.key,
            key: q.l_key,
            domain: pins.attributes.domain,
            address: q.address,
            length: q.length,
            reach: q.reach,
            local_write: (q.says.read || q.says.atomic) && !q.responding,
            remote_read: q.responding,
            ..key_check::In::default()
        })
        .allowed
    }

    /// Status of the request before it is sent. RDMA WRITEs need a connection, RDMA READs and atomic operations a
    /// reliable one.
    #[inline]
    pub(super) fn verdict(&self, pins: &In) -> Status {
        let q = self;
        let remote = q.says.write || !q.unreliable && (q.says.read || q.says.atomic);
        let wanted = q.says.send || pins.attributes.connected && remote;
        if !wanted || q.changed {
            Status::OperationError
        } else if !q.sized {
            Status::LengthError
        } else if !q.allowed(pins) {
            Status::ProtectionError
        } else {
            Status::Success
        }
    }

    /// Whether the request must wait until those before it are done: an atomic operation is outstanding alone, RDMA
    /// READs among themselves.
    #[inline]
    pub(super) fn waits(&self) -> bool {
        let q = self;
        q.requester.sent != 0 && (q.says.atomic || !q.resumes && q.says.read != q.reading)
    }

    /// Begin: whether the request fails. It does when those before it are done, so that completions stay in order.
    #[inline]
    pub(super) fn fails(&self) -> bool {
        !self.responding && !self.good && self.requester.sent == 0
    }

    /// Begin: whether a request does not begin before all others are done.
    #[inline]
    pub(super) fn waits_for_others(&self) -> bool {
        !self.responding && !self.good && !self.resumes && self.requester.sent != 0
    }

    /// Whether the length is allowed, and that of the outstanding request. A datagram has at most one MTU, an
    /// atomic operation has 8 bytes; its operation is decoded in the same cycle.
    #[inline]
    fn is_sized(&self, pins: &In) -> bool {
        let q = self;
        let mtu = u32::from(mtu_bytes(pins.attributes.mtu));
        let most = if pins.attributes.connected { MAX_MESSAGE } else { mtu };
        let is_atomic = OperationFlags::of(q.operation).atomic;
        mtu != 0
            && q.length <= most
            && (!is_atomic || q.length == ATOMIC_BYTES)
            && (!q.resumes || q.length == q.request.length)
    }

    /// Fields of the WQE, and what is derived from them.
    #[inline(always)]
    pub(super) fn next_request(&mut self, q: &Self, pins: &In, rule: &requester::Out) {
        use State::*;
        let d = self;
        match q.state {
            Turn => {
                let work = q.work(rule);
                if work.sends_data {
                    d.address = q.reader.address;
                    d.length = q.reader.left;
                    d.l_key = q.reader.key;
                }
                if work.sends_ack || work.sends_data {
                    d.take_peer(pins);
                }
                if work.finishes {
                    let flushes = q.event == requester::Cause::Flush.code();
                    d.operation = if flushes { 0 } else { q.requester.operation };
                }
            }
            Flush => d.operation = RECEIVED,
            Fetch => {
                if pins.word_valid {
                    d.take_word(pins);
                }
                // The row of the request is in `request` a cycle after it has been read; a copy takes longer.
                let before = psn_distance(q.request.first, q.requester.psn);
                d.resumes = q.requester.sent != q.requester.begun;
                d.begun = if d.resumes { before } else { 0 };
            }
            Key => {
                // A message of no bytes is one packet. The longest has 2^30 bytes, 2^22 packets: fewer than
                // half of all PSNs.
                let log = mtu_log(pins.attributes.mtu);
                let after = Self::WIDTHS.more.wrap(q.length.wrapping_sub(1) >> log);
                d.says = OperationFlags::of(q.operation);
                d.reach = u64::from(q.address) + u64::from(q.length);
                d.more = if q.length == 0 { 0 } else { after };
                d.offset = q.begun << log;
                d.changed = q.resumes && q.operation != q.request.operation;
                d.sized = q.is_sized(pins);
            }
            Check if q.connected => {
                d.take_peer(pins);
            }
            Cut if q.connected && !q.responding => {
                d.address = q.address.wrapping_add(q.offset);
                d.remote = q.remote.wrapping_add(q.offset.into());
                d.length = q.length.wrapping_sub(q.offset);
            }
            _ => {}
        }
    }

    /// The packet goes to the peer of the connection.
    #[inline]
    fn take_peer(&mut self, pins: &In) {
        self.destination = pins.attributes.peer;
        self.destination_lid = pins.attributes.peer_lid;
        self.level = 0;
    }

    /// Takes a word of the WQE; `layout` has its fields.
    #[inline]
    fn take_word(&mut self, pins: &In) {
        let d = self;
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
                d.swap = pins.word;
                d.destination = Self::WIDTHS.destination.wrap(low);
                d.destination_lid = high as u16;
                d.level = Self::WIDTHS.level.wrap(high >> 16);
            }
            5 => {
                d.compare = pins.word;
                d.q_key = low;
            }
            _ => (),
        }
    }
}
