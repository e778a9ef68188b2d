//! Arbitrary bytes in the slot of a rank: decoding must not panic.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let _ = processes::decode::<processes::mpi::CallMessage>(input);
    let _ = processes::decode::<processes::mpi::Answer>(input);
});
