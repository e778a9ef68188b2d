//! One-sided communication of MPI: ranks that lock, access, flush, fence, post and start.
//!
//! Each rank has a program, and the state and rules of the library: [`mpi::window_rules`], [`mpi::LockQueue`] and
//! [`mpi::Arrivals`] are its types, and calls wait by its steps. Carriers deliver the messages of a pair of ranks
//! once and in order. Data of a long message comes after its envelope, at any time, and a remote write lands at any
//! time before its acknowledgement. A rank may die; then the others notice it at any time.
//!
//! ```
//! use checker::core::Walk;
//! use checker::windows::{Hazard, Wrong};
//!
//! let hazard = Hazard::find("W1").unwrap();
//! let verdict = hazard.world().check(10_000).unwrap();
//! let trace = verdict.find(Wrong::Exclusion).unwrap().trace();
//! assert_eq!(trace.last(), Some(&"rank 1 returns from lock of rank 2"));
//! assert!(hazard.repaired().unwrap().check(10_000).unwrap().holds());
//! ```

mod defect;
mod hazard;
mod program;
mod rank;
mod world;
mod wrong;

pub use defect::Defect;
pub use hazard::Hazard;
pub use program::Op;
pub use world::World;
pub use wrong::Wrong;

use std::convert::Infallible;

use crate::core::{Clean, Exploration, Judged, NoScript, OnVisit, Protocol, Scripted};

/// The protocol of windows.
#[derive(Clone, Copy, Debug)]
pub enum Windows {}

impl Protocol for Windows {
    type World = World;
    type Wrong = Wrong;
    type Script = Infallible;

    fn hazards() -> Vec<Hazard> {
        hazard::all()
    }

    fn clean() -> Vec<Clean<World>> {
        hazard::clean()
    }

    /// The rules of the library.
    fn repaired(hazard: &Hazard) -> Option<World> {
        Some(World { defect: None, ..hazard.world().clone() })
    }

    fn walk(world: &World, limit: usize, on_visit: OnVisit<'_>) -> Judged<Wrong> {
        Ok(Exploration::new(world, limit, on_visit)?.verdict())
    }

    fn script(_: &World, _: Option<Wrong>, _: usize) -> Scripted<Infallible> {
        Err(NoScript::NotOnMachine(vec!["the library has all rules"]))
    }
}
