//! How a workload sends messages.

use std::future::Future;
use std::ops::RangeInclusive;

use cluster::{Duration, Machine, Unit, UnitOf};
use workload::{Messenger, NodePlan, Schedule};

/// A machine on which workloads run.
pub trait Messaging: Machine<Port: 'static> {
    /// What carries messages, and how many bytes it carries; the first is used where nobody says.
    const PRIMITIVES: &'static [(&'static str, RangeInclusive<u64>)];
    /// A node's end of the network.
    type Messenger: Messenger;

    /// Sets a node up for its part of a schedule.
    fn messenger(port: Self::Port, plan: NodePlan) -> impl Future<Output = Self::Messenger> + 'static;

    /// From when on all of so many nodes are set up.
    fn ready(nodes: usize) -> Duration;

    /// From when on all nodes are set up for a schedule, or why the machine cannot play it.
    fn begin(schedule: &Schedule) -> Result<Duration, String> {
        Ok(Self::ready(schedule.nodes()))
    }

    /// Bytes that a link carries in a second.
    fn link_rate() -> u64 {
        let bytes = u64::from(UnitOf::<Self>::BITS / 8);
        bytes * 1_000_000_000_000 / Self::LINK.unit.ps()
    }
}
