//! [`Rules::MODERN`](crate::Rules::MODERN): unique packet numbers, acknowledgement ranges, permits.

mod congestion;
mod connection;
mod endpoint;
mod handshake;
mod inbox;
mod mtu;
mod noise;
mod outbox;
pub mod packet;
pub mod ranges;
pub mod recovery;
mod seal;
mod sent;
mod timers;

use connection::{Connection, Context, Stage};
pub(crate) use endpoint::Endpoint;
use handshake::Secret;
pub(crate) use outbox::BLOCK_OVERHEAD;
