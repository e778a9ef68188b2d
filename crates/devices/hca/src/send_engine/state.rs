//! State of the send engine: what a turn does, how it ends, and which events follow.

use super::{In, SendEngine, State};
use crate::layout::Status;
use crate::protocol::{requester, responder};

/// Work of a turn. At most one of the first three holds, `kills` and `finishes` only with `serves`, and `drains` with
/// none of the others but `serves`.
pub(super) struct Work {
    /// The send queue, although data for the peer's RDMA READ are still to be sent.
    pub yields: bool,
    /// Data for the peer's RDMA READ, or the saved answer of its atomic operation, which go first.
    pub sends_data: bool,
    /// An acknowledgement.
    pub sends_ack: bool,
    /// The send queue, unless it is closed or dead.
    pub serves: bool,
    /// The doorbell is beyond the ring: the queue dies.
    pub kills: bool,
    /// The oldest request, or the WQE that is flushed, is over.
    pub finishes: bool,
    /// A receive WQE, if one is posted, is flushed.
    pub drains: bool,
}

impl SendEngine {
    /// Work of the turn in state `Turn`.
    #[inline]
    pub(super) fn work(&self, rule: &requester::Out) -> Work {
        let q = self;
        let connected = q.present && q.connected;
        let works = if q.requester.active { q.unsent || q.begins || q.passed } else { q.posted != 0 };
        let open = q.open && !q.requester.dead;
        let yields = q.reader.yields && works && open && !q.beyond && !q.responder.answer;
        let sends_data = connected && q.reader.active && !q.broken && !yields;
        let sends_ack = connected && q.responder.answer && !sends_data;
        let serves = !sends_data && !sends_ack && open;
        let kills = serves && q.beyond;
        let finishes = serves && !kills && rule.finish;
        let drains = q.broken && !sends_ack && !kills && !finishes;
        let yields = yields && connected && q.reader.active && !q.broken;
        Work { yields, sends_data, sends_ack, serves, kills, finishes, drains }
    }

    /// Whether the packet is the last one of a request of an unreliable connection.
    #[inline]
    pub(super) fn closes(&self) -> bool {
        self.unreliable && self.last && !self.answering
    }

    /// Event of the requester in `Turn`, if nothing else is to be sent. In the error state its oldest WQE is flushed.
    #[inline]
    fn turn(&self, pins: &In) -> requester::Cause {
        let (attributes, posted) = (&pins.attributes, self.posted(pins));
        let broken = self.is_broken(pins);
        let data = pins.reader.active && !pins.reader.yields && !broken;
        let answers = attributes.connected && (pins.responder.answer || data);
        let alive = !pins.requester.dead && u32::from(posted) <= self.size(pins);
        if answers || !alive {
            requester::Cause::Nothing
        } else if broken {
            if posted == 0 { requester::Cause::Nothing } else { requester::Cause::Flush }
        } else if attributes.connected && attributes.sends(pins.requester.active) {
            requester::Cause::Turn
        } else {
            requester::Cause::Nothing
        }
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
                    d.fail = false;
                    d.again = false;
                    d.status = Status::Success.code();
                    d.state = Load;
                }
            }
            Load => d.state = Look,
            Look => {
                d.event = q.turn(pins).code();
                d.state = Turn;
            }
            Turn => d.next_turn(q, rule),
            Fetch => {
                if pins.copied {
                    d.state = Key;
                }
            }
            Key => d.state = Check,
            Check => {
                d.next_verdict(q, pins);
                d.state = Begin;
            }
            // Begin: a request that may not be sent fails when it is the oldest one; on a connection the queue pair
            // fails with it.
            Begin => {
                d.state = match (q.good, q.fails()) {
                    (true, _) => Cut,
                    (false, true) => Complete,
                    (false, false) => Store,
                };
                if q.fails() {
                    d.counts.failed = q.counts.failed.wrapping_add(1);
                    d.fail = q.connected;
                    d.again = true;
                }
            }
            Cut => {
                if q.connected && !q.responding {
                    d.again = true;
                }
                d.state = Frame;
            }
            Frame => d.state = if q.bytes == 0 { Header } else { Copy },
            Copy => {
                if pins.copied {
                    d.state = Header;
                }
            }
            Header => {
                if q.index == q.last_header() {
                    if !q.answering {
                        d.event = requester::Cause::Send.code();
                    }
                    if q.responding {
                        d.cause = responder::Cause::Respond.code();
                    }
                    d.state = Launch;
                }
            }
            // Launch: a message that nothing acknowledges is done when it is sent.
            Launch => {
                d.counts.sent = q.counts.sent.wrapping_add(1);
                d.state = if q.signalled && (!q.connected || q.closes()) { Complete } else { Store };
            }
            Drain => d.state = Count,
            Count => d.state = Flush,
            // Flush: a doorbell beyond the ring kills the receive queue, too.
            Flush => {
                d.state = if q.responder.dead || q.posted == 0 {
                    Finish
                } else if q.beyond {
                    d.fail = true;
                    Store
                } else {
                    d.status = Status::Flushed.code();
                    d.again = true;
                    Complete
                };
            }
            Complete => {
                if pins.completed {
                    d.state = Store;
                }
            }
            Store => d.state = Finish,
            Finish => d.state = Idle,
        }
    }

    /// Turn: the first work that there is decides.
    #[inline]
    fn next_turn(&mut self, q: &Self, rule: &requester::Out) {
        use State::*;
        let d = self;
        let work = q.work(rule);
        d.state = if work.sends_data {
            d.again = true;
            if q.reader.atomic { Frame } else { Key }
        } else if work.sends_ack {
            d.again = true;
            Frame
        } else if work.kills {
            d.fail = true;
            d.again = q.broken;
            Store
        } else if work.finishes {
            d.status = rule.status;
            d.fail = q.event != requester::Cause::Flush.code();
            d.again = true;
            Complete
        } else if work.drains {
            Drain
        } else if !work.serves {
            Finish
        } else if q.connected && q.requester.active {
            if rule.sends { Fetch } else { Store }
        } else if q.posted == 0 {
            Finish
        } else {
            d.again = q.posted > 1;
            Fetch
        };
        if work.yields {
            d.again = true;
        }
    }

    /// Check: whether the packet may be sent; `Begin` acts on it.
    #[inline]
    fn next_verdict(&mut self, q: &Self, pins: &In) {
        let d = self;
        if q.responding {
            d.good = q.allowed(pins) && !q.reader.denied;
            if !d.good {
                d.cause = responder::Cause::Refuse.code();
            }
        } else {
            let verdict = q.verdict(pins);
            d.good = verdict == Status::Success && !q.waits();
            d.status = verdict.code();
            if q.connected && d.good && !q.resumes {
                d.event = requester::Cause::Begin.code();
            }
        }
    }
}
