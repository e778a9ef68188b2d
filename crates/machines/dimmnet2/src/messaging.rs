//! How workloads send messages over the machine.

use std::ops::RangeInclusive;

use cluster::Duration;
use machine_api::{Messaging, Placement};
use workload::{NodePlan, Schedule};

use crate::programs::measure::READY;
use crate::{Dimmnet2, Host, Messenger, PRIMITIVES, begin};

impl Messaging for Dimmnet2 {
    const PRIMITIVES: &'static [(&'static str, RangeInclusive<u64>)] = PRIMITIVES;
    type Messenger = Messenger;

    async fn messenger(port: Host, plan: NodePlan, placement: Placement) -> Messenger {
        Messenger::for_plan(port, &plan, placement).await
    }

    fn ready(_nodes: usize) -> Duration {
        READY
    }

    fn begin(schedule: &Schedule, placement: Placement) -> Result<Duration, String> {
        begin(schedule, placement).map_err(|error| error.to_string())
    }
}
