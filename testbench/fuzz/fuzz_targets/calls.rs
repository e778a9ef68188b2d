//! Arbitrary bytes in the slot of a rank: decoding must not panic.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let _ = rank::decode::<rank::Called>(input);
    let _ = rank::decode::<rank::Answer>(input);
});
