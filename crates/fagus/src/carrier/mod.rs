//! What carries packets: memory in virtual time.

pub mod memory;
