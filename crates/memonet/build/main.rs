//! Build script: generates the list of machines from devices.toml and links the C++ runtime statically.

mod machines;
mod runtime;

fn main() {
    println!("cargo::rerun-if-changed=build");
    machines::write();
    runtime::link();
}
