//! The boundary to C++: the only place with unsafe code.

#[cxx::bridge(namespace = "my_block")]
pub mod ffi {
    unsafe extern "C++" {
        include!("my_block/open.h");

        #[namespace = "verilator"]
        type Device = verilator::ffi::Device;

        fn open(block: &str) -> Result<UniquePtr<Device>>;
    }
}
