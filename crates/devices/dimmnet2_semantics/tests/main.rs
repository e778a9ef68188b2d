//! Tests of the oracle itself and of a cluster of models against it.

/// Special cases reached by random programs.
mod corners;
/// Fuzz targets, with bytes from seeds.
mod fuzz;
/// Meaning of primitives, by examples.
mod meaning;
/// Differences of every kind are detected.
mod notice;
/// Random programs on two boards.
mod programs;
