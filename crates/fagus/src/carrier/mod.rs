//! Carriers: the networks between nodes, for datagrams or messages.

pub mod machine;
mod member;
pub mod memory;
mod peers;
pub mod udp;
pub mod verbs;

pub use member::Member;
