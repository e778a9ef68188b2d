//! Generates the list of machines from devices.toml, as the build script of memonet does, the list of blocks,
//! and the drawings of state machines.

#[path = "build/blocks.rs"]
mod blocks;
#[path = "build/diagrams.rs"]
mod diagrams;
#[path = "../../crates/memonet/build/machines.rs"]
mod machines;
#[path = "../../crates/memonet/build/runtime.rs"]
mod runtime;

fn main() {
    machines::write();
    blocks::write();
    diagrams::write();
    runtime::link();
}
