//! The Verilated RTL of GigaE PM: the whole card and its blocks alone.

use verilator::Device;

#[allow(unsafe_code)]
#[cxx::bridge(namespace = "gigae_pm_rtl")]
mod ffi {
    unsafe extern "C++" {
        include!("gigae_pm_rtl/open.h");

        #[namespace = "verilator"]
        type Device = verilator::ffi::Device;

        fn open(block: &str) -> Result<UniquePtr<Device>>;
    }
}

/// Names that [`open`] takes, in the order of `build.rs`.
pub fn blocks() -> impl Iterator<Item = &'static str> {
    env!("BLOCKS").split(' ')
}

/// Ports of the clocks of the device, in the order of their bits in a set of clocks.
pub fn clocks() -> impl Iterator<Item = &'static str> {
    env!("CLOCKS").split(' ')
}

/// Opens a block, after reset.
pub fn open(block: &str) -> Result<Device, cxx::Exception> {
    ffi::open(block).map(Device::new)
}
