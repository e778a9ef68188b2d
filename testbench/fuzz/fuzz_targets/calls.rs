//! Any bytes in the slot of a rank: they are a call, an answer, or an error.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let _ = processes::decode::<processes::mpi::CallMessage>(input);
    let _ = processes::decode::<processes::mpi::Answer>(input);
});
