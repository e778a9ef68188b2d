//! The oracle itself, and a cluster of models against it.

/// What random programs come to.
mod corners;
/// The targets for fuzzing, with bytes from seeds.
mod fuzz;
/// What primitives mean, by examples.
mod meaning;
/// A difference is found wherever it is.
mod notice;
/// Random programs on two boards.
mod programs;
