//! A shared memory, in memory.

/// What goes wrong, and what is said of it.
mod errors;
/// Memory over good and bad wires.
mod memory;
/// Bytes that nobody should send.
mod strangers;
