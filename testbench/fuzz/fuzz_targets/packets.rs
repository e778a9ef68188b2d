//! Packets with arbitrary content: received as the reference model predicts.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| dimmnet2_semantics::fuzz::packets(input));
