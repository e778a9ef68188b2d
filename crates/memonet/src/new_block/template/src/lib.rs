//! A block of hardware, twice: a model in Rust and RTL in SystemVerilog, held together by `tests/lockstep.rs`.

#[cfg(verilated)]
mod bridge;
pub mod my_block;

use verilator::{Device, OpenError};

/// Opens the RTL, after reset.
#[cfg(verilated)]
pub fn open() -> Result<Device, OpenError> {
    Ok(bridge::ffi::open("my_block").map(Device::new)?)
}

/// Says why it cannot be opened.
#[cfg(not(verilated))]
pub fn open() -> Result<Device, OpenError> {
    Err(OpenError::NO_VERILATOR)
}
