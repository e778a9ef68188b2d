//! SWIF and its blocks, each alone.

/// Takes packets out of frames.
mod decapsulation;
/// Puts packets into frames.
mod encapsulation;
/// The blocks above with the FIFOs between the clocks.
#[allow(clippy::module_inception)]
mod swif;
