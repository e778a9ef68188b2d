//! Unreliable datagrams of real verbs, a process for each node: what the paper itself ran on, with the adapters of today.
//!
//! A packet is one datagram, with the paper's header and no other; it is as long as the path carries, and no longer than the paper's. Each node has one queue pair. The
//! adapter drops what comes without the run's Q_Key, and the completion of what comes says which queue pair sent it, so a packet need not. First nodes
//! [exchange] where their queue pairs are.
//!
//! What needs an adapter is there with the feature `verbs` only, which takes `libibverbs` (`ci/install verbs`):
//! `join` has the arguments of [`udp::join`](super::udp::join), and the address of a node's seat says which adapter it takes.

pub mod exchange;
#[cfg(feature = "verbs")]
mod member;

#[cfg(feature = "verbs")]
pub use member::{join, member};
