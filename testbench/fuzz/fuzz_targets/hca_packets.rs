//! Packets with arbitrary content for a channel adapter: memory without a key is never written, and the
//! connection works after it is set up again.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| hca::fuzz::packets(input));
