//! The name by which programs find the library: that of the standard ABI (MPI 5.0, section 20.2).

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmpi_abi.so.1");
}
