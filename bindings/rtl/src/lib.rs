//! The Verilated RTL of the devices that a program is built for, a module each.
//!
//! Cargo cannot make a dependency depend on two features, "with RTL" and "with this machine". A program depends on this
//! crate for the first and enables a feature of it for each device: `rtl?/NAME` verilates the device only in programs
//! that have both.

include!(concat!(env!("OUT_DIR"), "/devices.rs"));
