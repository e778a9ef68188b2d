//! Frames with arbitrary content: a GigaE PM card counts, drops, answers or delivers them.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| gigae_pm::fuzz::frames(input));
