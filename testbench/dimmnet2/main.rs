//! DIMMnet-2 against its RTL.

/// What the host sees.
mod host_interface;
/// Blocks that write to SO-DIMM.
mod sodimm_interface;
/// Blocks between the Core Logic and the link.
mod swif;
/// Blocks that take requests and build packets.
mod window_controller;
