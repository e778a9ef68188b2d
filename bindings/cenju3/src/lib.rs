//! The Verilated RTL of the NIF of Cenju-3: the whole device.

verilator::device!();
