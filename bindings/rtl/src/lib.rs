//! The Verilated RTL of the devices that a program is built for, a module each.
//!
//! Cargo cannot make a dependency depend on two features, "with RTL" and "with this machine". A program depends on this
//! crate for the first and enables a feature of it for each device: `rtl?/NAME` verilates the device only in programs
//! that have both.

/// The compiler of the Verilated code, and Verilator, with their versions; `None` in a build without RTL.
pub use verilator::TOOLS;

/// Opens a device without the pins of its blocks, for long runs.
#[cfg(feature = "lean")]
pub fn open_lean(device: &str) -> Result<verilator::Device, verilator::OpenError> {
    verilator::open_lean(env!("CARGO_PKG_NAME"), device)
}

include!(concat!(env!("OUT_DIR"), "/devices.rs"));
