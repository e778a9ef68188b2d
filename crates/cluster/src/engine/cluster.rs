//! A cluster, or a part of one: nodes with the cables and switches between them.

mod advance;

use std::future::Future;
use std::ops::Range;
use std::sync::Arc;

use hdl::NicError;

use super::error::RunError;
use super::queue::Queue;
use crate::Time;
use crate::fabric::{
    Cable, Captured, Crossing, Direction, End, Head, Link, Rates, Routes, Switch, SwitchCounters,
};
use crate::fabric::{Topology, TopologyError};
use crate::host::{Cpu, Output, TaskReport};
use crate::look::{Fingerprint, Observation};
use crate::machine::{AnyNic, In, Machine, UnitOf};
use crate::node::Node;

/// Payload that crosses the switches of a machine's network.
pub type CargoOf<M> = <<M as Machine>::Switch as Switch>::Cargo;

/// Node or port at an end of a cable, by its local index.
#[derive(Clone, Copy, Debug)]
enum Place {
    Node(usize),
    Port(usize),
}

/// Cached progress of a node's programs, so that not every node is asked at every instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Progress {
    done: bool,
    may_go_on: bool,
}

/// Nodes and the network between them, in virtual time.
///
/// Within an instant, a node executes edges first, then programs, then the pins of the next cycle. Nodes
/// interact only through links and switches, whose latency separates the effects of one instant, so the order
/// of nodes never affects the result. A cable and its ends are visited only when one of them has an event.
pub struct Cluster<M: Machine> {
    now: Time,
    topology: Arc<Topology>,
    routes: Arc<Routes>,
    /// Number of the first local node.
    first: usize,
    nodes: Vec<Node<M>>,
    progress: Vec<Progress>,
    /// Local index of each node's cable.
    cable_of: Vec<usize>,
    ports: Vec<M::Switch>,
    /// For each port of the topology, its local cable and the end of it; `None` if the port is in another
    /// part.
    port_at: Vec<Option<(u32, u8)>>,
    cables: Vec<[Place; 2]>,
    /// Links of each cable: from its first end to its second, and back.
    links: Vec<[Link<UnitOf<M>>; 2]>,
    /// Time of the next event at each end of each cable.
    due: Vec<[Time; 2]>,
    queue: Queue,
    /// Cables with events in this epoch; empty between epochs.
    turns: Vec<u32>,
    /// Cables whose event times are outdated.
    stale: Vec<usize>,
    /// Crossings of switches that have not been delivered.
    crossings: Vec<Crossing<CargoOf<M>>>,
    /// Crossings to other parts.
    pub(crate) outbox: Vec<Crossing<CargoOf<M>>>,
    /// Number of nodes with unfinished programs.
    unfinished: usize,
    /// Number of nodes with a program that can still continue.
    hopeful: usize,
    /// Time at which the last program finished.
    done_at: Time,
    /// Time at which the last program that could continue no longer could.
    quit_at: Time,
    /// A node that recently had a program that can continue.
    witness: usize,
}

impl<M: Machine> Cluster<M> {
    /// Nodes in the default network of their machine; most machines use one switch.
    ///
    /// # Panics
    /// If there are no nodes, or more than there are addresses.
    pub fn with_switch(nics: Vec<Box<AnyNic<M>>>, settings: &M::Settings) -> Self {
        let topology = M::topology(nics.len());
        Self::new(topology, nics, settings).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Two nodes on one cable, without a switch.
    pub fn back_to_back(nics: [Box<AnyNic<M>>; 2], settings: &M::Settings) -> Self {
        let topology = Topology::back_to_back();
        Self::new(topology, nics.into(), settings).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Nodes in a given network.
    pub fn new(
        topology: Topology,
        nics: Vec<Box<AnyNic<M>>>,
        settings: &M::Settings,
    ) -> Result<Self, TopologyError> {
        topology.check(M::TITLE, M::MOST_NODES)?;
        let all = 0..topology.nodes();
        let mut nics = nics.into_iter();
        let routes = topology.routes((0..topology.nodes()).map(M::address));
        let next = |_| Ok::<_, NicError>(nics.next().expect("there is a network interface for each node"));
        let part = Self::part(Arc::new(topology), Arc::new(routes), all, settings, next);
        Ok(part.unwrap_or_else(|error| panic!("{error}")))
    }

    /// Some nodes of a network, with a corresponding share of the cables between its switches.
    pub(crate) fn part(
        topology: Arc<Topology>,
        routes: Arc<Routes>,
        here: Range<usize>,
        settings: &M::Settings,
        mut nic: impl FnMut(usize) -> Result<Box<AnyNic<M>>, NicError>,
    ) -> Result<Self, RunError> {
        let mut cluster = Self::without_cables(topology.clone(), routes, here.start);
        for cable in topology.cables_of(&here) {
            cluster.add_cable(cable, settings, &mut nic)?;
        }
        cluster.progress = vec![Progress { done: true, may_go_on: false }; cluster.nodes.len()];
        cluster.due = vec![[Time::END; 2]; cluster.cables.len()];
        cluster.queue = Queue::new(cluster.cables.len());
        for cable in 0..cluster.cables.len() {
            for end in 0..2 {
                cluster.switch_on(cable, end);
            }
        }
        cluster.stale.extend(0..cluster.cables.len());
        Ok(cluster)
    }

    /// A part of a network before its cables are added; `first` is the number of its first node.
    fn without_cables(topology: Arc<Topology>, routes: Arc<Routes>, first: usize) -> Self {
        Cluster {
            now: Time::ZERO,
            routes,
            first,
            nodes: Vec::new(),
            progress: Vec::new(),
            cable_of: Vec::new(),
            ports: Vec::new(),
            port_at: vec![None; topology.ports()],
            cables: Vec::new(),
            links: Vec::new(),
            due: Vec::new(),
            queue: Queue::new(0),
            turns: Vec::new(),
            stale: Vec::new(),
            crossings: Vec::new(),
            outbox: Vec::new(),
            unfinished: 0,
            hopeful: 0,
            done_at: Time::ZERO,
            quit_at: Time::ZERO,
            witness: 0,
            topology,
        }
    }

    /// Adds a cable of the topology with the nodes and switch ports at its ends.
    fn add_cable(
        &mut self,
        cable: usize,
        settings: &M::Settings,
        nic: &mut impl FnMut(usize) -> Result<Box<AnyNic<M>>, NicError>,
    ) -> Result<(), RunError> {
        let (topology, at) = (self.topology.clone(), self.cables.len());
        let ends = &topology.cables()[cable];
        let mut places = [Place::Node(0); 2];
        for (end, place) in ends.iter().zip(&mut places) {
            *place = match *end {
                End::Node(node) => {
                    let here = Place::Node(self.nodes.len());
                    let nic = nic(node).map_err(|source| stopped(node, Time::ZERO, source))?;
                    self.nodes.push(Node::new(node, topology.nodes(), nic, settings));
                    self.cable_of.push(at);
                    here
                }
                End::Port(port) => {
                    let here = Place::Port(self.ports.len());
                    self.ports.push(M::Switch::new(port, &M::SWITCH));
                    here
                }
            };
        }
        for (end, port) in ends.iter().enumerate() {
            if let End::Port(port) = port {
                self.port_at[*port as usize] = Some((at as u32, end as u8));
            }
        }
        self.cables.push(places);
        self.links.push([M::link(settings), M::link(settings)]);
        Ok(())
    }

    /// Present virtual time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The network.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Numbers of the local nodes: all nodes, unless the cluster is a part.
    pub fn here(&self) -> Range<usize> {
        self.first..self.first + self.nodes.len()
    }

    /// The local nodes.
    pub fn nodes(&self) -> &[Node<M>] {
        &self.nodes
    }

    /// A node, to prepare it before the run.
    pub fn node_mut(&mut self, node: usize) -> &mut Node<M> {
        let node = node - self.first;
        self.stale.push(self.cable_of[node]);
        &mut self.nodes[node]
    }

    /// Changes the environment of a node's device and its pins during a run; the next edges see the change.
    pub fn disturb(
        &mut self,
        node: usize,
        change: impl FnOnce(&mut M::Side, &mut In<M>),
    ) -> Result<(), RunError> {
        let (now, at) = (self.now, node - self.first);
        self.stale.push(self.cable_of[at]);
        let (cable, end) = self.place_of(at);
        let (up, down) = pair(&mut self.links[cable], end);
        let done = self.nodes[at].disturb(now, &mut Cable { up, down }, change);
        done.map_err(|source| stopped(node, now, source))
    }

    /// Inverts a bit of a register in the RTL of a node; see [`hdl::Nic::flip`].
    pub fn flip(&mut self, node: usize, signal: usize, bit: u32) -> Result<(), RunError> {
        let (now, at) = (self.now, node - self.first);
        self.stale.push(self.cable_of[at]);
        let (cable, end) = self.place_of(at);
        let (up, down) = pair(&mut self.links[cable], end);
        let done = self.nodes[at].flip(now, &mut Cable { up, down }, signal, bit);
        done.map_err(|source| stopped(node, now, source))
    }

    /// Installs new routes, as a subnet manager does. Frames already in a switch keep theirs.
    pub fn set_routes(&mut self, addresses: impl Iterator<Item = u16>) {
        self.routes = Arc::new(self.topology.routes(addresses));
    }

    /// Checks every device as [`hdl::Nic::check`] does; a lockstep run must end with it.
    pub fn check(&mut self) -> Result<(), NicError> {
        self.nodes.iter_mut().try_for_each(Node::check)
    }

    /// Like [`Self::check`], and names the failed node.
    pub(crate) fn check_nodes(&mut self) -> Result<(), RunError> {
        let now = self.now;
        let check = |node: &mut Node<M>| node.check().map_err(|source| stopped(node.id(), now, source));
        self.nodes.iter_mut().try_for_each(check)
    }

    /// Link that leads from a node.
    pub fn link_from(&self, node: usize) -> &Link<UnitOf<M>> {
        let (cable, end) = self.place_of(node - self.first);
        &self.links[cable][end]
    }

    /// Link that leads from a node, for adding faults.
    pub fn link_from_mut(&mut self, node: usize) -> &mut Link<UnitOf<M>> {
        let (cable, end) = self.place_of(node - self.first);
        self.stale.push(cable);
        &mut self.links[cable][end]
    }

    /// All links, two per cable: link 2n leads from node n, 2n + 1 to it. Without a switch, link n leads from
    /// node n.
    pub fn links(&self) -> &[Link<UnitOf<M>>] {
        self.links.as_flattened()
    }

    /// All links, for adding faults.
    pub fn links_mut(&mut self) -> &mut [Link<UnitOf<M>>] {
        self.stale.extend(0..self.cables.len());
        self.links.as_flattened_mut()
    }

    /// Link that leads to a node.
    pub fn link_to(&self, node: usize) -> &Link<UnitOf<M>> {
        let (cable, end) = self.place_of(node - self.first);
        &self.links[cable][1 - end]
    }

    /// Link that leads to a node, for adding faults.
    pub fn link_to_mut(&mut self, node: usize) -> &mut Link<UnitOf<M>> {
        let (cable, end) = self.place_of(node - self.first);
        self.stale.push(cable);
        &mut self.links[cable][1 - end]
    }

    /// Enables random faults on the links from all nodes; the seed of each link is derived from `seed`.
    pub fn set_faults(&mut self, rates: Rates, seed: u64) {
        for node in self.here() {
            self.link_from_mut(node).faults_mut().strike(rates, (seed << 16) + node as u64);
        }
    }

    /// Total counters of all ports of switches; `None` without a switch.
    pub fn switch_counters(&self) -> Option<SwitchCounters> {
        let mut ports = self.ports.iter();
        let mut all = ports.next()?.counters();
        ports.for_each(|port| all += port.counters());
        Some(all)
    }

    /// Counters of each local port of a switch, those of nodes first.
    pub fn port_counters(&self) -> impl Iterator<Item = SwitchCounters> {
        self.ports.iter().map(M::Switch::counters)
    }

    /// Units inside of switches, by the local port by which they will leave; ports of nodes are first.
    pub fn port_queues(&self) -> impl Iterator<Item = usize> {
        self.ports.iter().map(M::Switch::held)
    }

    /// Disables or enables the skipping of idle stretches. The results are the same.
    pub fn set_skipping(&mut self, skipping: bool) {
        self.nodes.iter_mut().for_each(|node| node.skipping = skipping);
    }

    /// Records events on the pins of all nodes and in the switches, for [stages](crate::Stages).
    pub fn observe(&mut self) {
        self.nodes.iter_mut().for_each(Node::observe);
        self.ports.iter_mut().for_each(|port| port.log_mut().observing = true);
    }

    /// Events recorded so far, ordered by time and then by place.
    pub fn observations(&self) -> Vec<Observation> {
        let mut all: Vec<_> = self.nodes.iter().flat_map(Node::observations).collect();
        all.extend(self.ports.iter().flat_map(|port| &port.log().observations));
        all.sort_by_key(|observation| (observation.time, observation.place));
        all
    }

    /// Captures a copy of every frame on every link of nodes from now on, for [`Self::take_captured`].
    pub fn capture(&mut self) {
        for node in self.here() {
            self.link_from_mut(node).capture();
            self.link_to_mut(node).capture();
        }
    }

    /// Takes the frames captured since the last call, ordered by time and then by link.
    pub fn take_captured(&mut self) -> Vec<Captured<UnitOf<M>>> {
        let mut all = Vec::new();
        let direct = self.topology.ports() == 0;
        for node in self.here() {
            all.extend(self.link_from_mut(node).take_captured(Direction::From(node)));
            if !direct {
                all.extend(self.link_to_mut(node).take_captured(Direction::To(node)));
            }
        }
        all.sort_by_key(|captured| (captured.time, captured.direction));
        all
    }

    /// Collects the heads of all frames that begin on a link from now on, for [`Self::take_head`]. A head has this
    /// number of units.
    pub fn collect_heads(&mut self, direction: Direction, units: usize) {
        self.link_at(direction).collect_heads(units);
    }

    /// Takes the oldest head of a frame that the link has carried so far.
    pub fn take_head(&mut self, direction: Direction) -> Option<Head<UnitOf<M>>> {
        let now = self.now;
        self.link_at(direction).take_head(now)
    }

    /// A link of a node, for looking at it: its events stay as they are.
    fn link_at(&mut self, direction: Direction) -> &mut Link<UnitOf<M>> {
        let (Direction::From(node) | Direction::To(node)) = direction;
        let (cable, end) = self.place_of(node - self.first);
        let is_from = matches!(direction, Direction::From(_));
        &mut self.links[cable][if is_from { end } else { 1 - end }]
    }

    /// Starts a program on a node at the present time.
    pub fn spawn<F, T>(
        &mut self,
        node: usize,
        name: &'static str,
        program: impl FnOnce(M::Port) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        self.spawn_beside(node, name, |side, cpu| program(M::port(side, cpu)))
    }

    /// Starts a program that accesses the environment of the device directly.
    pub fn spawn_beside<F, T>(
        &mut self,
        node: usize,
        name: &'static str,
        program: impl FnOnce(&M::Side, Cpu) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        let (now, at) = (self.now, node - self.first);
        let output = self.nodes[at].spawn(now, name, program);
        self.note_progress(now, at);
        self.stale.push(self.cable_of[at]);
        output
    }

    /// Starts a service on a node; no run waits for it.
    pub fn serve<F>(&mut self, node: usize, name: &'static str, service: impl FnOnce(&M::Side, Cpu) -> F)
    where
        F: Future<Output = ()> + 'static,
    {
        let now = self.now;
        self.node_mut(node).serve(now, name, service);
    }

    /// Whether all visible activity has ended: programs are finished, and pins, buses and links are idle.
    /// Devices may still be busy internally; unlike [`Cluster::drain`], this works for RTL too.
    pub fn is_still(&self) -> bool {
        self.nodes.iter().all(Node::is_still) && self.is_network_idle()
    }

    /// Fingerprint of the run so far.
    pub fn fingerprint(&mut self) -> Result<Fingerprint, RunError> {
        Ok(Fingerprint::of(self.fingerprints()?.into_iter()))
    }

    /// Fingerprint of each local node.
    pub(crate) fn fingerprints(&mut self) -> Result<Vec<Fingerprint>, RunError> {
        let now = self.now;
        (0..self.nodes.len())
            .map(|at| {
                let (cable, end) = self.place_of(at);
                let (up, down) = pair(&mut self.links[cable], end);
                let node = &mut self.nodes[at];
                let part = node.fingerprint(now, &mut Cable { up, down });
                part.map_err(|source| stopped(node.id(), now, source))
            })
            .collect()
    }

    /// The unfinished programs, with what each waits for.
    pub fn report(&self) -> Vec<TaskReport> {
        self.nodes.iter().flat_map(Node::report).collect()
    }

    /// Number of nodes with unfinished programs.
    pub(crate) fn unfinished(&self) -> usize {
        self.unfinished
    }

    /// Number of nodes with a program that can continue.
    pub(crate) fn hopeful(&self) -> usize {
        self.hopeful
    }

    /// Time at which the last program finished.
    pub(crate) fn done_at(&self) -> Time {
        self.done_at
    }

    /// Advances the present time to that of another part.
    pub(crate) fn set_now(&mut self, now: Time) {
        self.now = self.now.max(now);
    }

    fn switch_on(&mut self, cable: usize, end: usize) {
        let (up, down) = pair(&mut self.links[cable], end);
        let mut ends = Cable { up, down };
        match self.cables[cable][end] {
            Place::Node(node) => self.nodes[node].switch_on(&mut ends),
            Place::Port(port) => {
                self.ports[port].step(Time::ZERO, &mut ends, &self.routes, &mut self.crossings);
            }
        }
    }

    fn is_network_idle(&self) -> bool {
        self.links().iter().all(Link::is_idle) && self.ports.iter().all(M::Switch::is_idle)
    }

    /// Local cable of a local node, and the end at which the node is.
    fn place_of(&self, node: usize) -> (usize, usize) {
        let cable = self.cable_of[node];
        (cable, usize::from(matches!(self.cables[cable][1], Place::Node(at) if at == node)))
    }
}

/// The error of a device that failed.
fn stopped(node: usize, time: Time, source: NicError) -> RunError {
    RunError::Nic { node, time, source }
}

/// The links of a cable as seen from one end: outgoing and incoming.
#[inline]
fn pair<U>([there, back]: &mut [Link<U>; 2], end: usize) -> (&mut Link<U>, &mut Link<U>) {
    if end == 0 { (there, back) } else { (back, there) }
}
