//! Patterns of traffic, as the literature on networks draws them.
//!
//! Every sender offers a share of what a link carries, whatever becomes of it: messages begin at gaps that are random
//! with an exponential distribution, and nobody waits for an answer. So messages come in clusters as those of
//! independent users do, which even gaps would hide, and the phases of senders are spread by themselves. A seed decides
//! all gaps and receivers; a node draws the same ones whatever other nodes do.

mod gaps;

use cluster::Duration;
use hdl::Stimulus;

use crate::duration::LONGEST;
use crate::nodes;
use crate::schedule::{Builder, Problem, Schedule, Setting};
use gaps::exponential;

/// Who sends to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// Each node to any other, drawn anew for every message.
    Uniform,
    /// Each node to the next one, the last to the first.
    Neighbour,
    /// All nodes to node 0.
    Incast,
    /// Each node to all others by turns, beginning with the next one.
    AllToAll,
    /// The nodes are a square, row by row, and node (i, j) sends to (j, i); those on the diagonal are silent.
    Transpose,
}

/// How long senders go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// All messages begin within this time.
    Time(Duration),
    /// So many messages of each sender.
    Messages(u64),
}

/// What each sender offers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Bytes of a message.
    pub bytes: u64,
    /// Data that it offers, as a share of what its link carries: more than 0, and not more than 1.
    pub share: f64,
    /// Bytes that a link carries in a second.
    pub link: u64,
    /// How long.
    pub length: Length,
    /// Decides gaps and receivers.
    pub seed: u64,
}

/// Why a pattern is no schedule.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PatternError {
    /// A square has no other number of nodes.
    #[error("transpose is for a square of nodes, and {0} are none; take {squares}", squares = squares(*.0))]
    NoSquare(usize),
    /// One node has nobody to send to.
    #[error("{} needs at least {least} nodes; add some", pattern.name())]
    TooFewNodes {
        /// The pattern.
        pattern: Pattern,
        /// The fewest.
        least: usize,
    },
    /// The load is no share of a link.
    #[error("a load is more than 0 and at most 1, not {0}")]
    Load(f64),
    /// A link that carries nothing.
    #[error("a link carries at least 1 byte in a second")]
    Link,
    /// Nobody sends in so short a time.
    #[error("in {0} no node sends a message at this load; take a longer time or a higher load")]
    TooShort(Duration),
    /// The last messages would be too late.
    #[error("at this load the last message is later than 1000 s; send fewer, or take a higher load")]
    TooLate,
    /// What can be wrong with any schedule.
    #[error(transparent)]
    Problem(#[from] Problem),
}

/// The numbers of nodes next to this one that are squares.
fn squares(nodes: usize) -> String {
    match nodes.isqrt() {
        side @ 2.. => format!("{} or {}", side * side, (side + 1) * (side + 1)),
        _ => "4".into(),
    }
}

impl Pattern {
    /// All of them.
    pub const ALL: [Pattern; 5] =
        [Pattern::Uniform, Pattern::Neighbour, Pattern::Incast, Pattern::AllToAll, Pattern::Transpose];

    /// The pattern of that name.
    pub fn named(name: &str) -> Option<Pattern> {
        Pattern::ALL.into_iter().find(|pattern| pattern.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Uniform => "uniform",
            Pattern::Neighbour => "neighbour",
            Pattern::Incast => "incast",
            Pattern::AllToAll => "all-to-all",
            Pattern::Transpose => "transpose",
        }
    }

    /// The messages of the pattern under a load.
    pub fn schedule(self, load: &Load, setting: &Setting) -> Result<Schedule, PatternError> {
        let nodes = setting.nodes;
        nodes::check(nodes).map_err(Problem::from)?;
        let side = nodes.isqrt();
        if self == Pattern::Transpose && side * side != nodes {
            return Err(PatternError::NoSquare(nodes));
        }
        let least = if self == Pattern::Transpose { 4 } else { 2 };
        if nodes < least {
            return Err(PatternError::TooFewNodes { pattern: self, least });
        }
        let gap = load.gap()?;
        let mut builder = Builder::new(setting)?;
        let mut seeds = Stimulus::new(load.seed);
        for from in 0..nodes as u64 {
            let mut random = Stimulus::new(seeds.word());
            let mut begin = Duration::ZERO;
            for number in 0.. {
                let Some(to) = self.receiver(from, nodes as u64, number, &mut random) else { break };
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

    /// Who receives the message with this number of a sender.
    fn receiver(self, from: u64, nodes: u64, number: u64, random: &mut Stimulus) -> Option<u64> {
        let ahead = |steps| (from + steps) % nodes;
        let to = match self {
            Pattern::Uniform => ahead(1 + random.below(nodes - 1)),
            Pattern::Neighbour => ahead(1),
            Pattern::Incast => 0,
            Pattern::AllToAll => ahead(1 + number % (nodes - 1)),
            Pattern::Transpose => {
                let side = nodes.isqrt();
                from % side * side + from / side
            }
        };
        (to != from).then_some(to)
    }
}

impl Length {
    /// Whether the message with this number, which would begin then, is one too many.
    fn is_over(self, number: u64, begin: Duration) -> bool {
        match self {
            Length::Time(time) => begin >= time,
            Length::Messages(most) => number == most,
        }
    }
}

impl Load {
    /// The mean time from one message of a sender to the next.
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
