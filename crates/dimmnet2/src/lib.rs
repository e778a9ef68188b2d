//! DIMMnet-2, a network interface in a memory slot.

pub mod line;
pub mod tables;
pub mod window_controller;
