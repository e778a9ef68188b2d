//! Sets the name by which programs find the library: that of the standard ABI (MPI 5.0, section 20.2), or
//! MPICH's.

fn main() {
    let mpich = std::env::var_os("CARGO_FEATURE_MPICH").is_some();
    let name = if mpich { "libmpi.so.12" } else { "libmpi_abi.so.1" };
    // Relative to the package: this is the build script of two.
    println!("cargo:rerun-if-changed=../mpi_abi/build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,{name}");
}
