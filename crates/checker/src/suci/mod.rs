//! Worlds of Suci: endpoints over a network that loses, repeats and reorders, with time-outs that come too soon.
//!
//! The nodes are not modelled: they are [`suci::Endpoint`]s, of any of the three rules. The model is the network, time,
//! and the applications. With the rules of the paper time is taken out: a time-out may come whenever an endpoint waits. Packets of our
//! own rules carry times, so there all nodes have one clock, which goes on only to the next time-out.
//!
//! ```
//! use checker::core::Walk;
//! use checker::suci::{Hazard, Wrong};
//!
//! let hazard = Hazard::find("H4").unwrap();
//! // A packet overtakes another: three events, and the network loses nothing.
//! assert_eq!(hazard.world().check(10_000).unwrap().events_to(Wrong::Deadlock), Some(3));
//! assert!(hazard.repaired().unwrap().check(10_000).unwrap().holds());
//! ```

mod application;
mod clean;
mod hazard;
mod model;
mod packet;
mod replay;
mod step;
mod words;
mod world;
mod wrong;

pub use clean::Clean;
pub use hazard::Hazard;
pub use replay::{Ending, Replay, Script};
pub use world::{ALWAYS, Class, Faults, Network, World};
pub use wrong::Wrong;

use crate::core::{Elsewhere, Exploration, Judged, OnVisit, Protocol, Scripted};

/// The protocol of Suci.
#[derive(Clone, Copy, Debug)]
pub enum Suci {}

impl Protocol for Suci {
    type World = World;
    type Wrong = Wrong;
    type Script = Script;

    const ELSEWHERE: &'static [Elsewhere] = &hazard::ELSEWHERE;

    fn hazards() -> Vec<Hazard> {
        Hazard::listed()
    }

    fn clean() -> Vec<Clean> {
        Clean::repaired().into_iter().chain(Clean::modern()).collect()
    }

    /// The paper's rules with all repairs.
    fn repaired(hazard: &Hazard) -> Option<World> {
        hazard.mended.first().map(|mended| mended.under(::suci::Rules::REPAIRED))
    }

    fn walk(world: &World, limit: usize, on_visit: OnVisit<'_>) -> Judged<Wrong> {
        Ok(Exploration::new(world, limit, on_visit)?.verdict())
    }

    fn script(world: &World, wrong: Option<Wrong>, limit: usize) -> Scripted<Script> {
        Script::find(world, wrong, limit)
    }
}
