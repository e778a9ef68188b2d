//! Blocks of GigaE PM with one deliberate fault each: what an assertion of the RTL must find.
//!
//! `build.rs` lists the faults. `rtl/` does not know them: the changed text is in the build directory only.

#[cfg(verilated)]
mod bridge;

use verilator::{Device, OpenError};

/// Opens the block with a fault, after reset.
#[cfg(verilated)]
pub fn open(fault: &str) -> Result<Device, OpenError> {
    Ok(bridge::ffi::open(fault).map(Device::new)?)
}

/// Says why nothing can be opened.
#[cfg(not(verilated))]
pub fn open(_fault: &str) -> Result<Device, OpenError> {
    Err(OpenError::NO_VERILATOR)
}
