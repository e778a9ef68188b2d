//! Waveforms, written and read back.

/// A small device made of every kind of signal.
mod device;
/// Errors are sentences.
mod errors;
/// Layouts only name what exists.
mod layout;
/// Random samples come back from both formats.
mod random;
/// Two readers: wellen for both formats, the `vcd` crate for VCD.
mod read;
/// A known run comes back with its times, values and states.
mod round_trip;
/// What a cycle costs; run by hand.
mod speed;
