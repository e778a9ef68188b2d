//! The Verilated RTL of the card of GigaE PM: the whole device.

verilator::device!();
