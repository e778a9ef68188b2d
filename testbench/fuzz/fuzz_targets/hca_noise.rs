//! Arbitrary words on the cable of a channel adapter, with the checks of `hca_packets`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| hca::fuzz::noise(input));
