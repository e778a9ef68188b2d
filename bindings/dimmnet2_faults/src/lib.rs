//! Blocks of DIMMnet-2 with one deliberate fault each: what a lockstep test must find.
//!
//! `build.rs` lists the faults. `rtl/` does not know them: the changed text is in the build directory only.

use verilator::Device;

#[allow(unsafe_code)]
#[cxx::bridge(namespace = "dimmnet2_faults")]
mod ffi {
    unsafe extern "C++" {
        include!("dimmnet2_faults/open.h");

        #[namespace = "verilator"]
        type Device = verilator::ffi::Device;

        fn open(block: &str) -> Result<UniquePtr<Device>>;
    }
}

/// Opens the block with a fault, after reset.
pub fn open(fault: &str) -> Result<Device, cxx::Exception> {
    ffi::open(fault).map(Device::new)
}
