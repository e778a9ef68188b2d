//! Build script: the list of machines out of devices.toml, and the C++ runtime linked statically.

mod machines;
mod runtime;

fn main() {
    println!("cargo::rerun-if-changed=build");
    machines::write();
    runtime::link();
}
