//! Commands for GigaE PM alone: its cables are Ethernet, so real networks can be joined to them.

pub mod tap;
