//! Break points: on registers, arcs and frames.

use std::fmt;

use cluster::{Cluster, Machine, Node};
use machine_api::Driven;
use thiserror::Error;

use crate::expression::{Condition, ExpressionError};
use crate::frames::{FrameCondition, FrameError, SeenFrame};
use crate::values::{Register, sample};

/// Why a text is no condition of a break point.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SubjectError {
    /// A condition on a register is wrong.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// A condition on frames is wrong.
    #[error(transparent)]
    Frame(#[from] FrameError),
}

/// Subject of a break point.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A condition on a register, or an arc.
    Register(Condition),
    /// Frames.
    Frame(FrameCondition),
}

impl Subject {
    /// Parses the condition of a break point; registers are those of node `here` unless they name another.
    pub fn parse<M: Driven>(text: &str, here: usize, cluster: &Cluster<M>) -> Result<Self, SubjectError> {
        Ok(match FrameCondition::words(text) {
            Some(words) => Subject::Frame(FrameCondition::parse(words, cluster)?),
            None => Subject::Register(Condition::parse(text, here, cluster.nodes())?),
        })
    }

    /// Whether the condition is true at present. A frame passes, and an arc is taken, only while time passes.
    pub fn holds<M: Machine>(&self, nodes: &[Node<M>]) -> bool {
        match self {
            Subject::Register(condition) => condition.holds(value(&condition.register, nodes)),
            Subject::Frame(_) => false,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Register(condition) => condition.fmt(f),
            Subject::Frame(condition) => condition.fmt(f),
        }
    }
}

/// A break point, with what it saw last.
pub struct BreakPoint {
    subject: Subject,
    /// Last value of the register.
    value: u64,
    is_met: bool,
}

impl BreakPoint {
    /// A break point that counts changes from now on.
    pub fn new<M: Machine>(subject: Subject, nodes: &[Node<M>]) -> Self {
        let value = match &subject {
            Subject::Register(condition) => value(&condition.register, nodes),
            Subject::Frame(_) => 0,
        };
        BreakPoint { subject, value, is_met: false }
    }

    /// The register, if it is a break point on one.
    pub fn register(&self) -> Option<&Register> {
        match &self.subject {
            Subject::Register(condition) => Some(&condition.register),
            Subject::Frame(_) => None,
        }
    }

    /// The condition on frames, if it is a break point on them.
    pub fn frames(&self) -> Option<&FrameCondition> {
        match &self.subject {
            Subject::Register(_) => None,
            Subject::Frame(condition) => Some(condition),
        }
    }

    /// Whether the last look has met it.
    pub fn is_met(&self) -> bool {
        self.is_met
    }

    /// Takes the present samples of all nodes as the last ones.
    pub fn begin_again(&mut self, samples: &[Vec<u64>]) {
        self.value = self.register().map_or(0, |register| register.value(&samples[register.node]));
    }

    /// Looks at samples by node and at new frames; returns what has met the break point, as text.
    pub fn look(&mut self, samples: &[Vec<u64>], frames: &[SeenFrame]) -> Option<String> {
        let met = match &self.subject {
            Subject::Register(condition) => {
                let now = condition.register.value(&samples[condition.register.node]);
                let before = std::mem::replace(&mut self.value, now);
                condition.comes_true(before, now).then(|| condition.to_string())
            }
            Subject::Frame(condition) => {
                frames.iter().find(|frame| condition.holds(frame)).map(ToString::to_string)
            }
        };
        self.is_met = met.is_some();
        met
    }
}

impl fmt::Display for BreakPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.subject.fmt(f)
    }
}

fn value<M: Machine>(register: &Register, nodes: &[Node<M>]) -> u64 {
    register.value(&sample(&nodes[register.node]))
}
