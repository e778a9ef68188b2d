//! A cluster, or a part of one: nodes, and the cables and switches between them.

mod advance;

use std::future::Future;
use std::ops::Range;
use std::sync::Arc;

use hdl::NicError;

use super::error::RunError;
use super::queue::Queue;
use crate::Time;
use crate::fabric::{Cable, Captured, Crossing, Direction, End, Link, Rates, Routes, Switch, SwitchCounters};
use crate::fabric::{Topology, TopologyError};
use crate::host::{Cpu, Output, TaskReport};
use crate::look::{Fingerprint, Observation};
use crate::machine::{AnyNic, In, Machine, UnitOf};
use crate::node::Node;

/// What crosses the switches of a machine's network.
pub type CargoOf<M> = <<M as Machine>::Switch as Switch>::Cargo;

/// What is at an end of a cable, by its place here.
#[derive(Clone, Copy, Debug)]
enum Place {
    Node(usize),
    Port(usize),
}

/// What a program's node is known to be, so that nobody has to be asked at every instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Progress {
    done: bool,
    may_go_on: bool,
}

/// Nodes and what lies between them, in virtual time.
///
/// In a node edges go before programs before the pins of the next cycle. Nodes meet only in links and switches, whose latency keeps
/// the doings of one instant apart, so the order of nodes never shows in the result. A cable with what is at its ends is asked
/// only when its time has come.
pub struct Cluster<M: Machine> {
    now: Time,
    topology: Arc<Topology>,
    routes: Arc<Routes>,
    /// The first node that is here.
    first: usize,
    nodes: Vec<Node<M>>,
    progress: Vec<Progress>,
    /// The cable of each node, by its place here.
    cable_of: Vec<usize>,
    ports: Vec<M::Switch>,
    /// Of each port of the topology, the cable here that it is on and at which end; none if it is elsewhere.
    port_at: Vec<Option<(u32, u8)>>,
    cables: Vec<[Place; 2]>,
    /// Of each cable: from its first end to its second, and back.
    links: Vec<[Link<UnitOf<M>>; 2]>,
    /// When something happens at each end of each cable.
    due: Vec<[Time; 2]>,
    queue: Queue,
    /// Cables that have a turn in this epoch; empty between epochs.
    turns: Vec<u32>,
    /// Cables that were touched from outside.
    stale: Vec<usize>,
    /// What crosses switches, as long as it is not delivered.
    crossings: Vec<Crossing<CargoOf<M>>>,
    /// What crosses to other parts.
    pub(crate) outbox: Vec<Crossing<CargoOf<M>>>,
    /// Nodes with programs that are not done, and those on which one may go on.
    unfinished: usize,
    hopeful: usize,
    /// When the last program was done, and when the last one could no longer go on.
    done_at: Time,
    quit_at: Time,
    /// The node that was seen last to have a program that may go on.
    witness: usize,
}

impl<M: Machine> Cluster<M> {
    /// Nodes in the network that their machine has: most have one switch.
    ///
    /// # Panics
    /// If there are none, or more than there are addresses for.
    pub fn with_switch(nics: Vec<Box<AnyNic<M>>>, settings: &M::Settings) -> Self {
        let topology = M::topology(nics.len());
        Self::new(topology, nics, settings).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Two nodes on one cable.
    pub fn back_to_back(nics: [Box<AnyNic<M>>; 2], settings: &M::Settings) -> Self {
        let topology = Topology::back_to_back();
        Self::new(topology, nics.into(), settings).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Nodes in a network.
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

    /// These nodes of a network, and a share of the cables between its switches that corresponds to theirs.
    pub(crate) fn part(
        topology: Arc<Topology>,
        routes: Arc<Routes>,
        here: Range<usize>,
        settings: &M::Settings,
        mut nic: impl FnMut(usize) -> Result<Box<AnyNic<M>>, NicError>,
    ) -> Result<Self, RunError> {
        let mut cluster = Cluster {
            now: Time::ZERO,
            routes,
            first: here.start,
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
            topology: topology.clone(),
        };
        for cable in topology.cables_of(&here) {
            let at = cluster.cables.len();
            let mut places = [Place::Node(0); 2];
            for (end, place) in topology.cables()[cable].iter().zip(&mut places) {
                *place = match *end {
                    End::Node(node) => {
                        let here = Place::Node(cluster.nodes.len());
                        let nic = nic(node).map_err(|source| stopped(node, Time::ZERO, source))?;
                        cluster.nodes.push(Node::new(node, topology.nodes(), nic, settings));
                        cluster.cable_of.push(at);
                        here
                    }
                    End::Port(port) => {
                        let here = Place::Port(cluster.ports.len());
                        cluster.ports.push(M::Switch::new(port, &M::SWITCH));
                        here
                    }
                };
            }
            for (end, port) in topology.cables()[cable].iter().enumerate() {
                if let End::Port(port) = port {
                    cluster.port_at[*port as usize] = Some((at as u32, end as u8));
                }
            }
            cluster.cables.push(places);
            cluster.links.push([M::link(settings), M::link(settings)]);
        }
        cluster.progress = vec![Progress { done: true, may_go_on: false }; cluster.nodes.len()];
        cluster.due = vec![[Time::END; 2]; cluster.cables.len()];
        cluster.queue = Queue::new(cluster.cables.len());
        for cable in 0..cluster.cables.len() {
            for end in 0..2 {
                cluster.switch_on(cable, end);
            }
        }
        for cable in 0..cluster.cables.len() {
            cluster.stale.push(cable);
        }
        Ok(cluster)
    }

    /// The present time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The network.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The numbers of the nodes that are here: all of them, but for a part of a cluster.
    pub fn here(&self) -> Range<usize> {
        self.first..self.first + self.nodes.len()
    }

    /// The nodes that are here.
    pub fn nodes(&self) -> &[Node<M>] {
        &self.nodes
    }

    /// A node, to prepare it before the run.
    pub fn node_mut(&mut self, node: usize) -> &mut Node<M> {
        let node = node - self.first;
        self.stale.push(self.cable_of[node]);
        &mut self.nodes[node]
    }

    /// Changes what surrounds the device of a node, and its pins, in the midst of a run: the next edges see it.
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

    /// Sets other routes up, as a subnet manager does. Frames that are in a switch already keep theirs.
    pub fn set_routes(&mut self, addresses: impl Iterator<Item = u16>) {
        self.routes = Arc::new(self.topology.routes(addresses));
    }

    /// Checks every device as [`hdl::Nic::check`] does: a lockstep run is not over before.
    pub fn check(&mut self) -> Result<(), NicError> {
        self.nodes.iter_mut().try_for_each(Node::check)
    }

    /// The same, and tells which node failed.
    pub(crate) fn check_nodes(&mut self) -> Result<(), RunError> {
        let now = self.now;
        let check = |node: &mut Node<M>| node.check().map_err(|source| stopped(node.id(), now, source));
        self.nodes.iter_mut().try_for_each(check)
    }

    /// The link that leads from a node.
    pub fn link_from(&self, node: usize) -> &Link<UnitOf<M>> {
        let (cable, end) = self.place_of(node - self.first);
        &self.links[cable][end]
    }

    /// The same, to let faults wait for frames.
    pub fn link_from_mut(&mut self, node: usize) -> &mut Link<UnitOf<M>> {
        let (cable, end) = self.place_of(node - self.first);
        self.stale.push(cable);
        &mut self.links[cable][end]
    }

    /// All links, two to a cable: link 2n leads from node n, 2n + 1 to it; without a switch, link n leads from node n.
    pub fn links(&self) -> &[Link<UnitOf<M>>] {
        self.links.as_flattened()
    }

    /// The same, to let faults wait for frames.
    pub fn links_mut(&mut self) -> &mut [Link<UnitOf<M>>] {
        self.stale.extend(0..self.cables.len());
        self.links.as_flattened_mut()
    }

    /// The link that leads to a node.
    pub fn link_to(&self, node: usize) -> &Link<UnitOf<M>> {
        let (cable, end) = self.place_of(node - self.first);
        &self.links[cable][1 - end]
    }

    /// The same, to let faults wait for frames.
    pub fn link_to_mut(&mut self, node: usize) -> &mut Link<UnitOf<M>> {
        let (cable, end) = self.place_of(node - self.first);
        self.stale.push(cable);
        &mut self.links[cable][1 - end]
    }

    /// Lets faults strike at random on the links from all nodes, on each by a seed of its own out of this one.
    pub fn set_faults(&mut self, rates: Rates, seed: u64) {
        for node in self.here() {
            self.link_from_mut(node).faults_mut().strike(rates, (seed << 16) + node as u64);
        }
    }

    /// What all ports of switches have done together; none without a switch.
    pub fn switch_counters(&self) -> Option<SwitchCounters> {
        let mut ports = self.ports.iter();
        let mut all = ports.next()?.counters();
        ports.for_each(|port| all += port.counters());
        Some(all)
    }

    /// What each port of a switch that is here has done, those of nodes first.
    pub fn port_counters(&self) -> impl Iterator<Item = SwitchCounters> {
        self.ports.iter().map(M::Switch::counters)
    }

    /// Walks every edge instead of skipping idle stretches. The results are the same.
    pub fn set_skipping(&mut self, skipping: bool) {
        self.nodes.iter_mut().for_each(|node| node.skipping = skipping);
    }

    /// Notes what passes the pins of all nodes and the switches, for [stages](crate::Stages).
    pub fn observe(&mut self) {
        self.nodes.iter_mut().for_each(Node::observe);
        self.ports.iter_mut().for_each(|port| port.log_mut().observing = true);
    }

    /// What was observed so far, in the order of time and then of place.
    pub fn observations(&self) -> Vec<Observation> {
        let mut all: Vec<_> = self.nodes.iter().flat_map(Node::observations).collect();
        all.extend(self.ports.iter().flat_map(|port| &port.log().observations));
        all.sort_by_key(|observation| (observation.time, observation.place));
        all
    }

    /// Keeps a copy of every frame on every link of nodes from now on, for [`Self::take_captured`].
    pub fn capture(&mut self) {
        for node in self.here() {
            self.link_from_mut(node).capture();
            self.link_to_mut(node).capture();
        }
    }

    /// Takes the frames that were captured since the last time, in the order of time and then of links.
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

    /// Starts a program that uses what surrounds the device itself.
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

    /// Starts something on a node that no run waits for.
    pub fn serve<F>(&mut self, node: usize, name: &'static str, service: impl FnOnce(&M::Side, Cpu) -> F)
    where
        F: Future<Output = ()> + 'static,
    {
        let now = self.now;
        self.node_mut(node).serve(now, name, service);
    }

    /// Whether nothing can be seen to happen: programs are done, and pins, buses and links are idle. Devices may
    /// still be at work inside; unlike [`Cluster::drain`], this can be told of RTL too.
    pub fn is_still(&self) -> bool {
        self.nodes.iter().all(Node::is_still) && self.is_network_idle()
    }

    /// The fingerprint of the run so far.
    pub fn fingerprint(&mut self) -> Result<Fingerprint, RunError> {
        Ok(Fingerprint::of(self.fingerprints()?.into_iter()))
    }

    /// The fingerprints of the nodes.
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

    /// What programs wait for.
    pub fn report(&self) -> Vec<TaskReport> {
        self.nodes.iter().flat_map(Node::report).collect()
    }

    /// Nodes with programs that are not done.
    pub(crate) fn unfinished(&self) -> usize {
        self.unfinished
    }

    /// Nodes with programs that may go on.
    pub(crate) fn hopeful(&self) -> usize {
        self.hopeful
    }

    /// When the last program was done.
    pub(crate) fn done_at(&self) -> Time {
        self.done_at
    }

    /// Time has passed elsewhere.
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

    /// The cable of a node here, and at which end of it the node is.
    fn place_of(&self, node: usize) -> (usize, usize) {
        let cable = self.cable_of[node];
        (cable, usize::from(matches!(self.cables[cable][1], Place::Node(at) if at == node)))
    }
}

/// A device cannot go on.
fn stopped(node: usize, time: Time, source: NicError) -> RunError {
    RunError::Nic { node, time, source }
}

/// The links of a cable, from one of its ends and to it.
#[inline]
fn pair<U>([there, back]: &mut [Link<U>; 2], end: usize) -> (&mut Link<U>, &mut Link<U>) {
    if end == 0 { (there, back) } else { (back, there) }
}
