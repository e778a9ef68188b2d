//! What a run is like, and what it counted.

use std::time::Duration;

use crate::comm::{Counts, Timers};
use crate::protocol::{Rules, object};
use crate::reassembly::PACKET;
use crate::wire::Message;

/// How long nodes wait before they do something about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Where chance begins.
    pub seed: u64,
    /// When is sent again, and when a node is given up.
    pub timers: Timers,
    /// How long a program waits before its node looks for cycles and dead nodes, and looks again.
    pub patience: Duration,
    /// How long a run may take.
    pub limit: Duration,
    /// What the network below does.
    pub delivery: Delivery,
    /// How long an operation of a program takes, in ps; nothing where the program's own time counts.
    pub operation_ps: u64,
    /// Rules of objects: repaired, unless it is to be seen what happens without a repair. A node that is not `aside` is not among what nodes can be told.
    pub rules: Rules,
    /// What wires in memory are like.
    pub wires: Wires,
}

/// What a network does with what nodes send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It carries datagrams of so many bytes, 262 to 2,048; some are lost, come twice, or overtake each other. `comm` makes up for that.
    Datagrams(usize),
    /// It carries messages of any length once and in order, and says whom it has given up.
    Messages,
}

/// What wires in memory are like. Probabilities are in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wires {
    /// From one node to another.
    pub latency: Duration,
    /// How long each byte takes to leave.
    pub byte: Duration,
    /// Packets that are lost.
    pub lose: u32,
    /// Packets that come twice.
    pub repeat: u32,
    /// Packets that come late, by up to eight times the latency.
    pub delay: u32,
    /// A node that is silent from a time on.
    pub dies: Option<(u16, Duration)>,
}

impl Wires {
    /// 20 us, 100 MB/s, and nothing goes wrong.
    pub const GOOD: Wires = Wires {
        latency: Duration::from_micros(20),
        byte: Duration::from_nanos(10),
        lose: 0,
        repeat: 0,
        delay: 0,
        dies: None,
    };
    /// The same, where one packet in twenty is lost, as many come twice, and a fifth comes late.
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

/// What a node, or a whole run, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Copies that came.
    pub copies: u64,
    /// Times that ownership went from one to another.
    pub grants: u64,
    /// Invalidations.
    pub invalidations: u64,
    /// Other messages.
    pub others: u64,
    /// Packets that left.
    pub packets_sent: u64,
    /// Packets that came.
    pub packets_received: u64,
    /// Packets and messages that no sender makes.
    pub malformed: u64,
    /// Packets of strangers.
    pub strangers: u64,
    /// How long programs waited in calls.
    pub waited: Duration,
    /// What sending again counted.
    pub comm: Counts,
}

impl Stats {
    /// Counts a message that is sent.
    pub(crate) fn count(&mut self, message: &Message) {
        match message {
            Message::Object(_, object::Message::Data { .. }) => self.copies += 1,
            Message::Object(_, object::Message::Grant { .. }) => self.grants += 1,
            Message::Object(_, object::Message::Invalidate { .. }) => self.invalidations += 1,
            _ => self.others += 1,
        }
    }

    /// Both together.
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
            comm: Counts {
                pieces: a.pieces + b.pieces,
                resent: a.resent + b.resent,
                repeated: a.repeated + b.repeated,
                malformed: a.malformed + b.malformed,
            },
        }
    }
}
