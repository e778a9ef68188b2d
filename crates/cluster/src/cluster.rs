//! A cluster: nodes, and the switch or the cable between them.

use std::fmt::Write;
use std::future::Future;

use hdl::NicError;
use thiserror::Error;

use crate::node::{AnyNic, Cable, Node};
use crate::stages::Observation;
use crate::{Clocks, Duration, Fingerprint, Host, Link, LinkTiming, Output, Switch, TaskReport, Time};

/// Why a run ended before its programs.
#[derive(Debug, Error)]
pub enum RunError {
    /// A device cannot go on.
    #[error("the device of node {node} stopped at {time}: {source}")]
    Nic {
        /// The node.
        node: usize,
        /// When.
        time: Time,
        /// What the device says.
        source: NicError,
    },
    /// Programs wait for something that virtual time cannot bring about.
    #[error("nothing can happen any more at {time}{}", list(.waiting))]
    Stalled {
        /// Since when.
        time: Time,
        /// The programs.
        waiting: Vec<TaskReport>,
    },
    /// Programs were not done, or devices not idle, when the limit was reached.
    #[error("the limit of {limit} was reached{}", list(.waiting))]
    Limit {
        /// The limit.
        limit: Time,
        /// Programs that were not done.
        waiting: Vec<TaskReport>,
    },
}

fn list(waiting: &[TaskReport]) -> String {
    waiting.iter().fold(String::new(), |mut text, task| {
        write!(text, "; {task}").expect("text has room");
        text
    })
}

/// Nodes and what lies between them, in virtual time.
///
/// What happens at one instant happens in the order of node numbers, the switch last; in a node, edges come
/// first, then programs in the order of spawning, then the pins of the next cycle. Nodes meet only through
/// links, whose latency keeps the doings of one instant apart, so this order never shows in the result.
pub struct Cluster {
    now: Time,
    nodes: Vec<Node>,
    /// Link n leads from node n. With a switch, as many again lead from its ports to the nodes; without one, the
    /// link from a node leads to the other node.
    links: Vec<Link>,
    switch: Option<Switch>,
    /// Next event of each node, for [`Cluster::advance`].
    events: Vec<Time>,
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
        let mut cluster = Cluster { now: Time::ZERO, nodes, links, switch, events: Vec::new() };
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
        self.now
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
            node.join_subnet(self.now, *lid, lids, &mut cable(id, &mut self.links));
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
        self.nodes[node].spawn(self.now, name, program)
    }

    /// Runs until all programs are done, but no longer than `limit`; returns when the last one was done.
    pub fn run(&mut self, limit: Duration) -> Result<Time, RunError> {
        let limit = self.now + limit;
        while !self.nodes.iter().all(Node::done) {
            if self.nodes.iter().all(|node| node.next_wake().is_none()) {
                return Err(RunError::Stalled { time: self.now, waiting: self.report() });
            }
            if !self.advance(limit)? {
                return Err(RunError::Limit { limit, waiting: self.report() });
            }
        }
        Ok(self.now)
    }

    /// Runs until programs are done, devices quiescent and links empty, but no longer than `limit`. RTL never says
    /// that it is quiescent; let time pass with [`Cluster::run_until`] there.
    pub fn drain(&mut self, limit: Duration) -> Result<Time, RunError> {
        let limit = self.now + limit;
        while !self.is_idle() {
            if !self.advance(limit)? {
                return Err(RunError::Limit { limit, waiting: self.report() });
            }
        }
        Ok(self.now)
    }

    /// Lets time pass until `time`.
    pub fn run_until(&mut self, time: Time) -> Result<(), RunError> {
        while self.advance(time)? {}
        Ok(())
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
        let (now, mut parts) = (self.now, Vec::new());
        for node in &mut self.nodes {
            let id = node.id();
            let part = node.fingerprint(now, &mut cable(id, &mut self.links));
            parts.push(part.map_err(|source| RunError::Nic { node: id, time: now, source })?);
        }
        Ok(Fingerprint::of(parts.into_iter()))
    }

    fn report(&self) -> Vec<TaskReport> {
        self.nodes.iter().flat_map(Node::report).collect()
    }

    fn is_idle(&self) -> bool {
        self.nodes.iter().all(Node::is_idle)
            && self.links.iter().all(Link::is_idle)
            && self.switch.as_ref().is_none_or(Switch::is_idle)
    }

    /// Goes on to the next instant at which something happens, or to `limit` if that comes first; tells which.
    fn advance(&mut self, limit: Time) -> Result<bool, RunError> {
        let (now, links) = (self.now, &mut self.links);
        self.events.clear();
        self.events.extend(self.nodes.iter().map(|node| node.next_event(now, &cable(node.id(), links))));
        let switch = self.switch.as_ref().and_then(|switch| {
            let (ins, outs) = self.links.split_at(self.nodes.len());
            switch.next_event(now, ins, outs)
        });
        let next = self.events.iter().copied().chain(switch).min().expect("a cluster has nodes");
        if next > limit {
            self.now = now.max(limit);
            return Ok(false);
        }
        for (node, event) in self.nodes.iter_mut().zip(&self.events) {
            if *event == next {
                let id = node.id();
                let done = node.step(next, &mut cable(id, &mut self.links));
                done.map_err(|source| RunError::Nic { node: id, time: next, source })?;
            }
        }
        self.now = next;
        if switch == Some(next) {
            self.step_switch(next);
        }
        Ok(true)
    }

    fn step_switch(&mut self, now: Time) {
        if let Some(switch) = &mut self.switch {
            let (ins, outs) = self.links.split_at_mut(self.nodes.len());
            switch.step(now, ins, outs);
        }
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
