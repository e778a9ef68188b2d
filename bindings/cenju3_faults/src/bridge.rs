//! The boundary to C++.

#[allow(unsafe_code)]
#[cxx::bridge(namespace = "cenju3_faults")]
pub mod ffi {
    unsafe extern "C++" {
        include!("cenju3_faults/open.h");

        #[namespace = "verilator"]
        type Device = verilator::ffi::Device;

        fn open(block: &str) -> Result<UniquePtr<Device>>;
    }
}
