//! Arbitrary lines and host accesses: the board must become idle.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| dimmnet2_semantics::fuzz::noise(input));
