//! Unreliable datagrams over real verbs: a queue pair with a send ring and a receive ring.
//!
//! The part that uses an adapter is in C++, because the header of rdma-core has inline functions; it needs the feature
//! `rdma-core`. The choice of a [`Port`] and the [sender](route::source) of a datagram are functions without an adapter.

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
