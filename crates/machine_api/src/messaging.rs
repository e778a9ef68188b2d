//! Messages of workloads.

use std::future::Future;
use std::ops::RangeInclusive;

use cluster::{Duration, Machine, Unit, UnitOf};
use workload::{Messenger, NodePlan, Schedule};

use crate::placement::Placement;

/// A machine that runs workloads.
pub trait Messaging: Machine<Port: 'static> {
    /// Primitives that carry messages, with their ranges of bytes; the first one is the default.
    const PRIMITIVES: &'static [(&'static str, RangeInclusive<u64>)];
    /// Network interface of a process.
    type Messenger: Messenger;

    /// Prepares a process for its part of a schedule, whose nodes are processes with these places. A machine whose nodes
    /// run one process has no other placement.
    fn messenger(
        port: Self::Port,
        plan: NodePlan,
        placement: Placement,
    ) -> impl Future<Output = Self::Messenger> + 'static;

    /// Time at which all of `nodes` nodes are prepared.
    fn ready(nodes: usize) -> Duration;

    /// Time at which all processes are prepared for a schedule, or the reason why the machine cannot run it.
    fn begin(schedule: &Schedule, _placement: Placement) -> Result<Duration, String> {
        Ok(Self::ready(schedule.nodes()))
    }

    /// Capacity of a link in bytes per second.
    fn link_rate() -> u64 {
        let bytes = u64::from(UnitOf::<Self>::BITS / 8);
        bytes * 1_000_000_000_000 / Self::LINK.unit.ps()
    }
}
