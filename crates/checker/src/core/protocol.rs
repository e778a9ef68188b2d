//! The statement by which a protocol is walked, listed and replayed.

use std::fmt::Debug;

use super::hazard::{Clean, Elsewhere, Hazard};
use super::verdict::{Judged, TooManyStates, Wrong};
use super::walk::OnVisit;

/// A protocol: its worlds, its hazards with their repairs, and the scripts that replay findings on a machine.
pub trait Protocol: Sized {
    /// A small configuration: nodes with their rules, and faults of the network.
    type World: Clone + Debug;
    /// Kinds of findings.
    type Wrong: Wrong;
    /// A trace that a machine can replay.
    type Script;

    /// Hazards that no world shows.
    const ELSEWHERE: &'static [Elsewhere] = &[];

    /// Hazards that a world shows.
    fn hazards() -> Vec<Hazard<Self>>;

    /// Worlds that must be free of findings.
    fn clean() -> Vec<Clean<Self::World>> {
        Vec::new()
    }

    /// The world of a hazard with all repairs; `None` if none of them removes it.
    fn repaired(hazard: &Hazard<Self>) -> Option<Self::World>;

    /// Walks at most `limit` states of a world and calls `on_visit` for each.
    fn walk(world: &Self::World, limit: usize, on_visit: OnVisit<'_>) -> Judged<Self::Wrong>;

    /// Script of the trace to a finding of kind `wrong`; without a kind, to the nearest finding.
    fn script(world: &Self::World, wrong: Option<Self::Wrong>, limit: usize) -> Scripted<Self::Script>;
}

/// A script, or the reason why there is none.
pub type Scripted<S> = Result<S, NoScript>;

/// Reason why a finding has no script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoScript {
    /// The world has no finding of the kind.
    NothingFound,
    /// The machine cannot show it, for these reasons; none if only all differences together prevent it.
    NotOnMachine(Vec<&'static str>),
    /// The world has more states than the limit.
    TooManyStates(TooManyStates),
}

impl From<TooManyStates> for NoScript {
    fn from(error: TooManyStates) -> Self {
        Self::TooManyStates(error)
    }
}
