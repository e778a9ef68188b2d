//! The verdict on a world: what goes wrong in it, and the shortest trace to each finding.

use std::fmt;

/// A kind of finding of one protocol. Their order is that of findings with equally many events.
pub trait Wrong: Copy + Eq + Ord + fmt::Debug {
    /// One or two words.
    fn name(self) -> &'static str;
    /// The fact, as half a sentence.
    fn description(self) -> &'static str;
    /// It says that no end can be reached, which is a matter of the graph and not of one state.
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
    /// The contents of each node and channel after it, a line each; empty where the protocol does not say.
    pub knowledge: Vec<String>,
}

/// Something that goes wrong in a world, by its shortest trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<W> {
    /// Its kind.
    pub wrong: W,
    /// Events until the first state that shows it. From there a trap cannot be left.
    pub events: usize,
    /// The same for the initial state.
    pub start: Vec<String>,
    /// The trace in words. That of a deadlock may go on, past `events`, to a state without successors.
    pub steps: Vec<Step>,
    /// Steps of these after which the trap is closed, where the trace goes on behind them.
    pub sealed: Option<usize>,
    /// Events to the nearest state without successors, of a trap that has one.
    pub rests: Option<usize>,
    /// Edges of the graph of this kind, where a kind of step was looked for.
    pub times: Option<usize>,
}

impl<W> Finding<W> {
    /// The trace, an event each.
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
    /// Seconds that the slowest complete run waits, where the protocol counts them.
    pub waited_s: u32,
}

impl<W: Wrong> Verdict<W> {
    /// Nothing is violated, and an end can be reached from every state. A kind of step that was looked for is no fault.
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

    /// Findings that single states show.
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
