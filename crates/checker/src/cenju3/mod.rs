//! Worlds of MPI/DE on Cenju-3: PEs whose caches are not coherent with their network interfaces.
//!
//! The nodes run the functions of [`mpi_de`]. The world adds a NIF, which moves entries of a queue to rings, the cache line of
//! each slot, waiting threads, and an operating system that sets masks. The network loses no packet, as in the paper.
//!
//! ```
//! use checker::cenju3::{Hazard, Wrong};
//!
//! let hazard = Hazard::find("H12").unwrap();
//! // The thread looks, a message comes, and the pulse is gone when it goes to sleep.
//! assert_eq!(hazard.world().check(1000).unwrap().events_to(Wrong::Deadlock), Some(2));
//! assert!(hazard.repaired().unwrap().check(1000).unwrap().holds());
//! ```

mod exchange;
mod hazard;
mod masks;
mod pe;
pub mod replay;
mod ring;
mod waiting;
mod world;
mod wrong;

pub use exchange::{Exchange, Send};
pub use hazard::Hazard;
pub use masks::Masks;
pub use ring::Ring;
pub use waiting::Waiting;
pub use world::World;
pub use wrong::Wrong;

use mpi_de::Rules;

use crate::core::{Clean, Elsewhere, Judged, OnVisit, Protocol, Scripted};
use replay::Script;

/// The protocol of MPI/DE.
#[derive(Clone, Copy, Debug)]
pub enum Cenju3 {}

impl Protocol for Cenju3 {
    type World = World;
    type Wrong = Wrong;
    type Script = Script;

    const ELSEWHERE: &'static [Elsewhere] = &hazard::ELSEWHERE;

    fn hazards() -> Vec<Hazard> {
        hazard::all()
    }

    fn clean() -> Vec<Clean<World>> {
        hazard::clean()
    }

    fn repaired(hazard: &Hazard) -> Option<World> {
        Some(hazard.world().under(Rules::REPAIRED))
    }

    fn walk(world: &World, limit: usize, on_visit: OnVisit<'_>) -> Judged<Wrong> {
        world.check_with(limit, on_visit)
    }

    fn script(world: &World, wrong: Option<Wrong>, limit: usize) -> Scripted<Script> {
        Script::find(world, wrong, limit)
    }
}
