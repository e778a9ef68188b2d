//! Any bytes and gaps on the cable of a card of GigaE PM: it comes to rest.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| gigae_pm::fuzz::noise(input));
