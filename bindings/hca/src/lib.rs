//! The Verilated RTL of the channel adapter: the whole device.

verilator::device!();
