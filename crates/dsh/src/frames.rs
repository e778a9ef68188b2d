//! Conditions on frames: `frame lost RVS from node0`.

use std::fmt;

use cluster::{Cluster, Direction, Fault, Head, UnitOf};
use machine_api::Driven;
use machine_api::command::{did_you_mean, like};
use thiserror::Error;

/// The word with which a condition on frames begins.
pub const FRAME: &str = "frame";

/// The words in front of the node whose link is meant.
const ENDS: [&str; 2] = ["from", "to"];

/// Result of a fault on the link from the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Lost,
    Damaged,
    Repeated,
    Late,
}

const FATES: [(&str, Fate); 4] =
    [("lost", Fate::Lost), ("damaged", Fate::Damaged), ("repeated", Fate::Repeated), ("late", Fate::Late)];

impl Fate {
    fn of(fault: Fault) -> Self {
        match fault {
            Fault::Drop => Fate::Lost,
            Fault::Cut(_) | Fault::Corrupt(_) => Fate::Damaged,
            Fault::Repeat => Fate::Repeated,
            Fault::Delay => Fate::Late,
        }
    }

    fn name(self) -> &'static str {
        FATES.iter().find(|(_, fate)| *fate == self).expect("every fate has a name").0
    }
}

/// Why a text is no condition on frames.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FrameError {
    /// The word is neither a place nor a fate nor a kind.
    #[error("`{word}` is no kind of frame{hint}")]
    UnknownWord {
        /// The word given.
        word: String,
        /// Similar words.
        hint: String,
    },
    /// No node follows `from` or `to`.
    #[error("`{0}` is followed by a node: {0} node0")]
    NoNode(&'static str),
    /// The node does not exist.
    #[error("there is no node {node}; the last one is {last}")]
    UnknownNode {
        /// The number given.
        node: usize,
        /// Number of the last node.
        last: usize,
    },
    /// Two words say the same of a frame.
    #[error("`{0}` is one too many: a frame has one link, one kind and one fault")]
    Twice(String),
    /// Links to nodes have no faults.
    #[error(
        "faults strike frames on the link from their node; write `from` instead of `to`, or leave out `{0}`"
    )]
    NoFaultThere(&'static str),
}

/// The head of a frame on a link.
#[derive(Clone, Copy, Debug)]
pub struct SeenFrame {
    direction: Direction,
    fate: Option<Fate>,
    kind: Option<&'static str>,
}

impl SeenFrame {
    /// The frame that begins with a head.
    pub fn of<M: Driven>(direction: Direction, head: &Head<UnitOf<M>>) -> Self {
        SeenFrame { direction, fate: head.fault.map(Fate::of), kind: (M::FRAME_KINDS.of)(&head.units) }
    }
}

impl fmt::Display for SeenFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_frame(f, self.kind, self.fate, Some(self.direction))
    }
}

/// Frames of a link, of a kind, or with a fault.
#[derive(Clone, Copy, Debug)]
pub struct FrameCondition {
    /// As it was asked for.
    end: Option<Direction>,
    /// The only link whose frames count; all links from nodes without one.
    link: Option<Direction>,
    fate: Option<Fate>,
    kind: Option<&'static str>,
}

impl FrameCondition {
    /// The words behind `frame`, if the condition is one on frames.
    pub fn words(text: &str) -> Option<&str> {
        let rest = text.trim().strip_prefix(FRAME)?;
        let is_word = rest.is_empty() || rest.starts_with(char::is_whitespace);
        // A register or a state machine may have this name.
        (is_word && !rest.contains(['=', '<', '>', '!'])).then(|| rest.trim())
    }

    /// Parses the words behind `frame`.
    pub fn parse<M: Driven>(words: &str, cluster: &Cluster<M>) -> Result<Self, FrameError> {
        let mut condition = FrameCondition { end: None, link: None, fate: None, kind: None };
        let mut words = words.split_whitespace();
        while let Some(word) = words.next() {
            let fresh = if let Some(end) = ENDS.iter().find(|end| **end == word) {
                let node = node(words.next(), end, cluster.nodes().len())?;
                let direction = if *end == "from" { Direction::From(node) } else { Direction::To(node) };
                condition.end.replace(direction).is_none()
            } else if let Some((_, fate)) = FATES.iter().find(|(name, _)| *name == word) {
                condition.fate.replace(*fate).is_none()
            } else {
                condition.kind.replace(kind::<M>(word)?).is_none()
            };
            if !fresh {
                return Err(FrameError::Twice(word.to_string()));
            }
        }
        if let (Some(Direction::To(_)), Some(fate)) = (condition.end, condition.fate) {
            return Err(FrameError::NoFaultThere(fate.name()));
        }
        condition.link = condition.end.map(|end| match end {
            // On a single cable the link to a node is that from the other one.
            Direction::To(node) if cluster.topology().ports() == 0 => Direction::From(1 - node),
            end => end,
        });
        Ok(condition)
    }

    /// The links whose frames count, among those of `nodes` nodes.
    pub fn links(&self, nodes: usize) -> impl Iterator<Item = Direction> {
        let all = if self.link.is_none() { nodes } else { 0 };
        self.link.into_iter().chain((0..all).map(Direction::From))
    }

    /// Whether the frame is one of those.
    pub fn holds(&self, frame: &SeenFrame) -> bool {
        let link =
            self.link.map_or(matches!(frame.direction, Direction::From(_)), |link| link == frame.direction);
        link && self.fate.is_none_or(|fate| frame.fate == Some(fate))
            && self.kind.is_none_or(|kind| frame.kind == Some(kind))
    }
}

impl fmt::Display for FrameCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_frame(f, self.kind, self.fate, self.end)
    }
}

/// All words of conditions on frames of a machine.
pub fn words<M: Driven>() -> Vec<&'static str> {
    let fates = FATES.iter().map(|(name, _)| *name);
    ENDS.into_iter().chain(fates).chain((M::FRAME_KINDS.names)()).collect()
}

/// The node behind `from` or `to`: `node0`, or its number alone.
fn node(word: Option<&str>, end: &'static str, nodes: usize) -> Result<usize, FrameError> {
    let number = word.map(|word| word.strip_prefix("node").unwrap_or(word));
    let node = number.and_then(|number| number.parse().ok()).ok_or(FrameError::NoNode(end))?;
    if node < nodes { Ok(node) } else { Err(FrameError::UnknownNode { node, last: nodes - 1 }) }
}

/// A kind by its name, in any case.
fn kind<M: Driven>(word: &str) -> Result<&'static str, FrameError> {
    let names = (M::FRAME_KINDS.names)();
    names.iter().find(|name| name.eq_ignore_ascii_case(word)).copied().ok_or_else(|| {
        let all = words::<M>();
        let otherwise = format!("the words are {}", all.join(", "));
        FrameError::UnknownWord { word: word.to_string(), hint: did_you_mean(&like(word, &all), &otherwise) }
    })
}

fn write_frame(
    f: &mut fmt::Formatter<'_>,
    kind: Option<&str>,
    fate: Option<Fate>,
    end: Option<Direction>,
) -> fmt::Result {
    f.write_str(FRAME)?;
    for word in fate.map(Fate::name).into_iter().chain(kind) {
        write!(f, " {word}")?;
    }
    match end {
        Some(Direction::From(node)) => write!(f, " from node{node}"),
        Some(Direction::To(node)) => write!(f, " to node{node}"),
        None => Ok(()),
    }
}
