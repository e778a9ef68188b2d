//! The part common to all protocols: the graph of reachable states, the walk over it, verdicts, hazards.

mod graph;
mod protocol;
mod replay;
mod search;
mod verdict;
mod walk;

pub use graph::{Graph, Stop, Trace};
pub use protocol::{Clean, Elsewhere, Hazard, NoScript, Protocol, Scripted};
pub use replay::{Played, Replay, Testbed, play};
pub use search::minimal_sets;
pub(crate) use verdict::kinds;
pub use verdict::{Finding, Judged, Step, TooManyStates, Verdict, Wrong};
pub use walk::{Exploration, Occurrence, OnVisit, Traced, Trap, Walk, describe};
