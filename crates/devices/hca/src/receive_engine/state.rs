//! State of the receive engine: which packets are taken, how they end, and which events follow.

use super::{In, ReceiveEngine, State};
use crate::contexts::QPS;
use crate::layout::{ATOMIC_BYTES, MULTICAST_LIDS, MULTICAST_PAIR, NEXT_HEADER, Status};
use crate::protocol::{requester, responder};

impl ReceiveEngine {
    /// Whether the packet is well-formed: a known kind and version, and a length that fits the kind.
    #[inline]
    fn is_formed(&self) -> bool {
        let q = self;
        (q.says.datagram || q.says.connected)
            && q.next_header == NEXT_HEADER
            && q.version == 0
            && q.holds
            && (q.room != 0 || q.pad == 0)
            && q.room <= 2048
            && (!(q.says.acknowledge || q.says.read || q.says.atomic) || q.room == 0)
            && (!q.says.original || q.bytes_due())
    }

    /// Whether the packet has exactly the original value of an atomic operation behind its AETH.
    #[inline]
    fn bytes_due(&self) -> bool {
        u32::from(self.room) == ATOMIC_BYTES && self.pad == 0
    }

    /// Whether no queue pair takes the packet: there is none of its service in a state to receive, it is from
    /// another port than the peer's, or one of its queues has failed.
    #[inline]
    fn is_unknown(&self, pins: &In) -> bool {
        let q = self;
        let attributes = &pins.attributes;
        let same_service =
            q.connected == q.says.connected && (!q.connected || q.says.unreliable == attributes.unreliable);
        let served = attributes.receives() && same_service;
        let stranger = q.connected && q.source_lid != attributes.peer_lid;
        let dead = if q.says.answers() { q.requester.dead } else { q.responder.dead };
        !served || stranger || dead || q.requester.failed || q.responder.failed
    }

    /// Whether a datagram has another Q_Key than its queue pair.
    #[inline]
    fn has_wrong_key(&self, pins: &In) -> bool {
        !self.connected && self.q_key != pins.attributes.q_key
    }

    /// Whether the receive queue dies: its doorbell claims more WQEs than the ring has places.
    #[inline]
    pub(super) fn kills(&self, pins: &In) -> bool {
        let q = self;
        let log = if q.borrows { q.pool.log } else { pins.attributes.receive_log };
        let size = 1u32 << log;
        !q.is_unknown(pins) && !q.says.answers() && !q.has_wrong_key(pins) && u32::from(q.posted) > size
    }

    /// Whether the LID of the packet is that of a multicast group.
    #[inline]
    pub(super) fn is_grouped(&self) -> bool {
        self.destination_lid >> 4 == MULTICAST_LIDS >> 4
    }

    /// Whether the destination is none of the adapter, or not that of groups.
    #[inline]
    fn is_misled(&self) -> bool {
        if self.is_grouped() {
            !self.says.datagram || self.destination != MULTICAST_PAIR
        } else {
            self.destination >> QPS.ilog2() != 0
        }
    }

    /// State after the packet: for the next queue pair of its group, if there may be one.
    #[inline]
    fn finished(&self) -> State {
        match (self.members, self.quarters) {
            (0, 4..) => State::Release,
            (0, _) => State::Group,
            _ => State::Member,
        }
    }

    /// Status of the packet before it is taken.
    #[inline]
    fn verdict(&self, pins: &In) -> Status {
        let q = self;
        let remote = q.is_remote();
        if !remote && q.misfits {
            Status::LengthError
        } else if remote && (!q.allowed(pins) || q.misfits) {
            Status::RemoteAccess
        } else if !q.allowed(pins) {
            Status::ProtectionError
        } else {
            Status::Success
        }
    }

    /// Whether the packet has a CQE: the last one of a message or of an RDMA READ that asks for one,
    /// immediate data of an RDMA WRITE, or a local error. A message that an unreliable connection drops has none.
    #[inline]
    fn completes(&self) -> bool {
        let q = self;
        if q.answer {
            !q.good || q.remains && q.requester.signalled
        } else if q.is_remote() {
            q.good && q.says.immediate
        } else if q.good {
            q.says.ends
        } else {
            !q.says.unreliable || q.status != Status::LengthError.code()
        }
    }

    /// State after a packet without a CQE: when it has ended an RDMA READ, the next request of `others` is the oldest.
    #[inline]
    fn ended(&self, others: bool) -> State {
        if self.answer && self.remains && others { State::Advance } else { State::Store }
    }

    /// State, status, and the events of the requester and the responder in the next state.
    #[inline(always)]
    pub(super) fn next_state(&mut self, q: &Self, pins: &In, rule: &requester::Out, row: &responder::Out) {
        use State::*;
        let d = self;
        d.event = requester::Cause::Nothing.code();
        d.cause = responder::Cause::Nothing.code();
        d.fail = q.fail || row.breaks;
        match q.state {
            Idle => {
                if pins.start {
                    d.tells = false;
                    d.fail = false;
                    d.status = Status::Success.code();
                    d.state = Head;
                }
            }
            Head => {
                if q.index == q.last_header() {
                    d.state = Sort;
                }
            }
            Sort => d.next_sorting(q),
            Group => d.state = Members,
            // Members: a group without members here is that of other ports.
            Members => {
                let last = q.quarters & 3 == 3;
                d.state = match (pins.members, last) {
                    (0, true) => Release,
                    (0, false) => Group,
                    _ => Member,
                };
                if d.state == Release && !q.attached {
                    d.counts.foreign = q.counts.foreign.wrapping_add(1);
                }
            }
            Member => {
                d.tells = false;
                d.fail = false;
                d.status = Status::Success.code();
                d.state = Ahead;
            }
            Ahead => d.state = Load,
            Load => d.state = Look,
            Look => d.state = if q.needs_shared(pins) { Pool } else { Admit },
            Pool => d.state = Share,
            Share => d.state = Admit,
            Admit => d.next_admission(q, pins),
            // Answer: a request that is over has a CQE if it asks for one or failed; data go to host memory.
            Answer => {
                d.status = rule.status;
                let failed = rule.status != Status::Success.code();
                d.state = if rule.takes {
                    Fetch
                } else if rule.finish && (failed || q.requester.signalled) {
                    Complete
                } else if rule.finish && rule.row.active {
                    Advance
                } else {
                    Store
                };
            }
            // Judge: a packet out of order is only answered.
            Judge => {
                d.state = match (row.takes, q.is_remote() || q.kept) {
                    (true, true) => Key,
                    (true, false) => Fetch,
                    (false, _) => Store,
                };
            }
            Fetch => {
                if pins.copied {
                    d.state = Key;
                }
            }
            Key => d.state = Check,
            Check => d.next_verdict(q, pins),
            Operand => {
                if pins.copied {
                    d.cause = responder::Cause::Take.code();
                    d.state = Take;
                }
            }
            Take => {
                d.tells = q.completes();
                let writes = if q.says.atomic { q.changes() } else { q.bytes != 0 };
                d.state = match (q.good && writes, q.completes()) {
                    (true, _) => Copy,
                    (false, true) => Complete,
                    (false, false) => q.ended(q.requester.begun > 1),
                };
            }
            Copy => {
                if pins.copied {
                    d.state = if q.tells { Complete } else { q.ended(q.requester.active) };
                }
            }
            Complete => {
                if pins.completed {
                    d.state = if q.answer && q.requester.active { Advance } else { Store };
                }
            }
            Advance => d.state = Store,
            Store => {
                if q.status != Status::Success.code() {
                    d.counts.failed = q.counts.failed.wrapping_add(1);
                } else if q.tells && !q.answer {
                    d.counts.received = q.counts.received.wrapping_add(1);
                }
                // Store: the same answer, to the request that is the oldest one now.
                d.state = if q.answer && q.passes { Load } else { q.finished() };
            }
            Release => d.state = Idle,
        }
    }

    /// Sort: packets for other ports are no error.
    #[inline]
    fn next_sorting(&mut self, q: &Self) {
        let d = self;
        d.state = State::Release;
        if q.destination_lid != q.lid && !q.is_grouped() {
            d.counts.foreign = q.counts.foreign.wrapping_add(1);
        } else if !q.is_formed() {
            d.counts.malformed = q.counts.malformed.wrapping_add(1);
        } else if q.is_misled() {
            d.counts.unknown_qp = q.counts.unknown_qp.wrapping_add(1);
        } else {
            d.state = if q.is_grouped() { State::Group } else { State::Load };
        }
    }

    /// Admit: a datagram that cannot be taken is dropped without an answer.
    #[inline]
    fn next_admission(&mut self, q: &Self, pins: &In) {
        use State::*;
        let d = self;
        d.state = q.finished();
        if q.is_unknown(pins) {
            d.counts.unknown_qp = q.counts.unknown_qp.wrapping_add(1);
        } else if q.says.answers() {
            let event = if q.says.response { requester::Cause::Respond } else { requester::Cause::Answer };
            d.event = event.code();
            d.state = Answer;
        } else if q.has_wrong_key(pins) {
            d.counts.wrong_q_key = q.counts.wrong_q_key.wrapping_add(1);
        } else if q.kills(pins) {
            d.fail = true;
            d.state = Store;
        } else if q.connected {
            d.cause = responder::Cause::Arrive.code();
            d.state = Judge;
        } else if q.posted == 0 {
            d.counts.no_receive = q.counts.no_receive.wrapping_add(1);
        } else {
            d.state = Fetch;
        }
    }

    /// Check: whether the packet may be taken; `Take` acts on it, for an atomic operation when its operand is read.
    #[inline]
    fn next_verdict(&mut self, q: &Self, pins: &In) {
        let d = self;
        let verdict = q.verdict(pins);
        d.good = verdict == Status::Success;
        d.status = verdict.code();
        if q.answer {
            let event = if d.good { requester::Cause::Take } else { requester::Cause::Fail };
            d.event = event.code();
        } else if q.connected && !(d.good && q.says.atomic) {
            // One that waits is refused when the data before it have been sent.
            let takes = d.good || q.appends;
            let cause = if takes { responder::Cause::Take } else { responder::Cause::Refuse };
            d.cause = cause.code();
        }
        d.state = if d.good && q.says.atomic { State::Operand } else { State::Take };
    }
}
