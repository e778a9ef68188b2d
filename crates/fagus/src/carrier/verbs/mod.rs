//! Nodes over unreliable datagrams of verbs, one process each, as in the paper but on current adapters.
//!
//! A packet is one datagram with the paper's header only, as long as the path MTU allows but no longer than
//! in the paper. Each node has one queue pair. The adapter drops datagrams without the run's Q_Key. Receive
//! completions name the sending queue pair, so packets need no sender field. Nodes first [exchange] the
//! addresses of their queue pairs.
//!
//! The feature `verbs` adds the parts that need an adapter and `libibverbs` (`ci/install verbs`). `join` has
//! the arguments of [`udp::join`](super::udp::join); the address of the seat selects the adapter.

pub mod exchange;
#[cfg(feature = "verbs")]
mod member;

#[cfg(feature = "verbs")]
pub use member::{join, member};
