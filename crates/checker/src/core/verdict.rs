//! The verdict on a world: its findings, with the shortest trace to each.

use std::fmt;

/// A kind of finding of one protocol. The order of kinds decides between findings with equally many events.
pub trait Wrong: Copy + Eq + Ord + fmt::Debug {
    /// Name, one or two words.
    fn name(self) -> &'static str;
    /// The failure, as a clause without a full stop.
    fn description(self) -> &'static str;
    /// The finding means that no end is reachable: a property of the graph, not of a single state.
    fn is_trap(self) -> bool;
}

/// Declares the kinds of findings of a protocol, each as `Kind = name: what has happened`, or `Kind (trap) = ...`.
macro_rules! kinds {
    ($(#[$attribute:meta])* pub enum $enum:ident { $($kind:ident $(($trap:ident))? = $name:literal: $description:literal,)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $enum { $(#[doc = $description] $kind,)* }

        impl $crate::core::Wrong for $enum {
            fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            fn description(self) -> &'static str {
                match self { $(Self::$kind => $description,)* }
            }

            fn is_trap(self) -> bool {
                match self { $(Self::$kind => 0 $(+ kinds!(@$trap))? == 1,)* }
            }
        }
    };
    (@trap) => { 1 };
}
pub(crate) use kinds;

/// One event of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The event in words.
    pub happens: String,
    /// Contents of each node and channel after the event, a line each; empty if the protocol does not report them.
    pub knowledge: Vec<String>,
}

/// A failure in a world, with its shortest trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<W> {
    /// Kind of the finding.
    pub wrong: W,
    /// Events until the first state that shows the finding. For a trap, the first state from which no end is reachable.
    pub events: usize,
    /// Contents of each node and channel in the initial state.
    pub start: Vec<String>,
    /// The trace in words. For a deadlock it may continue beyond `events`, to a state without successors.
    pub steps: Vec<Step>,
    /// Number of steps after which the run is in the trap, if the trace continues.
    pub sealed: Option<usize>,
    /// For a trap, events to the nearest state without successors, if there is one.
    pub rests: Option<usize>,
    /// Number of such steps in the graph, if the finding is a kind of step.
    pub times: Option<usize>,
}

impl<W> Finding<W> {
    /// The events of the trace, in words.
    pub fn trace(&self) -> Vec<&str> {
        self.steps.iter().map(|step| step.happens.as_str()).collect()
    }
}

/// The result of walking a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict<W> {
    /// States visited.
    pub states: usize,
    /// All findings, the nearest first.
    pub findings: Vec<Finding<W>>,
    /// Seconds that the slowest complete run waits; 0 if the protocol does not count them.
    pub waited_s: u32,
}

impl<W: Wrong> Verdict<W> {
    /// There is no violation, and an end is reachable from every state. Kinds of steps are no failure.
    pub fn holds(&self) -> bool {
        self.findings.iter().all(|finding| finding.times.is_some())
    }

    /// The finding of a kind.
    pub fn find(&self, wrong: W) -> Option<&Finding<W>> {
        self.findings.iter().find(|finding| finding.wrong == wrong)
    }

    /// Events of the shortest trace to a finding of that kind.
    pub fn events_to(&self, wrong: W) -> Option<usize> {
        self.find(wrong).map(|finding| finding.events)
    }

    /// The trap of this world, if it has one.
    pub fn trap(&self) -> Option<&Finding<W>> {
        self.findings.iter().find(|finding| finding.wrong.is_trap())
    }

    /// Findings in single states: neither traps nor kinds of steps.
    pub fn violations(&self) -> impl Iterator<Item = &Finding<W>> {
        self.findings.iter().filter(|finding| !finding.wrong.is_trap() && finding.times.is_none())
    }
}

/// The verdict on a world, unless it is too large.
pub type Judged<W> = Result<Verdict<W>, TooManyStates>;

/// A world has more states than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyStates(pub usize);

impl fmt::Display for TooManyStates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {} states", self.0)
    }
}

impl std::error::Error for TooManyStates {}
