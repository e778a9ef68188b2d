//! Worlds of MPI/DE on Cenju-3: PEs whose caches are not coherent with their network interfaces.
//!
//! What is walked are [`mpi_de`]'s functions. Around them are a NIF, which moves entries of a queue to rings, the cache line of each slot,
//! threads that wait, and what an operating system does to masks. In the world of exchanges no packet is lost, as the paper has it.
//!
//! ```
//! use checker::cenju3::{Hazard, Wrong};
//!
//! let hazard = Hazard::find("H12").unwrap();
//! // The thread looks, a message comes, and the pulse is gone when it goes to sleep.
//! assert_eq!(hazard.world.check(1000).unwrap().events_to(Wrong::Deadlock), Some(2));
//! assert!(hazard.repaired().check(1000).unwrap().holds());
//! ```

mod exchange;
mod hazard;
mod masks;
mod pe;
pub mod replay;
mod ring;
mod verdict;
mod waiting;
mod world;

pub use exchange::{Exchange, Send};
pub use hazard::{Clean, ELSEWHERE, Hazard};
pub use masks::Masks;
pub use ring::Ring;
pub use verdict::{Found, Verdict, Walk, Wrong};
pub use waiting::Waiting;
pub use world::World;
