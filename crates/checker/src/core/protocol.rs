//! The statement by which a protocol is walked, listed and replayed; its hazards, each with small worlds that show it.

use std::fmt::Debug;

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

/// A failure of a protocol that lacks a repair.
#[derive(Clone, Debug)]
pub struct Hazard<P: Protocol> {
    /// H and a number, as in the decision that lists the protocol's hazards.
    pub name: &'static str,
    /// The failure, as a sentence.
    pub description: &'static str,
    /// The repair, in words.
    pub repair: &'static str,
    /// The finding of the first world.
    pub wrong: P::Wrong,
    /// Worlds that show the hazard, the smallest first. Rules that would only hide it behind another one are repaired.
    pub worlds: Vec<P::World>,
    /// The first world with the fewest repairs that remove the hazard; each of these is enough.
    pub mended: Vec<P::World>,
}

impl<P: Protocol> Hazard<P> {
    /// A hazard that one world shows.
    pub fn new(
        name: &'static str,
        description: &'static str,
        repair: &'static str,
        wrong: P::Wrong,
        world: P::World,
    ) -> Self {
        Self { name, description, repair, wrong, worlds: vec![world], mended: Vec::new() }
    }

    /// With the least that removes it.
    pub fn mended(self, worlds: impl IntoIterator<Item = P::World>) -> Self {
        Self { mended: worlds.into_iter().collect(), ..self }
    }

    /// All hazards of the protocol that a world shows.
    pub fn all() -> Vec<Self> {
        P::hazards()
    }

    /// The hazard of a name, in upper or lower case.
    pub fn find(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|hazard| hazard.name.eq_ignore_ascii_case(name))
    }

    /// The smallest world that shows the hazard.
    pub fn world(&self) -> &P::World {
        &self.worlds[0]
    }

    /// The same world with all repairs; `None` if no repair of these rules removes the hazard.
    pub fn repaired(&self) -> Option<P::World> {
        P::repaired(self)
    }
}

/// A world in which nothing may go wrong with repaired rules.
#[derive(Clone, Debug)]
pub struct Clean<W> {
    /// A few words.
    pub name: &'static str,
    /// A sentence about the load and the faults in it.
    pub description: &'static str,
    /// Its nodes have all repairs.
    pub world: W,
}

/// A hazard that no world shows.
#[derive(Clone, Copy, Debug)]
pub struct Elsewhere {
    /// H and a number, as in the decision that lists the protocol's hazards.
    pub name: &'static str,
    /// The failure, as a sentence.
    pub description: &'static str,
    /// Why no world shows it, and what does.
    pub why: &'static str,
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
