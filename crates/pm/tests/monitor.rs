//! A monitor on the wire: judges every frame of a cluster by the repaired rules (decision 0027).

use std::collections::BTreeMap;

use pm::NodeId;
use pm::memory::{Cluster, Settings, Sight};
use pm::software::Frame;
use pm_protocol::{Kind, Rules};

/// Messages of one node to another in a session.
#[derive(Default)]
struct Way {
    /// Highest number sent.
    highest: u32,
    /// Highest number that an ACK, LOSE or STOP has acknowledged, as the sender has heard it.
    acked: u32,
    /// Messages that the receiver has taken, in order.
    received: u32,
    /// A GO is owed for a STOP.
    owed: bool,
    /// A LOSE or GO has arrived since the last time that messages were sent again.
    asked: bool,
    /// The sender was stopped and has heard nothing else since.
    stopped: bool,
    /// Tick of the last progress: a first message, an acknowledgement, or an expiry.
    stamp: u64,
    /// Number up to which messages may be sent again.
    again: u32,
    /// Message that has arrived and is not yet answered, and its number.
    open: Option<u32>,
}

/// Channel, session, sender and receiver of messages.
type Key = (usize, u16, u16, u16);

struct Monitor {
    window: u32,
    timeout: u64,
    ways: BTreeMap<Key, Way>,
}

/// A cluster whose frames are judged, if its rules are the repaired ones.
pub fn monitored(nodes: u16, settings: Settings) -> Cluster {
    let repaired = settings.node.rules == Rules::REPAIRED;
    let (window, timeout) = (settings.node.window.into(), settings.node.timeout.into());
    let mut monitor = Monitor { window, timeout, ways: BTreeMap::new() };
    let cluster = Cluster::new(nodes, settings);
    if repaired {
        cluster.watch(move |now, sight, frame| monitor.see(now, sight, frame));
    }
    cluster
}

impl Monitor {
    fn see(&mut self, now: u64, sight: Sight, frame: &Frame) {
        let key = |from: NodeId, to: NodeId| (frame.channel.number(), frame.epoch, from.0, to.0);
        let message = frame.kind == Kind::Message;
        let key = if message { key(frame.from, frame.to) } else { key(frame.to, frame.from) };
        let way = self.ways.entry(key).or_default();
        assert!(message || frame.bytes.is_empty(), "a control frame has no data: {frame:?}");
        match (sight, message) {
            (Sight::Leaves, true) => way.sends(now, frame.number, self.window, self.timeout),
            (Sight::Arrives, true) => way.open = Some(frame.number),
            (Sight::Leaves, false) => way.answers(frame),
            (Sight::Arrives, false) => way.hears(now, frame, self.window),
        }
    }
}

impl Way {
    /// A message leaves.
    fn sends(&mut self, now: u64, number: u32, window: u32, timeout: u64) {
        assert!(number > self.acked, "message {number} is sent after its acknowledgement, {}", self.acked);
        assert!(number <= self.acked + window, "message {number} is beyond the window of {}", self.acked);
        if number > self.highest {
            assert_eq!(number, self.highest + 1, "messages are numbered without gaps");
            assert!(!self.stopped, "message {number} leaves a stopped sender");
            if self.highest == self.acked {
                self.stamp = now;
            }
            self.highest = number;
            return;
        }
        if number == self.acked + 1 && !self.asked {
            assert!(
                now - self.stamp >= timeout,
                "message {number} is sent again after {} ticks",
                now - self.stamp
            );
            self.stamp = now;
            // A stopped sender asks with one message.
            self.again = if self.stopped { number } else { self.highest };
        } else if self.asked {
            self.again = self.highest;
        }
        self.asked = false;
        assert!(number <= self.again, "message {number} is sent again without a reason");
    }

    /// A control frame leaves the receiver.
    fn answers(&mut self, frame: &Frame) {
        let (number, next) = (frame.number, self.received + 1);
        let open = self.open.take();
        match frame.kind {
            Kind::Ack if open == Some(next) => {
                assert_eq!(number, next, "ACK of the message that was taken");
                self.received = next;
            }
            Kind::Ack => {
                assert!(open.is_some_and(|open| open < next), "ACK for nothing: {frame:?}");
                assert_eq!(number, self.received, "an old message is answered by the last one taken");
            }
            Kind::Lose => {
                assert!(open.is_some_and(|open| open > next), "LOSE without a gap: {frame:?}");
                assert_eq!(number, self.received, "LOSE names the last message taken");
            }
            Kind::Stop => {
                assert_eq!((open, number), (Some(next), next), "STOP names the message without room");
                self.owed = true;
            }
            Kind::Go => {
                assert!(self.owed, "GO without a STOP: {frame:?}");
                assert_eq!(number, next, "GO names the next message");
                (self.owed, self.open) = (false, open);
            }
            Kind::Message | Kind::Nothing => unreachable!("a control frame"),
        }
    }

    /// A control frame arrives at the sender.
    fn hears(&mut self, now: u64, frame: &Frame, window: u32) {
        let number = frame.number;
        let bounds = number >= self.acked && number <= self.acked + window;
        let sent = number <= self.highest + u32::from(frame.kind == Kind::Go);
        if !bounds || !sent || frame.kind == Kind::Stop && number == self.acked {
            return;
        }
        let acked = match frame.kind {
            Kind::Ack | Kind::Lose => number,
            Kind::Stop => number - 1,
            _ => self.acked,
        };
        self.stopped = frame.kind == Kind::Stop;
        self.asked |= matches!(frame.kind, Kind::Lose | Kind::Go);
        if acked != self.acked {
            self.stamp = now;
            self.acked = acked;
        }
    }
}
