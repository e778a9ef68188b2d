#![doc = include_str!("../README.md")]

mod config;
mod counters;
mod endpoint;
mod event;
pub mod modern;
pub mod paper;
pub mod permit;
pub mod sync;
mod time;

pub use config::{Config, ConfigError, Rules, Security};
pub use counters::{Counters, Dropped};
pub use endpoint::{Endpoint, Transmit};
pub use event::{ConnectError, Event, Flow, PRIORITIES, Peer, Priority, Reason, SendError};
pub use permit::Policy;
pub use time::Instant;
