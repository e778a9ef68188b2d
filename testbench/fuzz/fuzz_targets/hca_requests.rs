//! Any requests in a send ring of a channel adapter, and any doorbells, as `hca_packets`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| hca::fuzz::requests(input));
