//! Worlds of shared memory: nodes with small programs over a network that duplicates and reorders messages.
//!
//! The nodes run the product's functions, [`fagus::protocol`]. Loss is not modelled: the layer below retransmits, so
//! a lost message is a late one here. The assembly of messages from packets has worlds of its own, in [`packets`].
//!
//! ```
//! use checker::fagus::{Hazard, Wrong};
//!
//! let hazard = Hazard::find("H15").unwrap();
//! let verdict = hazard.world().check(100_000).unwrap();
//! assert_eq!(verdict.findings[0].wrong, Wrong::Stale);
//! let trace = verdict.findings[0].trace();
//! assert_eq!(trace[3], "INV of x from node 0 reaches node 1");
//! assert_eq!(trace[4], "DATA of x from node 0 reaches node 1");
//! ```

mod hazard;
mod litmus;
mod model;
pub mod packets;
pub mod replay;
mod world;
mod wrong;

pub use hazard::{AnyWorld, Hazard};
pub use litmus::Litmus;
pub use world::{Network, Op, Outcome, Transfer, World};
pub use wrong::Wrong;

use crate::core::{Exploration, Judged, NoScript, OnVisit, Protocol, Scripted, Traced, Walk};

/// The protocol of Fagus.
#[derive(Clone, Copy, Debug)]
pub enum Fagus {}

/// A trace for nodes on a machine.
#[derive(Clone, Debug)]
pub enum Script {
    /// Of programs that share objects.
    Objects(replay::Script),
    /// Of packets into a ring of slots.
    Packets(packets::Script),
}

impl Protocol for Fagus {
    type World = AnyWorld;
    type Wrong = Wrong;
    type Script = Script;

    fn hazards() -> Vec<Hazard> {
        hazard::all()
    }

    fn repaired(hazard: &Hazard) -> Option<AnyWorld> {
        Some(hazard.world().repaired())
    }

    fn walk(world: &AnyWorld, limit: usize, on_visit: OnVisit<'_>) -> Judged<Wrong> {
        world.check_with(limit, on_visit)
    }

    /// The trace to the nearest finding.
    fn script(world: &AnyWorld, _: Option<Wrong>, limit: usize) -> Scripted<Script> {
        match world {
            AnyWorld::Objects(world) => replay::Script::find(world, limit).map(Script::Objects),
            AnyWorld::Packets(world) => packets::Script::find(world, limit).map(Script::Packets),
        }
    }
}

/// The trace to the nearest finding; a trap that holds from the beginning comes last.
fn nearest<W: Walk<Wrong = Wrong>>(exploration: &Exploration<'_, W>) -> Result<Traced<W>, NoScript> {
    let closed = exploration.occurrences.first().is_some_and(|occurrence| occurrence.first == 0);
    let mut kinds = exploration.occurrences.iter().map(|occurrence| occurrence.wrong);
    let wrong = kinds.find(|wrong| !closed || *wrong != Wrong::Trap);
    exploration.trace(wrong).ok_or(NoScript::NothingFound)
}
