//! DIMMnet-2 against its RTL.

/// Blocks that take packets apart.
mod receive_controller;
/// Stores receive statuses.
mod status_write_unit;
/// Blocks that take requests and build packets.
mod window_controller;
/// Blocks that store data in SO-DIMM.
mod write_unit;
