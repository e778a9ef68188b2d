//! The Verilated RTL of the channel adapter: the whole device and its blocks alone.

#[cfg(verilated)]
mod bridge;

use verilator::{Device, OpenError};

/// Names that [`open`] takes, in the order of `build.rs`.
pub fn blocks() -> impl Iterator<Item = &'static str> {
    env!("BLOCKS").split(' ')
}

/// Ports of the clocks of the device, in the order of their bits in a set of clocks.
pub fn clocks() -> impl Iterator<Item = &'static str> {
    env!("CLOCKS").split(' ')
}

/// Opens a block, after reset.
#[cfg(verilated)]
pub fn open(block: &str) -> Result<Device, OpenError> {
    Ok(bridge::ffi::open(block).map(Device::new)?)
}

/// Says why nothing can be opened.
#[cfg(not(verilated))]
pub fn open(_block: &str) -> Result<Device, OpenError> {
    Err(OpenError::NO_VERILATOR)
}
