//! DIMMnet-2 against its RTL.

/// Blocks that take requests and build packets.
mod window_controller;
