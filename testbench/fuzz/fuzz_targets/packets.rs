//! Packets of any content: received as the oracle says.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| dimmnet2_semantics::fuzz::packets(input));
