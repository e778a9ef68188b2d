//! Any lines and host accesses: the board comes to rest.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| dimmnet2_semantics::fuzz::noise(input));
