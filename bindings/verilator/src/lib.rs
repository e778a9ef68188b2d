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
pub use absent::{Device, open};
#[cfg(verilated)]
pub use device::{Device, open};
pub use error::OpenError;

/// Opens what the build script of the calling crate has verilated: `blocks`, `clocks` and `open`.
#[macro_export]
macro_rules! device {
    () => {
        /// Names that [`open`] takes.
        pub fn blocks() -> impl Iterator<Item = &'static str> {
            env!("BLOCKS").split_whitespace()
        }

        /// Ports of the clocks of the device, in the order of their bits in a set of clocks.
        pub fn clocks() -> impl Iterator<Item = &'static str> {
            env!("CLOCKS").split_whitespace()
        }

        /// Opens a block, after reset.
        pub fn open(block: &str) -> Result<$crate::Device, $crate::OpenError> {
            $crate::open(env!("CARGO_PKG_NAME"), block)
        }
    };
}
