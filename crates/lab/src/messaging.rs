//! How a workload sends messages.

use std::future::Future;
use std::ops::RangeInclusive;

use cluster::{Duration, Machine, Unit, UnitOf};
use workload::Messenger;

/// A machine on which workloads run.
pub trait Messaging: Machine<Port: 'static> {
    /// What carries messages, and how many bytes it carries; the first is used where nobody says.
    const PRIMITIVES: &'static [(&'static str, RangeInclusive<u64>)];
    /// A node's end of the network.
    type Messenger: Messenger;

    /// Sets a node up; primitives are those of the schedule.
    fn messenger(
        port: Self::Port,
        primitives: Vec<String>,
    ) -> impl Future<Output = Self::Messenger> + 'static;

    /// From when on all of so many nodes are set up.
    fn ready(nodes: usize) -> Duration;

    /// For how long the bus between a host and its network interface was taken, if that is known.
    fn bus_busy(side: &Self::Side) -> Option<Duration>;

    /// Bytes that a link carries in a second.
    fn link_rate() -> u64 {
        let bytes = u64::from(UnitOf::<Self>::BITS / 8);
        bytes * 1_000_000_000_000 / Self::LINK.unit.ps()
    }
}
