//! Nodes, and the cable or the switch between them.

use std::future::Future;
use std::rc::Rc;

use hdl::NicError;
use pm::NodeId;

use super::bus::BusHost;
use super::capture::{self, Captured};
use super::driver::{Driver, Settings};
use super::node::{AnyNic, Node};
use super::port::Port;
use super::switch::Switch;
use super::tcp::Tcp;
use super::wire::{Faults, Wire};
use crate::stages::Observation;
use crate::timeline::{Scene, Timeline};
use crate::{Clocks, Duration, Fingerprint, Output, RunError, TaskReport, Time};

const CLOCKS: Clocks = Clocks::GIGAE_PM;

/// Hosts with cards of GigaE PM in virtual time.
pub struct Cluster {
    timeline: Timeline,
    nodes: Vec<Node>,
    /// From node n: to the switch or, on one cable, to the other node.
    ups: Vec<Wire>,
    /// From the switch to node n; none on one cable.
    downs: Vec<Wire>,
    switch: Option<Switch>,
}

impl Cluster {
    /// Nodes on the ports of a switch.
    pub fn with_switch(nics: Vec<Box<AnyNic>>, settings: &Settings) -> Self {
        let ports = nics.len();
        let mut cluster = Self::new(nics, settings);
        cluster.downs = (0..ports).map(|_| Wire::new()).collect();
        cluster.switch = Some(Switch::new(ports));
        cluster
    }

    /// Two nodes on one cable.
    pub fn back_to_back(nics: [Box<AnyNic>; 2], settings: &Settings) -> Self {
        Self::new(nics.into(), settings)
    }

    fn new(nics: Vec<Box<AnyNic>>, settings: &Settings) -> Self {
        let count = nics.len();
        let node = |(id, nic)| Node::new(id, count, nic, settings);
        Cluster {
            timeline: Timeline::default(),
            nodes: nics.into_iter().enumerate().map(node).collect(),
            ups: (0..count).map(|_| Wire::new()).collect(),
            downs: Vec::new(),
            switch: None,
        }
    }

    /// The present time.
    pub fn now(&self) -> Time {
        self.timeline.now
    }

    /// The nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A node, to prepare it before the run.
    pub fn node_mut(&mut self, node: usize) -> &mut Node {
        &mut self.nodes[node]
    }

    /// The switch, if there is one.
    pub fn switch(&self) -> Option<&Switch> {
        self.switch.as_ref()
    }

    /// The wires that lead from the nodes.
    pub fn wires(&self) -> &[Wire] {
        &self.ups
    }

    /// Makes the wires from the nodes bad ones, each with a seed of its own out of this one.
    pub fn set_faults(&mut self, faults: Faults, seed: u64) {
        for (wire, seed) in self.ups.iter_mut().zip(seed << 16..) {
            wire.set_faults(faults, seed);
        }
    }

    /// Checks every card as [`hdl::Nic::check`] does: a lockstep run is not over before.
    pub fn check(&mut self) -> Result<(), NicError> {
        self.nodes.iter_mut().try_for_each(Node::check)
    }

    /// Walks every edge instead of skipping stretches in which nothing happens. The results are the same.
    pub fn set_skipping(&mut self, skipping: bool) {
        self.nodes.iter_mut().for_each(|node| node.skipping = skipping);
    }

    /// Notes what passes the pins of all nodes and the switch, for [stages](crate::Stages).
    pub fn observe(&mut self) {
        self.nodes.iter_mut().for_each(Node::observe);
        if let Some(switch) = &mut self.switch {
            switch.log.observing = true;
        }
    }

    /// What was observed so far, in the order of time and then of place.
    pub fn observations(&self) -> Vec<Observation> {
        let mut all: Vec<_> = self.nodes.iter().flat_map(Node::observations).collect();
        all.extend(self.switch.iter().flat_map(|switch| &switch.log.observations));
        all.sort_by_key(|observation| (observation.time, observation.place));
        all
    }

    /// Keeps a copy of every frame on every wire from now on, for [`Self::take_captured`].
    pub fn capture(&mut self) {
        self.ups.iter_mut().chain(&mut self.downs).for_each(Wire::capture);
    }

    /// Takes the frames that were captured since the last time, in the order of time.
    pub fn take_captured(&mut self) -> Vec<Captured> {
        capture::take(&mut self.ups, &mut self.downs)
    }

    /// Starts a program of PM on a node at the present time.
    pub fn spawn<F, T>(
        &mut self,
        node: NodeId,
        name: &'static str,
        program: impl FnOnce(Port) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        self.spawn_kernel(node, name, |host, driver| program(Port::new(host, driver)))
    }

    /// Starts a program of TCP/IP on a node.
    pub fn spawn_tcp<F, T>(
        &mut self,
        node: NodeId,
        name: &'static str,
        program: impl FnOnce(Tcp) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        self.nodes[usize::from(node.0)].spawn_tcp(self.timeline.now, name, program)
    }

    /// Starts a program that uses the card and the driver itself.
    pub fn spawn_kernel<F, T>(
        &mut self,
        node: NodeId,
        name: &'static str,
        program: impl FnOnce(BusHost, Rc<Driver>) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        self.nodes[usize::from(node.0)].spawn(self.timeline.now, name, program)
    }

    /// Runs until all programs are done, but no longer than `limit`; returns when the last one was done.
    pub fn run(&mut self, limit: Duration) -> Result<Time, RunError> {
        Scene::run(self, limit)
    }

    /// Lets time pass until `time`.
    pub fn run_until(&mut self, time: Time) -> Result<(), RunError> {
        Scene::run_until(self, time)
    }

    /// Whether hosts, wires and switch are at rest. A card may still have work, which shows outside it within some 20 us: firmware
    /// needs less for a frame (decision 0028).
    pub fn is_quiet(&self) -> bool {
        self.nodes.iter().all(Node::is_quiet)
            && self.ups.iter().chain(&self.downs).all(Wire::is_quiet)
            && self.switch.as_ref().is_none_or(Switch::is_quiet)
    }

    /// The fingerprint of the run so far.
    pub fn fingerprint(&mut self) -> Fingerprint {
        let now = self.timeline.now;
        Fingerprint::of(self.nodes.iter_mut().map(|node| node.fingerprint(now)))
    }
}

impl Scene for Cluster {
    fn timeline(&mut self) -> &mut Timeline {
        &mut self.timeline
    }

    fn count(&self) -> usize {
        self.nodes.len()
    }

    fn node_event(&mut self, node: usize) -> Time {
        let down = match &self.downs[..] {
            [] => &self.ups[1 - node],
            downs => &downs[node],
        };
        self.nodes[node].next_event(self.now(), down)
    }

    fn step_node(&mut self, node: usize, now: Time) -> Result<(), NicError> {
        let (up, down) = match &mut self.downs[..] {
            [] => {
                let [up, down] = self.ups.get_disjoint_mut([node, 1 - node]).expect("a cable has two ends");
                (up, down)
            }
            downs => (&mut self.ups[node], &mut downs[node]),
        };
        self.nodes[node].step(now, up, down)
    }

    fn switch_event(&self) -> Option<Time> {
        let time = self.switch.as_ref()?.next_event(self.now(), &self.ups)?;
        Some(CLOCKS.network.at_or_after(time).max(CLOCKS.network.next_after(self.now())))
    }

    fn step_switch(&mut self, now: Time) {
        if let Some(switch) = &mut self.switch {
            switch.step(now, &mut self.ups, &mut self.downs);
        }
    }

    fn done(&self) -> bool {
        self.nodes.iter().all(Node::done)
    }

    fn may_go_on(&self) -> bool {
        self.nodes.iter().any(Node::may_go_on)
    }

    fn report(&self) -> Vec<TaskReport> {
        self.nodes.iter().flat_map(Node::report).collect()
    }
}
