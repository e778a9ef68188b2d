//! The machine as commands know it.

use std::ops::RangeInclusive;

use cluster::Duration;
use lab::{Messaging, Subject};

use crate::programs::measure::READY;
use crate::{Dimmnet2, Host, Messenger, PRIMITIVES, Side};

impl Subject for Dimmnet2 {
    const NAME: &'static str = "dimmnet2";
}

impl Messaging for Dimmnet2 {
    const PRIMITIVES: &'static [(&'static str, RangeInclusive<u64>)] = PRIMITIVES;
    type Messenger = Messenger;

    async fn messenger(port: Host, primitives: Vec<String>) -> Messenger {
        Messenger::open(port, &primitives).await
    }

    fn ready(_nodes: usize) -> Duration {
        READY
    }

    fn bus_busy(side: &Side) -> Option<Duration> {
        Some(side.bus_busy())
    }
}
