//! Requester: one rule of the sending side of a connection (IBA volume 1, sections 9.7.5, 9.7.6).
//!
//! A connection has up to 16 outstanding requests, of one or more packets each; the last packet of a request asks for
//! an acknowledgement. An acknowledgement covers all packets up to its own. Requests end in their order: an answer to
//! a later one first acknowledges the oldest one whole, and is then looked at again. A retransmission goes back to the
//! oldest unacknowledged packet.
//!
//! RDMA READs are outstanding among themselves, an atomic operation alone. An RDMA READ is one packet that takes the PSNs
//! of all packets of its data. The data acknowledge themselves and are taken in order; when a packet is missing, the rest
//! is requested again after the time-out. A NAK acknowledges none. The original value of an atomic operation is such
//! data, of one packet.
//!
//! A request of an unreliable connection is over when its last packet is sent.
//!
//! Combinational: all inputs to all outputs. The registers are the row of the queue pair. Comparisons and
//! sums on inputs are made by the engine a cycle earlier.

use hdl::{Bundle, Item, Package};

use super::responder::ACK;
use super::{psn_after, syndrome_code, syndrome_type};
use crate::contexts::Requester;
use crate::layout::Status;

hdl::codes! {
    /// Event of a requester.
    pub enum Cause in requester_pkg, width 4 {
        /// No event: the row stays as it is.
        Nothing = 0,
        /// An acknowledgement or NAK arrives.
        Answer = 1,
        /// A packet of RDMA READ data arrives.
        Respond = 2,
        /// The packet of RDMA READ data is taken.
        Take = 3,
        /// The data of the RDMA READ have no place: the request fails.
        Fail = 4,
        /// A request begins.
        Begin = 5,
        /// The next packet is sent.
        Send = 6,
        /// The scheduler gives the queue pair its turn: the deadline may have passed.
        Turn = 7,
        /// The next WQE is flushed, because the queue has failed.
        Flush = 8,
    }
}

hdl::bundle! {
    /// Input pins of the requester.
    pub struct In in requester_pkg {
        /// Row of the queue pair.
        row: Requester,
        /// Event, a `Cause`.
        cause: u8 : 4,
        /// Packets of the request after its first one.
        more: u32 : 24,
        /// The oldest request is an RDMA READ or an atomic operation, which data answer.
        reads: bool,
        /// The next packet to send is the oldest unacknowledged one: none is in flight.
        rests: bool,
        /// Packets of outstanding requests are still to be sent.
        unsent: bool,
        /// A posted request may begin behind the outstanding ones.
        begins: bool,
        /// Unacknowledged packets remain after a go-back-N restart.
        unanswered: bool,
        /// The answer is for a packet of an outstanding request.
        belongs: bool,
        /// The answer is for a packet of a later request, and acknowledges the oldest one whole.
        passes: bool,
        /// The answered packet is not sent yet, or is to be sent again.
        overtakes: bool,
        /// The answer is for the oldest unacknowledged packet.
        next: bool,
        /// The answer ends the oldest request: it acknowledges the last packet, or is a NAK that is final or
        /// exhausts the retries.
        over: bool,
        /// The oldest unacknowledged packet is the last one of the request.
        remains: bool,
        /// Operation of the request that begins, an `Operation`.
        operation: u8,
        /// Bytes of the request that begins.
        length: u32,
        /// The request that begins asks for a CQE.
        signalled: bool,
        /// PSN of the answer.
        psn: u32 : 24,
        /// Syndrome of the answer (IBA volume 1, table 44).
        syndrome: u8,
        /// The packet of data is the last one of its answer.
        ends: bool,
        /// The packet of data has the kind and the length that are due.
        fits: bool,
        /// The retry count is exhausted.
        spent: bool,
        /// Tick at which the next time-out expires.
        deadline: u32,
        /// The deadline has passed.
        passed: bool,
        /// The queue pair has a time-out, after which it sends again.
        resends: bool,
        /// The packet to send is the last one of a request of a connection.
        last: bool,
        /// PSN of the last packet of that request.
        last_psn: u32 : 24,
        /// The packet is the last one of a request that nothing acknowledges.
        closes: bool,
    }
}

hdl::bundle! {
    /// Output pins of the requester.
    pub struct Out in requester_pkg {
        /// Row of the queue pair after the event.
        row: Requester,
        /// The next packet may be sent.
        sends: bool,
        /// The packet of data is the expected one and may be taken.
        takes: bool,
        /// Sending goes back to the oldest unacknowledged packet, after a time-out.
        restarts: bool,
        /// The oldest request is over.
        finish: bool,
        /// How the request ended, a `Status`.
        status: u8,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/protocol/requester_pkg",
    source: file!(),
    items: &[Item::Codes(Cause::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// Whether an answer acknowledges packets. Data acknowledge themselves instead.
#[inline]
fn progress(reads: bool, syndrome: u8, next: bool) -> bool {
    !reads && (syndrome_type(syndrome) == 0 || !next)
}

/// Whether an answer ends the oldest request: it acknowledges the last packet, which `closes` says, or is a NAK that is
/// final or exhausts the retry count. A final NAK `beyond` the packets of an RDMA READ is about a later one. An RNR
/// retry count of 7 is unlimited; an acknowledgement resets both counts.
#[inline]
pub fn over(
    q: &Requester,
    reads: bool,
    syndrome: u8,
    next: bool,
    (closes, beyond): (bool, bool),
    (retries, rnr_retries): (u8, u8),
) -> bool {
    let count = |retries| if progress(reads, syndrome, next) { 0 } else { retries };
    match (syndrome_type(syndrome), syndrome_code(syndrome)) {
        (0, _) => !reads && closes,
        (1, _) => count(q.rnr) == rnr_retries && rnr_retries != 7,
        (3, 0) => count(q.retries) == retries,
        (3, 1..=3) => !(reads && beyond),
        _ => false,
    }
}

/// Whether a syndrome is an ACK, an RNR NAK or a NAK that is defined.
#[inline]
pub fn is_known(syndrome: u8) -> bool {
    match syndrome_type(syndrome) {
        0 | 1 => true,
        3 => syndrome_code(syndrome) <= 3,
        _ => false,
    }
}

/// A count of retries and one more; 7 is the most.
#[inline]
fn one_more(count: u8) -> u8 {
    if count == 7 { 7 } else { count + 1 }
}

/// Output pins for the input pins of the same cycle.
#[inline]
pub fn apply(pins: &In) -> Out {
    let (sends, takes) = (sends(pins), takes(pins));
    let (finish, status) = end(pins);
    let mut row = next_row(pins);
    if finish {
        row.sent = pins.row.sent;
        row.end();
        row.failed = status != Status::Success;
    }
    let restarts = Cause::from_code(pins.cause) == Some(Cause::Turn) && is_timed_out(pins);
    Out { row, sends, takes, restarts, finish, status: status.code() }
}

/// Whether the deadline of the outstanding request has passed.
#[inline]
fn is_expired(pins: &In) -> bool {
    pins.row.active && pins.passed
}

/// Whether a time-out sends the unacknowledged packets again.
#[inline]
fn is_timed_out(pins: &In) -> bool {
    is_expired(pins) && !pins.row.waiting && pins.resends && !pins.rests
}

/// Turn: whether a packet may be sent. After an RNR NAK, none may before the deadline.
#[inline]
fn sends(pins: &In) -> bool {
    let q = &pins.row;
    Cause::from_code(pins.cause) == Some(Cause::Turn)
        && if is_timed_out(pins) {
            pins.unanswered && !pins.spent
        } else {
            q.active && (pins.unsent || pins.begins) && (!q.waiting || pins.passed)
        }
}

/// Respond: whether data are those that were requested. Other packets are ignored.
#[inline]
fn is_due(pins: &In) -> bool {
    pins.row.active && pins.reads && pins.next
}

/// Respond: whether the packet of data is taken.
#[inline]
fn takes(pins: &In) -> bool {
    Cause::from_code(pins.cause) == Some(Cause::Respond)
        && is_due(pins)
        && pins.fits
        && pins.ends == pins.remains
}

/// Whether the request is over, and how it ended.
#[inline]
fn end(pins: &In) -> (bool, Status) {
    match Cause::from_code(pins.cause) {
        Some(Cause::Answer) => {
            let status = match (syndrome_type(pins.syndrome), syndrome_code(pins.syndrome) & 3) {
                (1, _) => Status::RnrRetryExceeded,
                (3, 0) => Status::RetryExceeded,
                (3, 1) => Status::RemoteInvalidRequest,
                (3, 2) => Status::RemoteAccess,
                (3, _) => Status::RemoteOperation,
                _ => Status::Success,
            };
            let status = if pins.passes { Status::Success } else { status };
            (pins.over, if pins.over { status } else { Status::Success })
        }
        Some(Cause::Turn) if is_timed_out(pins) && pins.spent => (true, Status::RetryExceeded),
        Some(Cause::Respond) if is_due(pins) && !takes(pins) => (true, Status::BadResponse),
        Some(Cause::Send) => (pins.closes, Status::Success),
        Some(Cause::Take) => (pins.remains, Status::Success),
        // Fail: the engine puts the status of the local error into the CQE.
        Some(Cause::Fail) => (true, Status::OperationError),
        Some(Cause::Flush) => (true, Status::Flushed),
        _ => (false, Status::Success),
    }
}

/// The row after the event, but for the end of a request.
#[inline]
fn next_row(pins: &In) -> Requester {
    let q = &pins.row;
    let mut d = *q;
    match Cause::from_code(pins.cause) {
        // Begin: the request takes the PSNs of all its packets.
        Some(Cause::Begin) => {
            d.newest = psn_after(q.psn, pins.more);
            d.begun = Requester::WIDTHS.begun.wrap(q.begun + 1);
            d.active = true;
            if !q.active {
                d.first = q.psn;
                d.oldest = q.psn;
                d.last = psn_after(q.psn, pins.more);
                d.signalled = pins.signalled;
                d.operation = pins.operation;
                d.length = pins.length;
                d.retries = 0;
                d.rnr = 0;
                d.waiting = false;
                d.deadline = pins.deadline;
            }
        }
        // Send: the deadline counts from the last packet sent. An RDMA READ is one packet for all PSNs.
        Some(Cause::Send) => {
            d.psn = psn_after(if pins.reads { pins.last_psn } else { q.psn }, 1);
            d.sent = Requester::WIDTHS.sent.wrap(q.sent + u8::from(pins.last));
            d.deadline = pins.deadline;
        }
        Some(Cause::Answer) if q.active && pins.belongs => answer(&mut d, pins),
        // Turn: after an RNR NAK, sending goes on; after a time-out, it goes back to the oldest packet.
        Some(Cause::Turn) if is_timed_out(pins) => {
            (d.psn, d.sent) = (q.oldest, 0);
            d.deadline = pins.deadline;
            d.retries = one_more(q.retries);
        }
        Some(Cause::Turn) if is_expired(pins) && q.waiting => {
            d.waiting = false;
            d.deadline = pins.deadline;
        }
        // Take: the data acknowledge themselves.
        Some(Cause::Take) => {
            d.oldest = psn_after(q.oldest, 1);
            d.retries = 0;
            d.rnr = 0;
            d.waiting = false;
            d.deadline = pins.deadline;
            if pins.rests {
                d.psn = d.oldest;
            }
        }
        _ => (),
    }
    d
}

/// Answer: the row after an ACK or NAK for a packet of an outstanding request.
#[inline]
fn answer(d: &mut Requester, pins: &In) {
    let q = pins.row;
    let (syndrome, psn) = if pins.passes { (ACK, q.last) } else { (pins.syndrome, pins.psn) };
    let positive = syndrome_type(syndrome) == 0;
    let progress = progress(pins.reads, syndrome, pins.next);
    let retries = if progress { 0 } else { q.retries };
    let rnr = if progress { 0 } else { q.rnr };
    let oldest = if pins.reads { q.oldest } else { psn_after(psn, positive.into()) };
    match (syndrome_type(syndrome), syndrome_code(syndrome)) {
        (0, _) if !pins.reads => {
            (d.oldest, d.retries, d.rnr, d.waiting) = (oldest, retries, rnr, false);
            d.deadline = pins.deadline;
            if pins.overtakes {
                d.psn = oldest;
            }
        }
        // RNR NAK: the same packet again, when the peer may be ready.
        (1, _) => {
            (d.oldest, d.retries, d.rnr) = (oldest, retries, one_more(rnr));
            (d.psn, d.sent, d.waiting) = (oldest, 0, true);
            d.deadline = pins.deadline;
        }
        // NAK for a PSN sequence error: again from the missing packet on.
        (3, 0) => {
            (d.oldest, d.retries, d.rnr, d.waiting) = (oldest, one_more(retries), rnr, false);
            (d.psn, d.sent, d.deadline) = (oldest, 0, pins.deadline);
        }
        _ => (),
    }
}
