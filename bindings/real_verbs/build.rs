//! Compiles the C++ half and links libibverbs, where that was asked for.

#[cfg(not(feature = "rdma-core"))]
fn main() {}

#[cfg(feature = "rdma-core")]
fn main() {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rustc-link-lib=ibverbs");
    cxx_build::bridge("src/bridge.rs").file("src/pair.cc").std("c++20").compile("real-verbs");
}
