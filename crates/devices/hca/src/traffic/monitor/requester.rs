//! The packets of requests that a sending side may send, and when it may send them again (IBA volume 1, sections
//! 9.7.3, 9.7.5, 9.7.6).
//!
//! Up to 16 requests are outstanding, RDMA READs among themselves and an atomic operation alone. A packet is sent again
//! only for a reason that is visible: a NAK, an RNR NAK whose delay has passed, or a time-out without progress. A restart
//! goes back to the oldest unacknowledged packet.

use std::collections::VecDeque;

use super::frame::{Family, Form, Frame, Remote};
use super::{after, distance};
use crate::contexts::{Attributes, OUTSTANDING};
use crate::layout::{mtu_bytes, rnr_ticks, timeout_ticks};

/// A tick of the retry timer in picoseconds: 1.024 us.
const TICK: u64 = 1_024_000;
/// Ticks by which a deadline is inexact: the current tick has begun, and one is for the packet's way to the link.
const INEXACT: u64 = 2;
/// Ticks after which an expired deadline is found at the latest.
const FOUND: u64 = 17;
/// Lags of other work, that of other packets, before a restart that is due.
const WORK: u64 = 15;
/// Answers that a restart may not know yet.
const RECENT: usize = 6;
/// Requests that are remembered: a packet may be of one whose acknowledgement has just arrived.
const REQUESTS: usize = 2 * OUTSTANDING;

/// Packets sent again, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restarts {
    /// After a time-out.
    pub timeouts: u64,
    /// After a NAK for a PSN sequence error.
    pub naks: u64,
    /// After an RNR NAK.
    pub rnr_naks: u64,
}

/// Headers of a packet of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sent {
    form: Form,
    bytes: usize,
    remote: Option<Remote>,
    operands: Option<[u64; 2]>,
    immediate: Option<u32>,
}

/// A request, outstanding or done.
#[derive(Clone, Debug, Default)]
struct Request {
    first: u32,
    reads: bool,
    /// All packets have been sent once.
    complete: bool,
    /// Bytes still to come of an RDMA WRITE.
    left: usize,
    sent: Vec<Sent>,
}

impl Request {
    /// Whether a request may not begin before this one is done: one of them is atomic, or they are of different kinds.
    fn is_alone(&self, frame: &Frame) -> bool {
        let is_atomic = self.sent.first().is_some_and(|sent| sent.form.is_atomic());
        is_atomic || frame.form.is_atomic() || self.reads != frame.form.reads()
    }
}

/// Oldest unacknowledged PSN since an instant.
#[derive(Clone, Copy, Debug)]
struct Oldest {
    at: u64,
    psn: u32,
}

/// The requester of a queue pair.
#[derive(Clone, Debug)]
pub(super) struct Requester {
    attributes: Attributes,
    /// Packets of a request may change while it is outstanding, because the host rewrites its WQE.
    pub rewritten: bool,
    /// Time that a packet takes from the decision to send it to the link at most.
    pub lag: u64,
    /// PSN after all that have been sent.
    next: u32,
    /// PSN of the last packet sent; of an RDMA READ, that of the last packet of its data.
    previous: Option<u32>,
    /// The latest requests, the newest one last.
    requests: VecDeque<Request>,
    /// History of the oldest unacknowledged PSN, the present one last.
    oldest: VecDeque<Oldest>,
    /// When the timer was started last: a packet began, or an answer made progress.
    started: u64,
    /// History of `started`, for answers that a restart may not know yet.
    progress: VecDeque<u64>,
    /// When the responder of this queue pair sent last: its packets go first.
    answered: u64,
    /// Arrival of each NAK that has asked for a restart which has not been made.
    naks: VecDeque<u64>,
    /// Arrival and delay of an RNR NAK that has asked for a restart.
    rnr: Option<(u64, u64)>,
    /// An acknowledgement has ended the delay of an RNR NAK: sending goes on at once.
    resumes: bool,
    /// Restarts since the last progress, after time-outs and NAKs, and after RNR NAKs.
    counts: (u32, u32),
    /// A NAK for good has arrived.
    refused: Option<u64>,
    pub restarts: Restarts,
}

impl Requester {
    pub fn new(attributes: Attributes) -> Self {
        let psn = attributes.send_psn;
        Self {
            attributes,
            rewritten: false,
            lag: 0,
            next: psn,
            previous: None,
            requests: [Request { first: psn, complete: true, ..Request::default() }].into(),
            oldest: [Oldest { at: 0, psn }].into(),
            started: 0,
            progress: VecDeque::new(),
            answered: 0,
            naks: VecDeque::new(),
            rnr: None,
            resumes: false,
            counts: (0, 0),
            refused: None,
            restarts: Restarts::default(),
        }
    }

    fn newest(&self) -> &Request {
        self.requests.back().expect("there is one")
    }

    /// Requests with a packet that is not acknowledged.
    fn outstanding(&self) -> usize {
        let ends = self.requests.iter().skip(1).map(|request| request.first).chain([self.next]);
        ends.filter(|end| (1..1 << 23).contains(&distance(self.oldest(), *end))).count()
    }

    fn oldest(&self) -> u32 {
        self.oldest.back().expect("there is one").psn
    }

    fn advance(&mut self, psn: u32, now: u64) {
        if psn != self.oldest() {
            self.counts = (0, 0);
            self.oldest.push_back(Oldest { at: now, psn });
            if self.oldest.len() > RECENT {
                self.oldest.pop_front();
            }
        }
    }

    fn restart_timer(&mut self, now: u64) {
        self.progress.push_back(now);
        if self.progress.len() > RECENT {
            self.progress.pop_front();
        }
    }

    /// The responder of this queue pair sends a packet.
    pub fn answer(&mut self, now: u64) {
        self.answered = now;
    }

    /// When a deadline is found at the latest.
    fn found(&self, deadline: u64) -> u64 {
        deadline.max(self.answered) + FOUND * TICK + WORK * self.lag
    }

    /// An answer of the peer arrives.
    pub fn arrive(&mut self, frame: &Frame, now: u64) {
        let oldest = self.oldest();
        let Request { reads, complete, .. } = *self.newest();
        let end = if reads || complete { self.next } else { after(self.next, 1 << 22) };
        let outstanding = distance(oldest, end);
        let answered = distance(oldest, frame.psn);
        if outstanding == 0 || answered >= outstanding {
            return;
        }
        if matches!(frame.form.family, Family::ReadData | Family::Original) {
            if reads && answered == 0 {
                self.resumes |= self.rnr.take().is_some();
                self.advance(after(frame.psn, 1), now);
                self.restart_timer(now);
            }
            return;
        }
        let Some((syndrome, _)) = frame.answer else { return };
        let (kind, code) = (syndrome >> 5 & 3, syndrome & 0x1f);
        match (kind, code) {
            (0, _) if !reads => {
                self.resumes |= self.rnr.take().is_some();
                self.advance(after(frame.psn, 1), now);
                self.restart_timer(now);
            }
            (1, _) => {
                if !reads {
                    self.advance(frame.psn, now);
                }
                self.rnr = Some((now, u64::from(rnr_ticks(code)) * TICK));
                self.restart_timer(now);
            }
            (3, 0) => {
                if !reads {
                    self.advance(frame.psn, now);
                }
                self.rnr = None;
                self.naks.push_back(now);
                self.restart_timer(now);
            }
            // The data of an RDMA READ before the refused one are still to come.
            (3, 1..=3) if reads && answered > distance(oldest, self.end_of(oldest)) => (),
            (3, 1..=3) => self.refused = Some(self.refused.unwrap_or(now)),
            _ => (),
        }
    }

    /// A packet of a request leaves, whose timer was started at `begun` at the earliest; `start` is its first word.
    pub fn leave(&mut self, frame: &Frame, begun: u64, start: u64) -> Result<(), String> {
        if self.refused.is_some_and(|at| start > at + WORK * self.lag) {
            return Err("a queue pair sends requests after a NAK for good".to_owned());
        }
        if self.attributes.unreliable {
            return self.leave_once(frame, start);
        }
        let previous = self.previous.unwrap_or(after(self.next, u32::MAX));
        let result = if frame.psn == self.next {
            self.skip(previous).and_then(|()| self.leave_first_time(frame))
        } else if frame.psn == after(previous, 1) {
            self.same(frame)
        } else {
            self.same(frame).and_then(|()| self.restart(frame, previous, start))
        };
        self.previous = Some(if frame.form.reads() { self.end_of(frame.psn) } else { frame.psn });
        self.started = begun;
        result
    }

    /// PSN of the last packet of the request that has a PSN.
    fn end_of(&self, psn: u32) -> u32 {
        let later = |request: &&Request| (1..1 << 23).contains(&distance(psn, request.first));
        after(self.requests.iter().find(later).map_or(self.next, |request| request.first), u32::MAX)
    }

    /// A packet follows `previous` that has not been sent before: those between are acknowledged.
    fn skip(&self, previous: u32) -> Result<(), String> {
        if after(previous, 1) != self.next && self.oldest() != self.next {
            return Err(format!("it skips packets, of which {:06x} is not acknowledged", self.oldest()));
        }
        Ok(())
    }

    /// A packet of an unreliable connection, which sends no packet twice and waits for no answer.
    fn leave_once(&mut self, frame: &Frame, start: u64) -> Result<(), String> {
        if frame.psn != self.next {
            return Err(format!("the next PSN of an unreliable connection is {:06x}", self.next));
        }
        self.leave_first_time(frame)?;
        self.advance(self.next, start);
        Ok(())
    }

    /// A packet that has not been sent before.
    fn leave_first_time(&mut self, frame: &Frame) -> Result<(), String> {
        let form = frame.form;
        let mtu = usize::from(mtu_bytes(self.attributes.mtu));
        if form.first {
            self.begin(frame)?;
        } else {
            let family = self.newest().sent.first().map(|sent| sent.form.family);
            if self.newest().complete || family != Some(form.family) {
                return Err("a packet continues no request of its kind".to_owned());
            }
        }
        let sized = match (form.first, form.last) {
            _ if form.reads() => true,
            (_, false) => frame.bytes == mtu,
            (true, true) => frame.bytes <= mtu,
            (false, true) => (1..=mtu).contains(&frame.bytes),
        };
        let request = self.requests.back_mut().expect("there is one");
        let due = form.family != Family::Write
            || if form.last { frame.bytes == request.left } else { frame.bytes < request.left };
        if !sized || !due && !self.rewritten {
            return Err(format!("its {} bytes fit neither the MTU of {mtu} nor its message", frame.bytes));
        }
        if form.family == Family::Write {
            request.left = request.left.saturating_sub(frame.bytes);
        }
        request.reads = form.reads();
        request.complete = form.last;
        let packets = match frame.remote.filter(|_| request.reads) {
            Some(remote) => remote.length.div_ceil(mtu as u32).max(1),
            None => 1,
        };
        let Frame { bytes, remote, operands, immediate, .. } = *frame;
        request.sent.push(Sent { form, bytes, remote, operands, immediate });
        self.next = after(self.next, packets);
        Ok(())
    }

    /// Requests of the kind of a packet that may be outstanding.
    fn most(&self, frame: &Frame) -> usize {
        let reads = usize::from(self.attributes.reads).clamp(1, OUTSTANDING);
        if frame.form.reads() { reads } else { OUTSTANDING }
    }

    /// A request begins.
    fn begin(&mut self, frame: &Frame) -> Result<(), String> {
        let newest = self.newest();
        if !newest.complete {
            return Err("a request begins before all packets of its predecessor are sent".to_owned());
        }
        if self.oldest() == self.next {
            self.counts = (0, 0);
            self.naks.clear();
            (self.rnr, self.resumes) = (None, false);
        } else if newest.is_alone(frame) || self.outstanding() == self.most(frame) {
            return Err(format!(
                "a request begins, and {} before it are not acknowledged from PSN {:06x} on",
                self.outstanding(),
                self.oldest()
            ));
        }
        let left = frame.remote.map_or(0, |remote| remote.length as usize);
        self.requests.push_back(Request { first: frame.psn, left, ..Request::default() });
        if self.requests.len() > REQUESTS {
            self.requests.pop_front();
        }
        Ok(())
    }

    /// A packet that is sent again is as it was; an RDMA READ asks for the rest of its data.
    fn same(&self, frame: &Frame) -> Result<(), String> {
        let before = |request: &&Request| distance(request.first, frame.psn) >> 23 == 0;
        let newest = self.newest();
        let request = self.requests.iter().rev().find(before).unwrap_or(newest);
        let place = distance(request.first, frame.psn);
        let Frame { form, bytes, remote, operands, immediate, .. } = *frame;
        let before = if request.reads {
            let done = place.wrapping_mul(mtu_bytes(self.attributes.mtu).into());
            request.sent.first().cloned().map(|mut sent| {
                if let Some(remote) = &mut sent.remote {
                    remote.address = remote.address.wrapping_add(done.into());
                    remote.length = remote.length.wrapping_sub(done);
                }
                sent
            })
        } else {
            request.sent.get(place as usize).cloned()
        };
        match before {
            None => Err(format!(
                "its PSN is not that of a request, from {:06x} to {:06x}",
                request.first, self.next
            )),
            Some(_) if self.rewritten => Ok(()),
            Some(before) if before == (Sent { form, bytes, remote, operands, immediate }) => Ok(()),
            Some(before) => Err(format!("it is sent again and was {before:?}")),
        }
    }

    /// Since when a PSN was that of the oldest packet, as far as a packet that starts at `start` may know.
    fn oldest_since(&self, psn: u32, start: u64) -> Option<u64> {
        let later = self.oldest.iter().skip(1).map(|oldest| oldest.at).chain([u64::MAX]);
        let known = |at: u64| at.saturating_add(self.lag) <= start;
        let candidates = self.oldest.iter().zip(later);
        candidates
            .filter(|&(oldest, later)| oldest.psn == psn && !known(later))
            .last()
            .map(|(oldest, _)| oldest.at)
    }

    /// A packet out of sequence: after an answer sending goes on from the oldest packet, or a restart goes back to it.
    fn restart(&mut self, frame: &Frame, previous: u32, start: u64) -> Result<(), String> {
        let Some(since) = self.oldest_since(frame.psn, start) else {
            return Err(format!(
                "it goes back to {:06x}, the oldest packet is {:06x}",
                frame.psn,
                self.oldest()
            ));
        };
        let ahead = distance(after(previous, 1), frame.psn);
        if ahead < 1 << 23 {
            // Packets between are acknowledged meanwhile.
            return Ok(());
        }
        self.take_reason(start)?;
        // The progress may have come after the restart was decided.
        if self.is_unknown(since, start) || frame.psn != self.oldest() {
            self.counts = (0, 0);
        }
        let retries = u32::from(self.attributes.retries);
        if self.counts.0 > retries {
            return Err(format!("retry {} of {retries}", self.counts.0));
        }
        Ok(())
    }

    /// Whether an answer that has arrived at `at` may not be known at `start`.
    fn is_unknown(&self, at: u64, start: u64) -> bool {
        at.saturating_add(self.lag) > start
    }

    /// Uses up the reason of a restart at `start`: an RNR NAK, a NAK, or a time-out.
    fn take_reason(&mut self, start: u64) -> Result<(), String> {
        let timeout = u64::from(timeout_ticks(self.attributes.timeout)) * TICK;
        let latest = self.progress.iter().rev().copied().find(|&at| !self.is_unknown(at, start)).unwrap_or(0);
        let base = self.started.max(latest);
        let passed = start.saturating_sub(base);
        let inexact = INEXACT * TICK;
        let timed_out = self.attributes.timeout != 0 && passed + inexact >= timeout;
        let rnr_retries = u32::from(self.attributes.rnr_retries);
        match self.rnr {
            Some((at, delay)) if start + inexact >= at + delay => {
                if start > self.found(at + delay) {
                    return Err(format!(
                        "an RNR NAK asked for a delay of {} us, and it waits longer",
                        delay / 1_000_000
                    ));
                }
                self.rnr = None;
                self.restarts.rnr_naks += 1;
                self.counts.1 += 1;
                if self.counts.1 > rnr_retries && rnr_retries != 7 {
                    return Err(format!("RNR retry {} of {rnr_retries}", self.counts.1));
                }
            }
            Some((at, delay)) if !(self.is_unknown(at, start) && timed_out) => {
                return Err(format!(
                    "an RNR NAK asked for a delay of {} us, and it waits {} us",
                    delay / 1_000_000,
                    (start - at) / 1_000_000
                ));
            }
            _ if self.resumes => self.resumes = false,
            // A NAK that the time-out did not wait for asks for a restart of its own.
            _ if self.naks.front().is_some_and(|&at| !(self.is_unknown(at, start) && timed_out)) => {
                self.naks.pop_front();
                self.restarts.naks += 1;
                self.counts.0 += 1;
            }
            _ if timed_out => {
                if start > self.found(base + timeout) {
                    return Err(format!(
                        "its time-out of {} us expired {} us ago",
                        timeout / 1_000_000,
                        (passed - timeout) / 1_000_000
                    ));
                }
                self.restarts.timeouts += 1;
                self.counts.0 += 1;
            }
            _ => {
                return Err(format!(
                    "it is sent again without a NAK, {} us after the last progress; the time-out is {} us",
                    passed / 1_000_000,
                    timeout / 1_000_000
                ));
            }
        }
        Ok(())
    }
}
