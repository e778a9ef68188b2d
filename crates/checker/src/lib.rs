//! Model checker for protocols: every state that the functions of a protocol can reach in a small world.
//!
//! Each protocol has a module and implements [`core::Protocol`]; [`core`] has the graph, its exploration and the verdict.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod cenju3;
pub mod core;
pub mod fagus;
pub mod gigae_pm;
pub mod hca;
pub mod mpi;
pub mod suci;
pub mod windows;
