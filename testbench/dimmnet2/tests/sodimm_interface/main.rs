//! The SO-DIMM interface and its blocks, each alone.

/// Writes words to one SO-DIMM, and reads them.
mod sodimm;
/// Gives the right to write or to read.
mod sodimm_arbiter;
/// The blocks above.
#[allow(clippy::module_inception)]
mod sodimm_interface;
