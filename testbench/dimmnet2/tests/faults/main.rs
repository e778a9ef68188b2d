//! DIMMnet-2 with deliberate faults.

/// Assertions of the RTL fire.
mod assertions;
/// Lockstep names block, register and cycle.
mod lockstep;
/// Faults that proptest finds and shrinks.
mod shrinking;
