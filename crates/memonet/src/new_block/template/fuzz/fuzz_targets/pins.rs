//! Fuzz target: arbitrary pins. Run it with `cargo +nightly fuzz run pins`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| my_block::my_block::any_pins(bytes));
