//! Unreliable datagrams over real verbs: a queue pair with a ring of packets to send and one of packets that come.
//!
//! What needs an adapter is in C++, where the structures of verbs and the calls that its header has inline are what rdma-core says they are; it is there with the
//! feature `rdma-core` only. Which [`Port`] a node takes, and what a [route](route::source) says of a sender, are functions that need none.

#[cfg(feature = "rdma-core")]
mod bridge;
#[cfg(feature = "rdma-core")]
mod pair;
mod peer;
pub mod port;
pub mod route;

#[cfg(feature = "rdma-core")]
pub use pair::{Receiver, Sender, Unreached, VerbsError, open, ports};
pub use peer::{Arrived, Peer};
pub use port::{Choice, NoPort, Port, choose};
