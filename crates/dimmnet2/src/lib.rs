//! DIMMnet-2, a network interface in a memory slot.

pub mod host_interface;
pub mod line;
pub mod pins;
pub mod receive_controller;
pub mod request;
pub mod sodimm_interface;
pub mod swif;
pub mod tables;
pub mod window_controller;
pub mod write_unit;
