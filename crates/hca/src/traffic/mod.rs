//! Surroundings for an adapter: hosts, cables, a second adapter, what verbs programs do, and random traffic for lockstep runs and
//! benches.

pub mod connection;
pub mod datagrams;
pub mod host;
pub mod pair;
mod random;
pub mod wire;

pub use random::Traffic;
