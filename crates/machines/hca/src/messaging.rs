//! How workloads send messages over the machine.

use std::ops::RangeInclusive;

use cluster::Duration;
use machine_api::{Messaging, Placement};
use workload::NodePlan;

use crate::{Hca, Messenger, PRIMITIVES, Port};

impl Messaging for Hca {
    const PRIMITIVES: &'static [(&'static str, RangeInclusive<u64>)] = PRIMITIVES;
    type Messenger = Messenger;

    async fn messenger(port: Port, _plan: NodePlan, _placement: Placement) -> Messenger {
        Messenger::open(port).await
    }

    /// Time in which a row for each queue pair is written, one register after the other, and the last doorbell arrives.
    fn ready(nodes: usize) -> Duration {
        Duration::from_us(30 + 4 * nodes as u64)
    }
}
