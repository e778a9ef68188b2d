//! What carries datagrams or messages between nodes.

pub mod machine;
mod member;
pub mod memory;
pub mod udp;
pub mod verbs;

pub use member::Member;
