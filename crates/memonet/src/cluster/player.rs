//! What a machine offers so that a workload can run on it.

use std::future::Future;
use std::ops::RangeInclusive;

use cluster::{Duration, Machine, Time, Unit, UnitOf};
use dimmnet2_machine as memory_slot;
use gigae_pm_machine as pci;
use workload::{Arrival, Messenger, NodePlan, Schedule, SendError};

use crate::device::Known;

/// A machine on which workloads run.
pub trait Player: Machine<Device: Known, Port: 'static> {
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

    /// For how long the bus between a host and its network interface was taken, if that is known.
    fn bus_busy(side: &Self::Side) -> Option<Duration>;

    /// Bytes that a link carries in a second.
    fn link_rate() -> u64 {
        let bytes = u64::from(UnitOf::<Self>::BITS / 8);
        bytes * 1_000_000_000_000 / Self::LINK.unit.ps()
    }
}

impl Player for memory_slot::Dimmnet2 {
    const PRIMITIVES: &'static [(&'static str, RangeInclusive<u64>)] = memory_slot::PRIMITIVES;
    type Messenger = memory_slot::Messenger;

    async fn messenger(port: memory_slot::Host, plan: NodePlan) -> Self::Messenger {
        memory_slot::Messenger::for_plan(port, &plan).await
    }

    fn ready(_nodes: usize) -> Duration {
        memory_slot::programs::measure::READY
    }

    fn begin(schedule: &Schedule) -> Result<Duration, String> {
        memory_slot::begin(schedule).map_err(|error| error.to_string())
    }

    fn bus_busy(side: &memory_slot::Side) -> Option<Duration> {
        Some(side.bus_busy())
    }
}

impl Player for pci::GigaePm {
    const PRIMITIVES: &'static [(&'static str, RangeInclusive<u64>)] = pci::PRIMITIVES;
    type Messenger = pci::Messenger;

    async fn messenger(port: pci::Port, _plan: NodePlan) -> Self::Messenger {
        pci::Messenger::open(port).await
    }

    /// The driver writes six words for each peer.
    fn ready(nodes: usize) -> Duration {
        Duration::from_us(200) + Duration::from_us(2) * nodes as u64
    }

    fn bus_busy(side: &pci::Side) -> Option<Duration> {
        Some(side.bus_busy())
    }
}

/// A messenger whose time begins when all nodes are set up.
pub struct Shifted<M> {
    inner: M,
    begin: Time,
}

impl<M: Messenger> Shifted<M> {
    /// Begins then.
    pub async fn begin(mut inner: M, begin: Time) -> Self {
        inner.wait_until(begin).await;
        Shifted { inner, begin }
    }

    fn shift(&self, time: Time) -> Time {
        Time::from_ps(time.ps().saturating_sub(self.begin.ps()))
    }
}

impl<M: Messenger> Messenger for Shifted<M> {
    fn now(&self) -> Time {
        self.shift(self.inner.now())
    }

    async fn wait_until(&mut self, time: Time) {
        self.inner.wait_until(time + (self.begin - Time::ZERO)).await;
    }

    async fn send(&mut self, to: usize, bytes: u64, primitive: usize) -> Result<Time, SendError> {
        let first = self.inner.send(to, bytes, primitive).await?;
        Ok(self.shift(first))
    }

    async fn poll(&mut self) -> Option<Arrival> {
        self.inner.poll().await
    }
}
