//! What carries packets: memory in virtual time, or UDP.

pub mod memory;
pub mod udp;
