//! Commands for GigaE PM only: its links are Ethernet, so they can be connected to real networks.

pub mod tap;
