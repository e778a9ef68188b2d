//! Requester: one rule of the sending side of a connection (IBA volume 1, sections 9.7.5, 9.7.6).
//!
//! A connection has one request under way, of one packet or many; the last one asks for an answer. An answer for a packet of the request
//! acknowledges those before it. Whoever must send again goes back to the oldest packet that is not acknowledged.
//!
//! An RDMA READ is one packet with the numbers of all packets of its data, and these acknowledge it. They are taken in order; when one is
//! missing, the rest is asked for again after the time-out.
//!
//! Combinational: all inputs to all outputs. The registers are the row of the queue pair.

use hdl::{Bundle, Item, Package};

use super::PSN_MASK;
use crate::contexts::Requester;
use crate::layout::Status;

hdl::codes! {
    /// What happens to a requester.
    pub enum Cause in requester_pkg, width 4 {
        /// Nothing.
        Nothing = 0,
        /// An answer arrives.
        Answer = 1,
        /// A packet of the data of an RDMA READ arrives.
        Respond = 2,
        /// It is taken.
        Take = 3,
        /// The request cannot be sent.
        Fail = 4,
        /// A request begins.
        Begin = 5,
        /// The next packet leaves.
        Send = 6,
        /// Its turn: has the deadline passed?
        Turn = 7,
        /// The next request is flushed.
        Flush = 8,
    }
}

hdl::bundle! {
    /// Input pins of the requester.
    pub struct In in requester_pkg {
        /// Row of the queue pair.
        row: Requester,
        /// What happens.
        cause: u8 : 4,
        /// Packets of the request behind its first one.
        more: u32 : 24,
        /// The request is an RDMA READ: whoever asks has compared before, here and in the next eight.
        reads: bool,
        /// The packet that is due is the oldest one.
        rests: bool,
        /// There is a packet that is due.
        unsent: bool,
        /// There is one after going back to the oldest.
        unanswered: bool,
        /// An answer is for a packet of the request.
        belongs: bool,
        /// And for one that is not sent yet, or again.
        overtakes: bool,
        /// It is for the oldest one.
        next: bool,
        /// It ends the request: the last packet is acknowledged, or a NAK is one too many or for good.
        over: bool,
        /// The oldest one is the last one.
        remains: bool,
        /// Its operation.
        operation: u8,
        /// Its length.
        length: u32,
        /// It wants a CQE.
        signalled: bool,
        /// PSN of an answer.
        psn: u32 : 24,
        /// What it says.
        syndrome: u8,
        /// A packet of data is the last one of its answer.
        ends: bool,
        /// It has the bytes that are due.
        fits: bool,
        /// To send again is once too often: whoever asks has compared before.
        spent: bool,
        /// The next deadline: whoever asks has added before.
        deadline: u32,
        /// The last one has passed: whoever asks has compared before.
        passed: bool,
        /// Packets are sent again when it has passed.
        resends: bool,
    }
}

hdl::bundle! {
    /// Output pins of the requester.
    pub struct Out in requester_pkg {
        /// Row of the queue pair after the event.
        row: Requester,
        /// There is a packet to send.
        sends: bool,
        /// A packet of data is the next one, and may be taken.
        takes: bool,
        /// The request is over.
        finish: bool,
        /// How it ended.
        status: u8,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "hca/protocol/requester_pkg",
    source: file!(),
    items: &[Item::Codes(Cause::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// What an answer acknowledges: its own packet, or those before it; nothing of an RDMA READ, whose data do so.
#[inline]
fn progress(reads: bool, syndrome: u8, next: bool) -> bool {
    !reads && (syndrome >> 5 & 3 == 0 || !next)
}

/// Whether an answer for a packet of a request ends it: the last packet is acknowledged, or a NAK is one too many or for good. 7 RNR NAKs stand
/// for any number, and what acknowledges a packet counts anew.
#[inline]
pub fn over(
    q: &Requester,
    reads: bool,
    syndrome: u8,
    next: bool,
    closes: bool,
    (retries, rnr_retries): (u8, u8),
) -> bool {
    let count = |retries| if progress(reads, syndrome, next) { 0 } else { retries };
    match (syndrome >> 5 & 3, syndrome & 0x1f) {
        (0, _) => !reads && closes,
        (1, _) => count(q.rnr) == rnr_retries && rnr_retries != 7,
        (3, 0) => count(q.retries) == retries,
        (3, 1..=3) => true,
        _ => false,
    }
}

/// Output pins for the input pins of the same cycle.
#[inline]
pub fn apply(pins: &In) -> Out {
    let q = &pins.row;
    let mut d = *q;
    let mut finish = false;
    let mut takes = false;
    let mut sends = false;
    let mut status = Status::Success;

    let positive = pins.syndrome >> 5 & 3 == 0;
    let progress = progress(pins.reads, pins.syndrome, pins.next);
    let retries = if progress { 0 } else { q.retries };
    let rnr = if progress { 0 } else { q.rnr };
    let oldest = if pins.reads { q.oldest } else { pins.psn.wrapping_add(positive.into()) & PSN_MASK };

    match Cause::from_code(pins.cause) {
        // Begin: all packets have their numbers from the beginning.
        Some(Cause::Begin) => {
            d.first = q.psn;
            d.oldest = q.psn;
            d.last = q.psn.wrapping_add(pins.more) & PSN_MASK;
            d.active = true;
            d.signalled = pins.signalled;
            d.operation = pins.operation;
            d.length = pins.length;
            d.retries = 0;
            d.rnr = 0;
            d.waiting = false;
            d.deadline = pins.deadline;
        }
        // Send: the deadline is that of the packet that left last. An RDMA READ has asked for all.
        Some(Cause::Send) => {
            d.psn = if pins.reads { q.last } else { q.psn }.wrapping_add(1) & PSN_MASK;
            d.deadline = pins.deadline;
        }
        // Answer: one for another request says nothing any more.
        Some(Cause::Answer) => {
            finish = pins.over;
            let (kind, code) = (pins.syndrome >> 5 & 3, pins.syndrome & 0x1f);
            match (kind, code) {
                _ if !(q.active && pins.belongs) => (),
                // ACK.
                (0, _) if !pins.reads => {
                    (d.oldest, d.retries, d.rnr, d.waiting) = (oldest, retries, rnr, false);
                    d.deadline = pins.deadline;
                    if pins.overtakes {
                        d.psn = oldest;
                    }
                }
                // RNR NAK: the same packet again, when the peer may be ready.
                (1, _) => {
                    (d.oldest, d.retries, d.rnr) = (oldest, retries, if rnr == 7 { 7 } else { rnr + 1 });
                    (d.psn, d.waiting) = (oldest, true);
                    d.deadline = pins.deadline;
                }
                // NAK for a gap: from there on again.
                (3, 0) => {
                    (d.oldest, d.retries, d.rnr, d.waiting) =
                        (oldest, if retries == 7 { 7 } else { retries + 1 }, rnr, false);
                    (d.psn, d.deadline) = (oldest, pins.deadline);
                }
                _ => (),
            }
            // Too many NAKs, and those for good.
            status = match (pins.over, kind, code & 3) {
                (true, 1, _) => Status::RnrRetryExceeded,
                (true, 3, 0) => Status::RetryExceeded,
                (true, 3, 1) => Status::RemoteInvalidRequest,
                (true, 3, 2) => Status::RemoteAccess,
                (true, 3, _) => Status::RemoteOperation,
                _ => Status::Success,
            };
        }
        // Turn: who waited for the peer goes on; who waited for an answer goes back.
        Some(Cause::Turn) if q.active && pins.passed => {
            sends = !q.waiting && pins.unsent;
            if q.waiting {
                sends = pins.unsent;
                d.waiting = false;
                d.deadline = pins.deadline;
            } else if pins.resends && !pins.rests {
                sends = pins.unanswered;
                (d.psn, d.deadline) = (q.oldest, pins.deadline);
                d.retries = if q.retries == 7 { 7 } else { q.retries + 1 };
                if pins.spent {
                    sends = false;
                    (finish, status) = (true, Status::RetryExceeded);
                }
            }
        }
        Some(Cause::Turn) => sends = q.active && !q.waiting && pins.unsent,
        // Respond: one that is not due says nothing; one that is not what was asked for ends all.
        Some(Cause::Respond) if q.active && pins.reads && pins.next => {
            if pins.fits && pins.ends == pins.remains {
                takes = true;
            } else {
                (finish, status) = (true, Status::BadResponse);
            }
        }
        // Take: it acknowledges itself.
        Some(Cause::Take) => {
            d.oldest = q.oldest.wrapping_add(1) & PSN_MASK;
            (d.retries, d.rnr, d.waiting, d.deadline) = (0, 0, false, pins.deadline);
            if pins.rests {
                d.psn = d.oldest;
            }
            finish = pins.remains;
        }
        // Fail: the owner is told what is wrong with it, outside.
        Some(Cause::Fail) => {
            finish = true;
            status = Status::OperationError;
        }
        // Flush: the queue has failed before.
        Some(Cause::Flush) => {
            finish = true;
            status = Status::Flushed;
        }
        _ => (),
    }

    if finish {
        d.active = false;
        d.consumed = q.consumed.wrapping_add(1);
        d.failed = status != Status::Success;
    }
    Out { row: d, sends, takes, finish, status: status.code() }
}
