//! The statement by which a protocol is walked, listed and replayed.

use std::fmt::Debug;

use super::hazard::{Clean, Elsewhere, Hazard};
use super::verdict::{Judged, TooManyStates, Wrong};
use super::walk::OnVisit;

/// A protocol: its worlds, its hazards with their repairs, and how a finding becomes a script for the machine.
pub trait Protocol: Sized {
    /// A small world: nodes that follow some rules, and the faults around them.
    type World: Clone + Debug;
    /// Kinds of findings.
    type Wrong: Wrong;
    /// A trace that the machine can follow.
    type Script;

    /// Hazards that no world shows.
    const ELSEWHERE: &'static [Elsewhere] = &[];

    /// Hazards that a world shows.
    fn hazards() -> Vec<Hazard<Self>>;

    /// Worlds in which nothing may go wrong.
    fn clean() -> Vec<Clean<Self::World>> {
        Vec::new()
    }

    /// The world of a hazard with all repairs; `None` if none of them removes it.
    fn repaired(hazard: &Hazard<Self>) -> Option<Self::World>;

    /// Walks at most `limit` states of a world and calls `on_visit` for each.
    fn walk(world: &Self::World, limit: usize, on_visit: OnVisit<'_>) -> Judged<Self::Wrong>;

    /// The trace to a finding of a world, for the machine: to that of a kind, or to the nearest one.
    fn script(world: &Self::World, wrong: Option<Self::Wrong>, limit: usize) -> Scripted<Self::Script>;
}

/// A script, or the reason why there is none.
pub type Scripted<S> = Result<S, NoScript>;

/// Why there is no script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoScript {
    /// Nothing of the kind goes wrong in the world.
    NothingFound,
    /// The machine cannot show it: a reason each, or none if only all differences between world and machine together prevent it.
    NotOnMachine(Vec<&'static str>),
    /// The world has more states than the limit.
    TooManyStates(TooManyStates),
}

impl From<TooManyStates> for NoScript {
    fn from(error: TooManyStates) -> Self {
        Self::TooManyStates(error)
    }
}
