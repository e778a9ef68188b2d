//! Model checker for protocols: every state that GigaE PM can reach over a faulty network.
//!
//! A [`World`] is one receiver, one or two senders, the channels between them and what may go wrong there. The nodes are
//! not modelled: they are [`gigae_pm::protocol`], the functions that the NIC runs. [`World::check`] walks every reachable
//! state and says what is violated, by the shortest trace, and from where completion is out of reach.
//! [`exchange`] is another world, of MPI and its credits; [`mod@cenju3`] one of MPI/DE, [`mod@fagus`] one of shared memory, [`mod@suci`] one of whole
//! endpoints.
//!
//! ```
//! use checker::{Network, Trap, World};
//! use gigae_pm::protocol::Rules;
//!
//! let world = World { rules: Rules::PRINTED, network: Network::LOSS, slots: None, ..World::default() };
//! let verdict = world.check(1000).unwrap();
//! // One message is sent and lost: that is all it takes.
//! assert_eq!(verdict.trapped_after(), Some((Trap::Deadlock, 2)));
//!
//! let verdict = World { rules: Rules::REPAIRED, ..world }.check(1000).unwrap();
//! assert!(verdict.holds());
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod cenju3;
pub mod channel;
mod elsewhere;
pub mod exchange;
pub mod fagus;
pub mod graph;
pub mod hazard;
mod model;
pub mod network;
pub mod replay;
pub mod search;
pub mod state;
mod step;
pub mod storm;
pub mod suci;
pub mod verdict;
pub mod witness;
pub mod words;
pub mod world;

pub use elsewhere::Elsewhere;
pub use gigae_pm::protocol::Rules;
pub use hazard::Hazard;
pub use network::{Network, NoSuchFault, Timers};
pub use replay::{NoScript, Replay, Script};
pub use state::{Link, State};
pub use verdict::{TooManyStates, Trace, Trap, Verdict};
pub use witness::{Sighting, Witness};
pub use words::Step;
pub use world::{Action, Before, Grain, Misreading, Violation, Way, World};
