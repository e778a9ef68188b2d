//! Worlds of Suci: endpoints over a network that loses, repeats and reorders, with time-outs that come too soon.
//!
//! Nothing of the protocol is modelled: the nodes are [`suci::Endpoint`]s, of any of the three rules. What is here is the
//! network, time, and the applications. With the rules of the paper time is taken out: each time-out may come whenever something is
//! waited for. Packets of our own rules tell the time, so there all nodes have one clock, which goes on only to what is due next.
//!
//! ```
//! use checker::suci::{Hazard, Wrong};
//!
//! let hazard = Hazard::find("H4").unwrap();
//! // A packet overtakes another: three events, and the network loses nothing.
//! assert_eq!(hazard.world.check(10_000).unwrap().events_to(Wrong::Deadlock), Some(3));
//! assert!(hazard.repaired().unwrap().check(10_000).unwrap().holds());
//! ```

mod application;
mod clean;
mod hazard;
mod model;
mod packet;
mod replay;
mod step;
mod verdict;
mod words;
mod world;

pub use clean::Clean;
pub use hazard::{ELSEWHERE, Hazard};
pub use packet::Seen;
pub use replay::{Ending, Played, Replay};
pub use step::{Sent, Time};
pub use verdict::{Trace, Verdict};
pub use world::{ALWAYS, Action, Faults, Left, Network, Node, Packet, State, Which, World, Wrong};
