//! Waveforms, written and read back.

/// A small device with signals of every kind.
mod device;
/// Error messages are sentences.
mod errors;
/// Layouts contain only existing names.
mod layout;
/// Random samples can be read back from both formats.
mod random;
/// Two readers: wellen for both formats, the `vcd` crate for VCD.
mod read;
/// A known run can be read back with its times, values and states.
mod round_trip;
/// Time per cycle; run by hand.
mod speed;
