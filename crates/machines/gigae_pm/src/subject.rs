//! The machine as commands know it.

use std::ops::RangeInclusive;

use cluster::Duration;
use lab::{Messaging, Subject};

use crate::{GigaePm, Messenger, PRIMITIVES, Port, Side};

impl Subject for GigaePm {
    const NAME: &'static str = "gigae_pm";
}

impl Messaging for GigaePm {
    const PRIMITIVES: &'static [(&'static str, RangeInclusive<u64>)] = PRIMITIVES;
    type Messenger = Messenger;

    async fn messenger(port: Port, _primitives: Vec<String>) -> Messenger {
        Messenger::open(port).await
    }

    /// The driver writes six words for each peer.
    fn ready(nodes: usize) -> Duration {
        Duration::from_us(200) + Duration::from_us(2) * nodes as u64
    }

    fn bus_busy(_side: &Side) -> Option<Duration> {
        None
    }
}
