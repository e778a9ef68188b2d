//! The link side: packets sent and received, in words of 8 bytes, with their ICRC.

pub mod link_receive;
pub mod link_transmit;
