//! The host interface section: what the host sees of the board (thesis section 5.2).

pub mod pins;
