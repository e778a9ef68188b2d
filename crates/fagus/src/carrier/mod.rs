//! What carries datagrams or messages between nodes.

pub mod machine;
pub mod memory;
pub mod udp;
pub mod verbs;
