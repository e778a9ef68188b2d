//! The link side: packets that leave and packets that arrive, in words, with their ICRC.

pub mod link_receive;
pub mod link_transmit;
