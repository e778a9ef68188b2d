//! Frames of any content: a card of GigaE PM counts, drops, answers or delivers them as their bytes say.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| gigae_pm::fuzz::frames(input));
