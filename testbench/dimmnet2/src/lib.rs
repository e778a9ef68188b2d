//! The blocks of DIMMnet-2, each verilated on its own, for lockstep tests of one block at a time.
//!
//! A test has the path of its block; `tests/device` has the device as a whole, `tests/faults` deliberate faults.

verilator::device!();
