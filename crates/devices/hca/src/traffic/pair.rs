//! Two adapters with their hosts and a cable: LIDs 1 and 2.

use hdl::{Instants, Nic, NicError};

use super::host::Host;
use super::monitor::{Monitor, Violation};
use super::wire::{Faults, Wire};
use crate::clocks;
use crate::pins::{In, Out};

/// Two adapters, models or other implementations.
#[derive(Clone, Debug)]
pub struct Pair<N> {
    /// Adapters, LID 1 first.
    pub adapters: [N; 2],
    /// Hosts of the adapters.
    pub hosts: [Host; 2],
    /// Cables from each adapter to the other.
    pub wires: [Wire; 2],
    /// Judges every packet; a step ends with its violation.
    pub monitor: Monitor,
    pins: [In; 2],
    instants: Instants,
}

impl<N: Nic<In = In, Out = Out>> Pair<N> {
    /// Two adapters after reset; `seed` decides all random pauses and losses.
    pub fn new(adapters: [N; 2], seed: u64, faults: Faults) -> Self {
        Self {
            adapters,
            hosts: [0, 1].map(|node| Host::new(seed + node)),
            wires: [2, 3].map(|wire| Wire::new(seed + wire, faults)),
            monitor: Monitor::default(),
            pins: [In::default(); 2],
            instants: Instants::new(&clocks::CLOCKS),
        }
    }

    /// Time of the last instant in picoseconds.
    pub fn now(&self) -> u64 {
        self.instants.now
    }

    /// Advances to the next clock edge.
    pub fn step(&mut self) -> Result<(), NicError> {
        let edges = self.instants.next_edges();
        let outs: [Out; 2] = [*self.adapters[0].outputs(), *self.adapters[1].outputs()];
        let ready = [0, 1].map(|i: usize| self.wires[i].ready());
        for i in [0, 1] {
            (self.pins[i].host, self.pins[i].bus) = self.hosts[i].pins(&outs[i]);
            self.pins[i].link = self.wires[1 - i].carry(&outs[1 - i].link, ready[1 - i], &outs[i].link);
            self.pins[i].link.transmit_ready = ready[i];
        }
        self.watch(&outs)?;
        self.adapters[0].edge(edges, &self.pins[0])?;
        self.adapters[1].edge(edges, &self.pins[1])
    }

    /// Shows the pins of this instant to the monitor.
    fn watch(&mut self, outs: &[Out; 2]) -> Result<(), Violation> {
        let hosts = self.hosts.iter().map(|host| host.stalls);
        let pace = hosts.chain(self.wires.iter().map(|wire| wire.stalls)).fold(self.monitor.pace, u64::max);
        self.monitor.pace = pace;
        self.monitor.watch(self.instants.now, &self.pins, outs)
    }

    /// Steps until the condition holds; returns the picoseconds, or none beyond the limit.
    pub fn run_until(
        &mut self,
        limit_ps: u64,
        mut condition: impl FnMut(&Self) -> bool,
    ) -> Result<Option<u64>, NicError> {
        let start = self.now();
        while !condition(self) {
            self.step()?;
            if self.now() - start > limit_ps {
                return Ok(None);
            }
        }
        Ok(Some(self.now() - start))
    }
}
