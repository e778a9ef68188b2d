//! Surroundings for an adapter: hosts, cables, a second adapter, and what verbs programs do.

pub mod connection;
pub mod datagrams;
pub mod host;
pub mod pair;
pub mod wire;
