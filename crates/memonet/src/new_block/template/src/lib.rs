//! A block of hardware, twice: a model in Rust and RTL in SystemVerilog, held together by `tests/lockstep.rs`.

pub mod my_block;

verilator::device!();
