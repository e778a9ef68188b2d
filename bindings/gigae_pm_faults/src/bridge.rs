//! The boundary to C++.

#[allow(unsafe_code)]
#[cxx::bridge(namespace = "gigae_pm_faults")]
pub mod ffi {
    unsafe extern "C++" {
        include!("gigae_pm_faults/open.h");

        #[namespace = "verilator"]
        type Device = verilator::ffi::Device;

        fn open(block: &str) -> Result<UniquePtr<Device>>;
    }
}
