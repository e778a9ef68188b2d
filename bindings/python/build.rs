//! Generates the list of machines from devices.toml, as the build script of memonet does.

#[path = "../../crates/memonet/build/machines.rs"]
mod machines;
#[path = "../../crates/memonet/build/runtime.rs"]
mod runtime;

fn main() {
    machines::write();
    runtime::link();
}
