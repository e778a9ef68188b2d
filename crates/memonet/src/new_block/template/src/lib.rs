//! A hardware block as a Rust model and as SystemVerilog RTL; `tests/lockstep.rs` compares them.

pub mod my_block;

verilator::device!();
