//! Configuration and counters of a run.

use std::time::Duration;

use crate::comm::{Counts, Timers};
use crate::protocol::{Rules, object};
use crate::reassembly::PACKET;
use crate::wire::Message;

/// Configuration of a run, the same at all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Seed of the pseudorandom numbers.
    pub seed: u64,
    /// Retransmission and failure timeouts.
    pub timers: Timers,
    /// Time after which a waiting node checks for deadlocks and dead nodes, repeatedly.
    pub patience: Duration,
    /// Longest duration of a run.
    pub limit: Duration,
    /// Delivery guarantee of the network.
    pub delivery: Delivery,
    /// Time of an operation of the program in ps; 0 if the program's real time counts.
    pub operation_ps: u64,
    /// Protocol rules for objects; all repairs by default. The network must not contain nodes without
    /// `aside`.
    pub rules: Rules,
    /// Properties of wires in memory.
    pub wires: Wires,
}

/// Delivery guarantee of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Datagrams of at most this many bytes, 262 to 2,048, which may be lost, duplicated or reordered. `comm`
    /// makes them reliable.
    Datagrams(usize),
    /// Messages of any length, delivered once and in order. The network reports dead nodes.
    Messages,
}

/// Properties of wires in memory. Probabilities are in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wires {
    /// Latency from node to node.
    pub latency: Duration,
    /// Transmission time of a byte.
    pub byte: Duration,
    /// Probability of loss.
    pub lose: u32,
    /// Probability of duplication.
    pub repeat: u32,
    /// Probability of a delay of up to eight times the latency.
    pub delay: u32,
    /// A node that falls silent, and the time.
    pub dies: Option<(u16, Duration)>,
}

impl Wires {
    /// 20 us, 100 MB/s, no faults.
    pub const GOOD: Wires = Wires {
        latency: Duration::from_micros(20),
        byte: Duration::from_nanos(10),
        lose: 0,
        repeat: 0,
        delay: 0,
        dies: None,
    };
    /// Faulty wires: 5 % loss, 5 % duplication, 20 % delay.
    pub const BAD: Wires = Wires { lose: 50, repeat: 50, delay: 200, ..Wires::GOOD };
}

impl Default for Config {
    fn default() -> Self {
        Config {
            seed: 1,
            timers: Timers { resend: Duration::from_millis(10), dead: Duration::from_secs(5) },
            patience: Duration::from_millis(200),
            limit: Duration::from_secs(3600),
            delivery: Delivery::Datagrams(PACKET),
            operation_ps: 0,
            rules: Rules::REPAIRED,
            wires: Wires::GOOD,
        }
    }
}

/// Counters of a node or a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Copies received.
    pub copies: u64,
    /// Transfers of ownership.
    pub grants: u64,
    /// Invalidations sent.
    pub invalidations: u64,
    /// Other messages sent.
    pub others: u64,
    /// Includes retransmissions.
    pub packets_sent: u64,
    /// Includes malformed packets and duplicates.
    pub packets_received: u64,
    /// Malformed packets and messages received.
    pub malformed: u64,
    /// Packets from unknown senders.
    pub strangers: u64,
    /// Time that programs have waited in calls.
    pub waited: Duration,
    /// Calls of the program.
    pub calls: Calls,
    /// Counters of the retransmission protocol.
    pub comm: Counts,
}

/// Calls that a program has begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Reads and writes of objects.
    pub accesses: u64,
    /// Calls that acquire a lock; releases are not counted.
    pub locks: u64,
    /// Barriers, with those of declarations and of the end of the run.
    pub barriers: u64,
}

impl Calls {
    /// Sums of both counters.
    fn and(self, other: Calls) -> Calls {
        Calls {
            accesses: self.accesses + other.accesses,
            locks: self.locks + other.locks,
            barriers: self.barriers + other.barriers,
        }
    }
}

impl Stats {
    /// Counts an outgoing message.
    pub(crate) fn count(&mut self, message: &Message) {
        match message {
            Message::Object(_, object::Message::Data { .. }) => self.copies += 1,
            Message::Object(_, object::Message::Grant { .. }) => self.grants += 1,
            Message::Object(_, object::Message::Invalidate { .. }) => self.invalidations += 1,
            _ => self.others += 1,
        }
    }

    /// Sums of both counters.
    pub fn and(self, other: Stats) -> Stats {
        let (a, b) = (self.comm, other.comm);
        Stats {
            copies: self.copies + other.copies,
            grants: self.grants + other.grants,
            invalidations: self.invalidations + other.invalidations,
            others: self.others + other.others,
            packets_sent: self.packets_sent + other.packets_sent,
            packets_received: self.packets_received + other.packets_received,
            malformed: self.malformed + other.malformed,
            strangers: self.strangers + other.strangers,
            waited: self.waited + other.waited,
            calls: self.calls.and(other.calls),
            comm: Counts {
                pieces: a.pieces + b.pieces,
                resent: a.resent + b.resent,
                repeated: a.repeated + b.repeated,
                malformed: a.malformed + b.malformed,
            },
        }
    }
}
