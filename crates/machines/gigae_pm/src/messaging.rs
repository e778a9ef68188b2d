//! How workloads send messages over the machine.

use std::ops::RangeInclusive;

use cluster::Duration;
use machine_api::{Messaging, Placement};
use workload::NodePlan;

use crate::{GigaePm, Messenger, PRIMITIVES, Port};

impl Messaging for GigaePm {
    const PRIMITIVES: &'static [(&'static str, RangeInclusive<u64>)] = PRIMITIVES;
    type Messenger = Messenger;

    async fn messenger(port: Port, _plan: NodePlan, _placement: Placement) -> Messenger {
        Messenger::open(port).await
    }

    /// The driver writes six words for each peer.
    fn ready(nodes: usize) -> Duration {
        Duration::from_us(200) + Duration::from_us(2) * nodes as u64
    }
}
