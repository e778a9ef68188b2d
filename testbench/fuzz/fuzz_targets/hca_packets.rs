//! Packets of any content for a channel adapter: nothing is written where no key allows it, and its connection works when it is set up anew.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| hca::fuzz::packets(input));
