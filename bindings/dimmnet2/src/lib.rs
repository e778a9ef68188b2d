//! The Verilated RTL of DIMMnet-2: the whole device.

verilator::device!();
