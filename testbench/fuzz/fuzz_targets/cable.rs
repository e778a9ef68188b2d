//! Arbitrary bytes and gaps on the cable of a GigaE PM card: the card must become idle.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| gigae_pm::fuzz::noise(input));
