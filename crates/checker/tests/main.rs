//! Protocols, walked state by state.

mod cenju3;
mod fagus;
mod gigae_pm;
mod hca;
mod hca_replay;
mod mpi;
mod suci;
mod windows;
