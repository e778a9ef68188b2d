#![doc = include_str!("../README.md")]

mod config;
mod counters;
mod endpoint;
mod event;
mod keys;
pub mod modern;
pub mod paper;
pub mod permit;
pub mod record;
#[cfg(feature = "socket")]
pub mod sync;
mod time;
mod transmit;
#[cfg(feature = "socket")]
pub mod udp;
pub mod walk;

pub use config::{Config, ConfigError, Rules, Security};
pub use counters::{Counters, Dropped};
pub use endpoint::Endpoint;
pub use event::{ConnectError, Event, Flow, PRIORITIES, Peer, Priority, Reason, SendError};
pub use keys::{NoKey, NoRandomness, PublicKey, SecretKey};
pub use permit::Policy;
pub use time::Instant;
pub use transmit::Transmit;
