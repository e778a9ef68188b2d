//! The Receive Controller: parses received packets and sends their data where it belongs (thesis section 4.2).

pub mod pins;
