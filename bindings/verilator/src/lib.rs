//! A Verilated block or device, driven through its packed ports.
//!
//! This crate implements [`cosim::Simulation`] instead of being a dependency of `cosim`, which can therefore
//! be built and tested without Verilator. Without Verilator this crate and those of the devices build empty:
//! no block can be opened, and [`OpenError`] names the missing program. The build script decides by
//! `cfg(verilated)`.

#[cfg(not(verilated))]
mod absent;
#[cfg(verilated)]
mod bridge;
#[cfg(verilated)]
mod device;
mod error;

#[cfg(not(verilated))]
pub use absent::{Device, open, open_lean};
#[cfg(verilated)]
pub use device::{Device, open, open_lean};
pub use error::OpenError;

/// The compiler of the Verilated code, and Verilator, with their versions; `None` in a build without RTL.
pub const TOOLS: Option<&str> = option_env!("VERILATED_WITH");

/// Defines access to the blocks verilated by the build script of the calling crate: `blocks`, `clocks` and
/// `open`.
#[macro_export]
macro_rules! device {
    () => {
        /// Names accepted by [`open`].
        pub fn blocks() -> impl Iterator<Item = &'static str> {
            env!("BLOCKS").split_whitespace()
        }

        /// Ports of the device's clocks, in the order of their bits in a set of clocks.
        pub fn clocks() -> impl Iterator<Item = &'static str> {
            env!("CLOCKS").split_whitespace()
        }

        /// Opens a block after reset.
        pub fn open(block: &str) -> Result<$crate::Device, $crate::OpenError> {
            // The name of the object differs where another device has a block of this name.
            let mut objects = blocks().zip(env!("OBJECTS").split_whitespace());
            let object = objects.find(|(name, _)| *name == block).map_or(block, |(_, object)| object);
            $crate::open(env!("CARGO_PKG_NAME"), object)
        }
    };
}
