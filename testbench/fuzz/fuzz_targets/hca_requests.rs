//! Arbitrary requests in a send ring of a channel adapter, and arbitrary doorbells, with the checks of
//! `hca_packets`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| hca::fuzz::requests(input));
