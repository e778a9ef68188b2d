//! A Verilated block or device, driven through its packed ports.
//!
//! This crate implements [`cosim::Simulation`], not the other way round: so `cosim` can be built and tested
//! where Verilator is not installed. There this crate and those of the devices build empty: no block can be
//! opened, and [`OpenError`] says what to install. The build script decides, by `cfg(verilated)`.

#[cfg(not(verilated))]
mod absent;
#[cfg(verilated)]
mod bridge;
#[cfg(verilated)]
mod device;
mod error;

#[cfg(not(verilated))]
pub use absent::Device;
#[cfg(verilated)]
pub use bridge::ffi;
#[cfg(verilated)]
pub use device::Device;
pub use error::OpenError;
