//! Reliable connections of the channel adapter: two queue pairs over a link that may lose, duplicate and reorder packets,
//! with deadlines that may be early, and hosts that may make the connection again.
//!
//! The world calls the functions that the adapter runs: [`hca::protocol`], combinational blocks with twins in
//! RTL. A request takes effect at most once and completes only after its execution. A read returns the data last written. Every
//! request completes, with an error at the latest when its retries are exhausted.
//!
//! ```
//! use checker::core::Walk;
//! use checker::hca::{Hazard, Wrong};
//!
//! let hazard = Hazard::find("H1").unwrap();
//! // SEND, its ACK that is lost, a time-out, the SEND again.
//! assert_eq!(hazard.world().check(1000).unwrap().events_to(Wrong::Duplicate), Some(6));
//! assert!(hazard.repaired().unwrap().check(1000).unwrap().holds());
//! ```

mod defect;
mod hazard;
mod model;
pub mod replay;
mod step;
mod world;
mod wrong;

pub use defect::Defect;
pub use hazard::Hazard;
pub use world::{ALWAYS, Request, World};
pub use wrong::Wrong;

use crate::core::{Clean, Exploration, Judged, OnVisit, Protocol, Scripted};

/// The protocol of reliable connections.
#[derive(Clone, Copy, Debug)]
pub enum Hca {}

impl Protocol for Hca {
    type World = World;
    type Wrong = Wrong;
    type Script = replay::Script;

    fn hazards() -> Vec<Hazard> {
        hazard::all()
    }

    fn clean() -> Vec<Clean<World>> {
        hazard::clean()
    }

    /// The rules of the adapter.
    fn repaired(hazard: &Hazard) -> Option<World> {
        Some(World { defect: None, ..hazard.world().clone() })
    }

    fn walk(world: &World, limit: usize, on_visit: OnVisit<'_>) -> Judged<Wrong> {
        Ok(Exploration::new(world, limit, on_visit)?.verdict())
    }

    fn script(world: &World, wrong: Option<Wrong>, limit: usize) -> Scripted<replay::Script> {
        replay::Script::find(world, wrong, limit)
    }
}
