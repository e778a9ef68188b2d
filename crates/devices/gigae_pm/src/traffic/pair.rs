//! Two cards with their hosts and a cable: node 0 and node 1.

use hdl::{Instants, Nic, NicError};

use super::host::{Host, Setup};
use super::wire::{Faults, Wire};
use crate::clocks;
use crate::pins::{In, Out};

/// Two connected cards: models, RTL or both in lockstep.
#[derive(Clone, Debug)]
pub struct Pair<N> {
    /// Cards of node 0 and node 1.
    pub cards: [N; 2],
    /// Hosts of node 0 and node 1.
    pub hosts: [Host; 2],
    /// Cable from each card to the other.
    pub wires: [Wire; 2],
    pins: [In; 2],
    instants: Instants,
}

impl<N: Nic<In = In, Out = Out>> Pair<N> {
    /// Two cards after reset; all randomness comes from `seed`.
    pub fn new(cards: [N; 2], seed: u64, faults: Faults, setup: impl Fn(u16) -> Setup) -> Self {
        Self {
            cards,
            hosts: [0, 1].map(|node| Host::new(seed + u64::from(node), &setup(node))),
            wires: [2, 3].map(|wire| Wire::new(seed + wire, faults)),
            pins: [In::default(); 2],
            instants: Instants::new(&clocks::CLOCKS),
        }
    }

    /// Time of the last instant in picoseconds.
    pub fn now(&self) -> u64 {
        self.instants.now
    }

    /// The next instant at which a clock rises.
    pub fn step(&mut self) -> Result<(), NicError> {
        let edges = self.instants.next_edges();
        let outs: [Out; 2] = [*self.cards[0].outputs(), *self.cards[1].outputs()];
        for i in [0, 1] {
            if edges.meets(clocks::CORE) {
                (self.pins[i].host, self.pins[i].bus) = self.hosts[i].pins(&outs[i]);
            }
            if edges.meets(clocks::NETWORK) {
                self.pins[i].network = self.wires[1 - i].carry(outs[1 - i].network);
            }
        }
        self.cards[0].edge(edges, &self.pins[0])?;
        self.cards[1].edge(edges, &self.pins[1])
    }

    /// Steps until the condition holds; returns the picoseconds taken, or `None` beyond the limit.
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
