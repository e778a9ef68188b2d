//! Traffic patterns of the literature on networks.
//!
//! In an open loop every sender offers a share of the link's capacity: gaps between messages are
//! exponentially distributed, and no sender waits for an answer. Messages therefore arrive in bursts like
//! those of independent users, which constant gaps would hide, and the phases of senders are random. A seed
//! determines all gaps and receivers; those of a node are independent of other nodes.

mod closed;
mod gaps;

use cluster::Duration;
use hdl::Stimulus;

use crate::duration::LONGEST;
use crate::nodes;
use crate::schedule::{Builder, Problem, Schedule, Setting};
pub use closed::ClosedLoop;
use gaps::exponential;

/// Receivers of each node's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// Any other node, drawn for every message.
    Uniform,
    /// The next node; the last node sends to the first.
    Neighbour,
    /// Node 0.
    Incast,
    /// All other nodes in turn, beginning with the next one.
    AllToAll,
    /// A node that is drawn more often than the others ([`HotSpot`]).
    HotSpot,
    /// The node halfway around, less one: from i to i + (n + 1) / 2 - 1 of n nodes, the worst case of a ring.
    Tornado,
    /// The node whose number has all bits inverted.
    BitComplement,
    /// The node whose number has the bits in reverse order; those with a palindrome are silent.
    BitReversal,
    /// Node (j, i) for node (i, j) of a square, row by row; nodes on the diagonal are silent.
    Transpose,
}

/// Preferred receiver of [`Pattern::HotSpot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HotSpot {
    /// Number of the node, from 0.
    pub node: usize,
    /// Share of all messages that go to it, in millionths; the others are uniform over all nodes but the
    /// sender.
    pub share: u32,
}

impl Default for HotSpot {
    /// A tenth to node 0.
    fn default() -> Self {
        HotSpot { node: 0, share: 100_000 }
    }
}

/// Length of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// All messages begin within this time.
    Time(Duration),
    /// Number of messages of each sender.
    Messages(u64),
}

/// Load offered by each sender.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Length of a message in bytes.
    pub bytes: u64,
    /// Offered data as a share of the link's capacity: more than 0, at most 1.
    pub share: f64,
    /// Capacity of a link in bytes per second.
    pub link: u64,
    /// Time or number of messages.
    pub length: Length,
    /// Seed of gaps and receivers.
    pub seed: u64,
    /// Preferred receiver, for a hot spot.
    pub hot: HotSpot,
}

/// Reason why a pattern gives no schedule.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PatternError {
    /// Transpose needs a square number of nodes.
    #[error("transpose is for a square of nodes, and {0} are none; take {squares}", squares = squares(*.0))]
    NoSquare(usize),
    /// The pattern permutes the bits of node numbers.
    #[error("{} is for a power of two of nodes, and {nodes} is none; take {}", pattern.name(), powers(*.nodes))]
    NoPower {
        /// Requested pattern.
        pattern: Pattern,
        /// Requested number of nodes.
        nodes: usize,
    },
    /// The preferred receiver does not exist.
    #[error("the hot spot is one of nodes 0 to {}, not {node}", nodes - 1)]
    NoHotSpot {
        /// Requested receiver.
        node: usize,
        /// Number of nodes.
        nodes: usize,
    },
    /// The pattern needs more nodes.
    #[error("{} needs at least {least} nodes; add some", pattern.name())]
    TooFewNodes {
        /// Requested pattern.
        pattern: Pattern,
        /// Smallest number of nodes.
        least: usize,
    },
    /// The load is out of range.
    #[error("a load is more than 0 and at most 1, not {0}")]
    Load(f64),
    /// No message may be without answer.
    #[error("a window has at least 1 message")]
    Window,
    /// The link has no capacity.
    #[error("a link carries at least 1 byte in a second")]
    Link,
    /// No message begins within the time.
    #[error("in {0} no node sends a message at this load; take a longer time or a higher load")]
    TooShort(Duration),
    /// The last message exceeds the longest time.
    #[error("at this load the last message is later than 1000 s; send fewer, or take a higher load")]
    TooLate,
    /// Any other problem of a schedule.
    #[error(transparent)]
    Problem(#[from] Problem),
}

/// Square numbers next to a number of nodes.
fn squares(nodes: usize) -> String {
    match nodes.isqrt() {
        side @ 2.. => format!("{} or {}", side * side, (side + 1) * (side + 1)),
        _ => "4".into(),
    }
}

/// Powers of two next to a number of nodes.
fn powers(nodes: usize) -> String {
    match nodes.next_power_of_two() {
        above @ 8.. => format!("{} or {above}", above / 2),
        above => above.max(4).to_string(),
    }
}

impl Pattern {
    /// All patterns, in the order of their names on the command line.
    pub const ALL: [Pattern; 9] = [
        Pattern::Uniform,
        Pattern::Neighbour,
        Pattern::Incast,
        Pattern::AllToAll,
        Pattern::HotSpot,
        Pattern::Tornado,
        Pattern::BitComplement,
        Pattern::BitReversal,
        Pattern::Transpose,
    ];

    /// Pattern with this name.
    pub fn named(name: &str) -> Option<Pattern> {
        Pattern::ALL.into_iter().find(|pattern| pattern.name() == name)
    }

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Uniform => "uniform",
            Pattern::Neighbour => "neighbour",
            Pattern::Incast => "incast",
            Pattern::AllToAll => "all-to-all",
            Pattern::HotSpot => "hot-spot",
            Pattern::Tornado => "tornado",
            Pattern::BitComplement => "bit-complement",
            Pattern::BitReversal => "bit-reversal",
            Pattern::Transpose => "transpose",
        }
    }

    /// Checks that the pattern is for as many nodes as there are.
    fn check(self, hot: HotSpot, setting: &Setting) -> Result<(), PatternError> {
        let nodes = setting.nodes;
        nodes::check(nodes).map_err(Problem::from)?;
        let side = nodes.isqrt();
        if self == Pattern::Transpose && side * side != nodes {
            return Err(PatternError::NoSquare(nodes));
        }
        let least = match self {
            Pattern::Transpose | Pattern::BitReversal => 4,
            Pattern::Tornado => 3,
            _ => 2,
        };
        if nodes < least {
            return Err(PatternError::TooFewNodes { pattern: self, least });
        }
        if matches!(self, Pattern::BitComplement | Pattern::BitReversal) && !nodes.is_power_of_two() {
            return Err(PatternError::NoPower { pattern: self, nodes });
        }
        if self == Pattern::HotSpot && hot.node >= nodes {
            return Err(PatternError::NoHotSpot { node: hot.node, nodes });
        }
        Ok(())
    }

    /// Messages of the pattern under a load, in an open loop.
    pub fn schedule(self, load: &Load, setting: &Setting) -> Result<Schedule, PatternError> {
        self.check(load.hot, setting)?;
        let nodes = setting.nodes;
        let gap = load.gap()?;
        let mut builder = Builder::new(setting)?;
        let mut seeds = Stimulus::new(load.seed);
        for from in 0..nodes as u64 {
            let mut random = Stimulus::new(seeds.word());
            let mut begin = Duration::ZERO;
            for number in 0.. {
                let Some(to) = self.receiver(from, nodes as u64, number, load.hot, &mut random) else {
                    break;
                };
                begin = begin + exponential(gap, &mut random);
                if load.length.is_over(number, begin) {
                    break;
                }
                if begin > LONGEST {
                    return Err(PatternError::TooLate);
                }
                builder.push(from as u32, to as u32, load.bytes, begin)?;
            }
        }
        builder.finish().map_err(|found| match (found.problem, load.length) {
            (Problem::NoMessages, Length::Time(time)) => PatternError::TooShort(time),
            (problem, _) => problem.into(),
        })
    }

    /// Receiver of a sender's message with this number; `None` for a silent sender.
    fn receiver(
        self,
        from: u64,
        nodes: u64,
        number: u64,
        hot: HotSpot,
        random: &mut Stimulus,
    ) -> Option<u64> {
        // Bits of a node number; their number is a power of two where they are used.
        let bits = nodes.trailing_zeros();
        let ahead = |steps| (from + steps) % nodes;
        let to = match self {
            Pattern::Uniform => ahead(1 + random.below(nodes - 1)),
            Pattern::Neighbour => ahead(1),
            Pattern::Incast => 0,
            Pattern::AllToAll => ahead(1 + number % (nodes - 1)),
            // The hot spot itself sends to all others.
            Pattern::HotSpot => {
                let is_hot = random.below(1_000_000) < u64::from(hot.share);
                let other = ahead(1 + random.below(nodes - 1));
                if is_hot && hot.node as u64 != from { hot.node as u64 } else { other }
            }
            Pattern::Tornado => ahead(nodes.div_ceil(2) - 1),
            Pattern::BitComplement => nodes - 1 - from,
            Pattern::BitReversal => from.reverse_bits() >> (u64::BITS - bits),
            Pattern::Transpose => {
                let side = nodes.isqrt();
                from % side * side + from / side
            }
        };
        (to != from).then_some(to)
    }
}

impl Length {
    /// Whether a message with this number and begin exceeds the length.
    fn is_over(self, number: u64, begin: Duration) -> bool {
        match self {
            Length::Time(time) => begin >= time,
            Length::Messages(most) => number == most,
        }
    }
}

impl Load {
    /// Mean time between messages of a sender.
    fn gap(&self) -> Result<Duration, PatternError> {
        if !(self.share > 0.0 && self.share <= 1.0) {
            return Err(PatternError::Load(self.share));
        }
        if self.link == 0 {
            return Err(PatternError::Link);
        }
        let ps = self.bytes as f64 * 1e12 / (self.share * self.link as f64);
        Ok(Duration::from_ps((ps.round() as u64).clamp(1, LONGEST.ps())))
    }
}

#[cfg(test)]
mod tests;
