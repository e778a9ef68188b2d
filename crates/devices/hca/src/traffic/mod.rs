//! Surroundings for an adapter: hosts, cables, a second adapter, what verbs programs do, random traffic for
//! lockstep runs, and a steady stream for benches.

pub mod connection;
pub mod datagrams;
pub mod host;
pub mod monitor;
pub mod packet;
pub mod pair;
mod random;
mod streams;
pub mod wire;

pub use random::Traffic;
pub use streams::Streams;
