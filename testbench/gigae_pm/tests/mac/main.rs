//! Ethernet: both directions alone, and the whole MAC under random edges of its two clocks.

/// Frames that arrive.
mod mac_receive;
/// Frames that leave.
mod mac_transmit;
/// The whole MAC.
#[path = "mac.rs"]
mod whole;
