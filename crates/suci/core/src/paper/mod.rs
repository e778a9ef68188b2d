//! The protocol of the paper (sections 3 and 4), as printed and repaired.
//!
//! Its decisions are pure functions: [`receiver::packet`], [`sender::ack`], [`sender::nack`],
//! [`congestion::next`].

pub mod congestion;
mod endpoint;
mod grants;
pub mod packet;
mod peer;
pub mod receiver;
mod repairs;
pub mod sender;
mod timeout;

pub(crate) use endpoint::Endpoint;
pub use repairs::Repairs;

/// Whether a number precedes another in serial number arithmetic, as numbers wrap around (H14).
pub fn precedes(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) < 0
}
