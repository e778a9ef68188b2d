//! End-to-end retransmission: the outer half of SWIF (thesis section 4.2; decision 0031).
//!
//! Each frame gets a number per receiver. The sender holds a frame until the receiver acknowledges it, and sends it and
//! all later ones again if the receiver reports it missing or does not answer. So a board sees every frame once and in
//! order, and [faults](cluster::Faults) of links only delay frames. After too many timeouts the board is told that its
//! link is unusable, until an answer arrives; no frame is given up.
//!
//! Without faults no frame of a board is delayed: lines pass as they come, and answers go between frames. Damaged frames
//! never get here, because the receiving port drops frames with a wrong CRC.

pub(crate) mod frame;
mod receiver;
mod sender;

use std::collections::{BTreeMap, BTreeSet};

use dimmnet2::address::lid_to_clid;
use dimmnet2::line::{FIRST, LAST, Line};
use dimmnet2::swif::infiniband::{LOCAL, LocalRouteHeader};

use crate::{CableLine, Link};
use cluster::Time;
use frame::{Answer, NUMBER_LINE, number, numbered, route};
use receiver::{Receiver, Verdict};
use sender::Sender;

/// Frames to all ports that are held at most; a board waits while there are as many (decision 0031).
pub const HELD: usize = 64;

/// Consecutive timeouts after which the link counts as unusable, until the other port answers.
pub const MOST_TIMEOUTS: u32 = 7;

/// Frames and timeouts since power-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransportCounters {
    /// Frames of the board that were numbered and sent.
    pub sent: u64,
    /// Retransmitted frames, each time.
    pub resent: u64,
    /// Answers that did not come in time.
    pub timeouts: u64,
    /// Frames for the board.
    pub received: u64,
    /// Duplicates.
    pub again: u64,
    /// Frames that arrived while an earlier one was missing.
    pub early: u64,
}

/// Destination of the lines of a frame that arrives.
#[derive(Clone, Copy, Debug)]
enum Incoming {
    /// The board; with the sender, if the frame is numbered.
    Board(Option<u16>),
    /// None, for this reason.
    Nowhere(u16, Verdict),
    /// The sender half: an answer.
    Answer(u16, Answer),
}

/// The frame of the board that is leaving.
#[derive(Debug)]
struct Outgoing {
    /// Port that will acknowledge the frame; none if the frame has no base transport header, or no port has its LID.
    to: Option<u16>,
    lines: Vec<Line>,
}

/// The transport between a board and its cable.
#[derive(Debug)]
pub struct Transport {
    /// LID of this port.
    lid: u16,
    /// LIDs that the subnet manager assigned.
    peers: Lids,
    /// Frames of the board are numbered; otherwise they pass unchanged.
    pub(crate) enabled: bool,
    outgoing: Option<Outgoing>,
    incoming: Option<Incoming>,
    senders: BTreeMap<u16, Sender>,
    receivers: BTreeMap<u16, Receiver>,
    due: Due,
    /// Last instant at which the transport could have sent a frame of its own.
    stepped: Time,
    counters: TransportCounters,
}

/// LIDs of a subnet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lids {
    /// No LID is assigned.
    None,
    /// LIDs of the nodes below this number.
    First(usize),
    /// These LIDs.
    These(BTreeSet<u16>),
}

impl Lids {
    /// LIDs that a subnet manager assigned.
    pub fn of(lids: &[u16]) -> Self {
        Lids::These(lids.iter().copied().collect())
    }

    fn contains(&self, lid: u16) -> bool {
        match self {
            Lids::None => false,
            Lids::First(nodes) => {
                let node = usize::from(lid_to_clid(lid)).wrapping_sub(1);
                node < *nodes && crate::lid(node) == lid
            }
            Lids::These(lids) => lids.contains(&lid),
        }
    }
}

/// Work that is due, by port, so that other ports need not be scanned.
#[derive(Debug, Default)]
struct Due {
    /// Ports for which frames are held, and the number of all held frames.
    holding: BTreeSet<u16>,
    held: usize,
    /// Ports to which frames are retransmitted.
    resending: BTreeSet<u16>,
    /// Ports to which an answer is due.
    answering: BTreeSet<u16>,
    /// Next timeout of any port.
    expiry: Option<Time>,
    /// A port has timed out so often that the link counts as unusable.
    silent: bool,
}

impl Transport {
    /// The transport of a port in a subnet with these LIDs.
    pub(crate) fn new(lid: u16, peers: Lids) -> Self {
        Transport {
            lid,
            peers,
            enabled: true,
            outgoing: None,
            incoming: None,
            senders: BTreeMap::new(),
            receivers: BTreeMap::new(),
            due: Due::default(),
            stepped: Time::ZERO,
            counters: TransportCounters::default(),
        }
    }

    /// Assigns LIDs; frames held for other LIDs are discarded.
    pub(crate) fn join(&mut self, lid: u16, peers: Lids) {
        *self = Transport { enabled: self.enabled, counters: self.counters, ..Transport::new(lid, peers) };
    }

    /// Whether LIDs are assigned.
    #[inline]
    pub(crate) fn has_peers(&self) -> bool {
        self.peers != Lids::None
    }

    /// Counters since power-up.
    pub fn counters(&self) -> TransportCounters {
        self.counters
    }

    /// Number of frames that are not acknowledged.
    pub fn held(&self) -> usize {
        self.due.held
    }

    /// Whether a port with unacknowledged frames has timed out too often.
    #[inline]
    pub fn unanswered(&self) -> bool {
        self.due.silent
    }

    /// Whether no frame is held and none waits to be sent.
    pub(crate) fn is_idle(&self) -> bool {
        self.held() == 0 && self.due.answering.is_empty()
    }

    /// Whether the board may begin or continue a frame.
    #[inline]
    pub(crate) fn takes(&self) -> bool {
        self.outgoing.is_some() || self.held() < HELD && self.due.resending.is_empty()
    }

    /// Sends a line of the board.
    pub(crate) fn send(&mut self, now: Time, line: Line, up: &mut Link) {
        if !self.enabled {
            return up.send(now, CableLine(line));
        }
        if line.id == FIRST {
            let to = Some(route(line)).filter(|route| route.next_header == LOCAL).map(|route| route.dlid);
            let to = to.filter(|lid| self.peers.contains(*lid));
            self.outgoing = Some(Outgoing { to, lines: Vec::new() });
        }
        let Some(Outgoing { to, lines }) = &mut self.outgoing else { return up.send(now, CableLine(line)) };
        let line = match to {
            Some(to) if lines.len() == NUMBER_LINE => {
                numbered(line, self.senders.get(to).map_or(0, Sender::number))
            }
            _ => line,
        };
        lines.push(line);
        up.send(now, CableLine(line));
        if line.id == LAST {
            let Outgoing { to, lines } = self.outgoing.take().expect("there is a frame");
            if let Some(to) = to.filter(|_| lines.len() > NUMBER_LINE) {
                self.change(to, |sender| sender.hold(up.free_at(), lines));
                self.counters.sent += 1;
            }
        }
    }

    /// Ends the frame of a board that was stopped within it, as by Controller Reset: the frame gets an empty last line.
    pub(crate) fn cut(&mut self, up: &mut Link) {
        let end = Line { id: LAST, data: 0 };
        self.send(up.free_at(), end, up);
    }

    /// Takes the next line that has arrived, and returns it if it is for the board.
    pub(crate) fn receive(&mut self, now: Time, down: &mut Link) -> Option<Line> {
        if self.incoming.is_none() {
            self.incoming = Some(self.look(now, down)?);
        }
        let (_, CableLine(line)) = down.receive(now)?;
        let incoming = self.incoming?;
        if line.id == LAST {
            self.incoming = None;
            self.end(now, incoming);
        }
        matches!(incoming, Incoming::Board(_)).then_some(line)
    }

    /// Decides on the frame that arrives, by its first three lines. Lines follow each other without gaps, and a board
    /// stores a frame before it looks at it, so two of the three may still be in flight.
    fn look(&self, now: Time, down: &Link) -> Option<Incoming> {
        down.next_arrival().filter(|arrival| *arrival <= now)?;
        let mut frame = down.units().map(|unit| unit.0).take(NUMBER_LINE + 1);
        let (first, second) = (frame.next()?, frame.next()?);
        let LocalRouteHeader { slid: from, next_header, .. } = route(first);
        if next_header != LOCAL || second.id == LAST {
            return Some(Incoming::Board(None));
        }
        let third = frame.next()?;
        if let Some(answer) = Answer::of(second, third) {
            return Some(Incoming::Answer(from, answer));
        }
        let Some(number) = number(third) else { return Some(Incoming::Board(None)) };
        Some(match self.receivers.get(&from).map_or(Receiver::default().judge(number), |r| r.judge(number)) {
            Verdict::Next => Incoming::Board(Some(from)),
            verdict => Incoming::Nowhere(from, verdict),
        })
    }

    /// Handles the end of a frame.
    fn end(&mut self, now: Time, incoming: Incoming) {
        match incoming {
            Incoming::Board(None) => {}
            Incoming::Board(Some(from)) => {
                self.counters.received += 1;
                self.judged(from, Verdict::Next);
            }
            Incoming::Nowhere(from, verdict) => {
                *(if verdict == Verdict::Again {
                    &mut self.counters.again
                } else {
                    &mut self.counters.early
                }) += 1;
                self.judged(from, verdict);
            }
            Incoming::Answer(from, answer) => {
                if self.senders.contains_key(&from) {
                    self.change(from, |sender| sender.answer(now, answer));
                }
            }
        }
    }

    /// Handles the end of a frame from this port.
    fn judged(&mut self, from: u16, verdict: Verdict) {
        let receiver = self.receivers.entry(from).or_default();
        receiver.end(verdict);
        if receiver.has_answer() {
            self.due.answering.insert(from);
        }
    }

    /// Applies a change to the frames of a port and updates the work that is due.
    fn change<T>(&mut self, to: u16, change: impl FnOnce(&mut Sender) -> T) -> T {
        let (sender, due) = (self.senders.entry(to).or_default(), &mut self.due);
        let before = sender.held();
        let result = change(sender);
        due.held = due.held + sender.held() - before;
        for (set, belongs) in [(&mut due.holding, sender.held() > 0), (&mut due.resending, sender.resends())]
        {
            if belongs {
                set.insert(to)
            } else {
                set.remove(&to)
            };
        }
        // Bounded by the number of held frames.
        let senders = &self.senders;
        let holding = || due.holding.iter().map(|to| &senders[to]);
        due.expiry = holding().filter_map(Sender::expiry).min();
        due.silent = holding().any(|sender| sender.timeouts() > MOST_TIMEOUTS);
        result
    }

    /// Sends frames of the transport itself, one at a time; returns whether one was a retransmission.
    pub(crate) fn step(&mut self, now: Time, up: &mut Link) -> bool {
        self.stepped = now;
        while self.due.expiry.is_some_and(|expiry| expiry <= now) {
            let expired = |to: &&u16| self.senders[*to].expiry().is_some_and(|expiry| expiry <= now);
            let to = *self.due.holding.iter().find(expired).expect("somebody has been silent for too long");
            self.counters.timeouts += u64::from(self.change(to, |sender| sender.expire(now)));
        }
        if self.outgoing.is_some() || !self.waits() || !up.takes(now, now) {
            return false;
        }
        if let Some(to) = self.due.answering.pop_first() {
            let receiver = self.receivers.get_mut(&to).expect("frames have come from it");
            let answer = receiver.take_answer().expect("it is to be told something");
            send(up, now, &answer.frame(self.lid, to));
            return false;
        }
        let to = *self.due.resending.first().expect("a frame is to be sent again");
        // The whole frame is put onto the cable at once.
        let frame = self.change(to, |sender| sender.resend(now).map(<[Line]>::to_vec));
        send(up, now, &frame.expect("a frame is to be sent again"));
        self.counters.resent += 1;
        true
    }

    /// Whether a frame of the transport itself waits to be sent.
    #[inline]
    fn waits(&self) -> bool {
        !(self.due.answering.is_empty() && self.due.resending.is_empty())
    }

    /// Next instant at which [`Transport::step`] has work.
    #[inline]
    pub(crate) fn next_event(&self, up: &Link) -> Option<Time> {
        let turn = if self.outgoing.is_some() || !self.waits() {
            None
        } else if up.free_at() > self.stepped {
            Some(up.free_at())
        } else {
            // The far end was not ready.
            up.next_change()
        };
        [self.due.expiry, turn].into_iter().flatten().min()
    }
}

/// Sends a whole frame.
fn send(up: &mut Link, now: Time, frame: &[Line]) {
    let mut start = now;
    for line in frame {
        up.send(start, CableLine(*line));
        start = up.free_at();
    }
}
