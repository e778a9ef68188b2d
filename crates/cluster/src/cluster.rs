//! A cluster: nodes, and the switch or the cable between them.

use std::future::Future;

use hdl::NicError;

use crate::node::{AnyNic, Cable, Node};
use crate::stages::Observation;
use crate::timeline::{Scene, Timeline};
use crate::{
    Clocks, Duration, Fingerprint, Host, Link, LinkTiming, Output, RunError, Switch, TaskReport, Time,
};

/// Nodes and what lies between them, in virtual time.
///
/// In a node, edges come first, then programs in the order of spawning, then the pins of the next cycle.
pub struct Cluster {
    timeline: Timeline,
    nodes: Vec<Node>,
    /// Link n leads from node n. With a switch, as many again lead from its ports to the nodes; without one, the
    /// link from a node leads to the other node.
    links: Vec<Link>,
    switch: Option<Switch>,
}

impl Cluster {
    /// Nodes on the ports of a switch. Node n has LID n + 1, as a subnet manager would give it.
    pub fn with_switch(nics: Vec<Box<AnyNic>>) -> Self {
        let mut switch = Switch::new(nics.len());
        for port in 0..nics.len() {
            switch.route(lid(port), port);
        }
        Self::new(nics, Some(switch))
    }

    /// Two nodes on one cable.
    pub fn back_to_back(nics: [Box<AnyNic>; 2]) -> Self {
        Self::new(nics.into(), None)
    }

    fn new(nics: Vec<Box<AnyNic>>, switch: Option<Switch>) -> Self {
        let links = if switch.is_some() { 2 * nics.len() } else { nics.len() };
        let mut links: Vec<_> = (0..links).map(|_| Link::new(LinkTiming::INFINIBAND_4X)).collect();
        let lids: Vec<_> = (0..nics.len()).map(lid).collect();
        for link in &mut links {
            link.faults_mut().checked = true;
        }
        let node = |(id, nic): (usize, Box<AnyNic>)| Node::new(id, Clocks::DIMMNET2, nic, lid(id), &lids);
        let mut nodes: Vec<_> = nics.into_iter().enumerate().map(node).collect();
        for node in &mut nodes {
            node.switch_on(&mut cable(node.id(), &mut links));
        }
        let mut cluster = Cluster { timeline: Timeline::default(), nodes, links, switch };
        cluster.step_switch(Time::ZERO);
        cluster
    }

    /// Nothing is sent again, and no CRC is checked: boards see what faults leave of a frame. Before the run.
    pub fn without_retransmission(mut self) -> Self {
        self.nodes.iter_mut().for_each(Node::without_retransmission);
        self.links.iter_mut().for_each(|link| link.faults_mut().checked = false);
        self
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

    /// Checks every board as [`hdl::Nic::check`] does: a lockstep run is not over before.
    pub fn check(&mut self) -> Result<(), NicError> {
        self.nodes.iter_mut().try_for_each(|node| node.check())
    }

    /// All links: link n leads from node n; with a switch, as many again lead from its ports to the nodes.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The same, to let faults wait for frames.
    pub fn links_mut(&mut self) -> &mut [Link] {
        &mut self.links
    }

    /// The switch, if there is one.
    pub fn switch(&self) -> Option<&Switch> {
        self.switch.as_ref()
    }

    /// What a subnet manager does when it sweeps: node n gets LID `lids[n]`, which its board shows in register SMA LID, its link
    /// can be used, and the switch has routes to all LIDs.
    ///
    /// # Panics
    /// If there is not one LID for each node, or no switch to be set up.
    pub fn sweep(&mut self, lids: &[u16]) {
        assert_eq!(lids.len(), self.nodes.len(), "every node has one LID");
        let switch = self.switch.as_mut().expect("a subnet manager sets a switch up");
        switch.forget_routes();
        for (port, lid) in lids.iter().enumerate() {
            switch.route(*lid, port);
        }
        for (node, lid) in self.nodes.iter_mut().zip(lids) {
            let id = node.id();
            node.join_subnet(self.timeline.now, *lid, lids, &mut cable(id, &mut self.links));
        }
    }

    /// Walks every edge instead of skipping idle stretches. The results are the same.
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

    /// Starts a program on a node at the present time.
    pub fn spawn<F, T>(
        &mut self,
        node: usize,
        name: &'static str,
        program: impl FnOnce(Host) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        self.nodes[node].spawn(self.timeline.now, name, program)
    }

    /// Runs until all programs are done, but no longer than `limit`; returns when the last one was done.
    pub fn run(&mut self, limit: Duration) -> Result<Time, RunError> {
        Scene::run(self, limit)
    }

    /// Runs until programs are done, devices quiescent and links empty, but no longer than `limit`. RTL never says
    /// that it is quiescent; let time pass with [`Cluster::run_until`] there.
    pub fn drain(&mut self, limit: Duration) -> Result<Time, RunError> {
        let limit = self.timeline.now + limit;
        while !self.is_idle() {
            if !self.advance(limit)? {
                return Err(RunError::Limit { limit, waiting: self.report() });
            }
        }
        Ok(self.timeline.now)
    }

    /// Lets time pass until `time`.
    pub fn run_until(&mut self, time: Time) -> Result<(), RunError> {
        Scene::run_until(self, time)
    }

    /// Goes on to the next instant at which something happens, or to `limit` if that comes first; tells whether
    /// something happened.
    pub fn step(&mut self, limit: Time) -> Result<bool, RunError> {
        self.advance(limit)
    }

    /// Whether nothing can be seen to happen: programs are done, and pins, buses and links are idle. Devices may
    /// still be at work inside; unlike [`Cluster::drain`], this can be told of RTL too.
    pub fn is_still(&self) -> bool {
        self.nodes.iter().all(Node::is_still)
            && self.links.iter().all(Link::is_idle)
            && self.switch.as_ref().is_none_or(Switch::is_idle)
    }

    /// The fingerprint of the run so far.
    pub fn fingerprint(&mut self) -> Result<Fingerprint, RunError> {
        let (now, mut parts) = (self.timeline.now, Vec::new());
        for node in &mut self.nodes {
            let id = node.id();
            let part = node.fingerprint(now, &mut cable(id, &mut self.links));
            parts.push(part.map_err(|source| RunError::Nic { node: id, time: now, source })?);
        }
        Ok(Fingerprint::of(parts.into_iter()))
    }

    fn is_idle(&self) -> bool {
        self.nodes.iter().all(Node::is_idle)
            && self.links.iter().all(Link::is_idle)
            && self.switch.as_ref().is_none_or(Switch::is_idle)
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
        self.nodes[node].next_event(self.timeline.now, &cable(node, &mut self.links))
    }

    fn step_node(&mut self, node: usize, now: Time) -> Result<(), NicError> {
        self.nodes[node].step(now, &mut cable(node, &mut self.links))
    }

    fn switch_event(&self) -> Option<Time> {
        let (ins, outs) = self.links.split_at(self.nodes.len());
        self.switch.as_ref()?.next_event(self.now(), ins, outs)
    }

    fn step_switch(&mut self, now: Time) {
        if let Some(switch) = &mut self.switch {
            let (ins, outs) = self.links.split_at_mut(self.nodes.len());
            switch.step(now, ins, outs);
        }
    }

    fn done(&self) -> bool {
        self.nodes.iter().all(Node::done)
    }

    fn may_go_on(&self) -> bool {
        self.nodes.iter().any(|node| node.next_wake().is_some())
    }

    fn report(&self) -> Vec<TaskReport> {
        self.nodes.iter().flat_map(Node::report).collect()
    }
}

/// LID of a node.
fn lid(node: usize) -> u16 {
    u16::try_from(node + 1).expect("a subnet has fewer than 65536 nodes")
}

/// The two links of a node.
fn cable(node: usize, links: &mut [Link]) -> Cable<'_> {
    let down = match links.len() {
        2 => 1 - node,
        links => links / 2 + node,
    };
    let [up, down] = links.get_disjoint_mut([node, down]).expect("a node has two links");
    Cable { up, down }
}
