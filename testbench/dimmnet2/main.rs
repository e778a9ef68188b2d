//! DIMMnet-2 against its RTL.

/// What the host sees.
mod host_interface;
/// Blocks that take requests and build packets.
mod window_controller;
