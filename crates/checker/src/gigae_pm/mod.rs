//! GigaE PM over a faulty network: one receiver, one or two senders, the channels between them and what may go wrong there.
//!
//! The nodes are not modelled: they are [`gigae_pm::protocol`](::gigae_pm::protocol), the functions that the NIC runs.
//!
//! ```
//! use checker::gigae_pm::{Network, Rules, Trap, World};
//!
//! let world = World { rules: Rules::PRINTED, network: Network::LOSS, slots: None, ..World::default() };
//! let verdict = world.check(1000).unwrap();
//! // One message is sent and lost: that is all it takes.
//! assert_eq!(verdict.trapped_after(), Some((Trap::Deadlock, 2)));
//!
//! let verdict = World { rules: Rules::REPAIRED, ..world }.check(1000).unwrap();
//! assert!(verdict.holds());
//! ```

pub mod channel;
pub mod hazard;
mod model;
pub mod network;
pub mod replay;
pub mod search;
pub mod state;
mod step;
pub mod storm;
pub mod verdict;
pub mod witness;
pub mod words;
pub mod world;

pub use ::gigae_pm::protocol::Rules;
pub use hazard::Hazard;
pub use network::{Network, NoSuchFault, Timers};
pub use replay::{NoScript, Replay, Script};
pub use state::{Link, State};
pub use verdict::{TooManyStates, Trace, Trap, Verdict};
pub use witness::{Sighting, Witness};
pub use words::Step;
pub use world::{Action, Before, Grain, Misreading, Violation, Way, World};
