//! The host interface section: what the host sees of the board (thesis sections 5.1 and 5.2).

pub mod pins;
