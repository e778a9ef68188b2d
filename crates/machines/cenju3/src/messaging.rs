//! How workloads send messages over the machine.

use std::ops::RangeInclusive;

use cluster::Duration;
use machine_api::{Messaging, Placement};
use workload::NodePlan;

use crate::{Cenju3, Messenger, PRIMITIVES, Port};

impl Messaging for Cenju3 {
    const PRIMITIVES: &'static [(&'static str, RangeInclusive<u64>)] = PRIMITIVES;
    type Messenger = Messenger;

    async fn messenger(port: Port, _plan: NodePlan, _placement: Placement) -> Messenger {
        Messenger::open(port).await
    }

    /// Thirteen registers are written, one after the other.
    fn ready(_nodes: usize) -> Duration {
        Duration::from_us(10)
    }
}
