//! Steps: an event at a node, and the packets that its endpoint sends then.

use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::time::Duration;

use ::suci::paper::packet::Kind;
use ::suci::walk::Walked;
use ::suci::{Config, Endpoint, Instant, Security};

use super::world::{ALWAYS, Action, DATAGRAM, FaultBudget, Node, PACKET, Packet, State, World};

/// The treatment of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// States that differ in nothing but time are one.
    TakenOut,
    /// Packets take some time, and clocks go on.
    Real,
}

/// How long a packet takes where time is real.
const DELAY: Duration = Duration::from_micros(100);
/// No peer is given up for silence, which has no duration here.
const NEVER: Duration = Duration::from_secs(3_600);
/// Longer than the paper's receiver reckons with a permit.
const LONGEST_PERMIT: Duration = Duration::from_secs(10);
/// Arrivals in a row after which there is no end of them. A world has a few packets, each of which is answered once.
const MOST_ARRIVALS: usize = 64;

/// Packets that a node has just sent, with their receivers.
pub type SentPackets = Vec<(usize, Packet)>;

pub(super) fn address(node: usize) -> SocketAddr {
    (Ipv4Addr::new(10, 0, 0, node as u8 + 1), 7).into()
}

impl World {
    fn config(&self, node: usize) -> Config {
        let database = self.nodes().filter(|peer| *peer != node);
        Config {
            datagram: DATAGRAM,
            // Whether a path carries larger ones says nothing of its rules.
            largest_datagram: DATAGRAM,
            window: self.window * PACKET,
            largest_block: self.window * PACKET - 64,
            budget: self.budget * PACKET,
            unscheduled: DATAGRAM,
            congested: self.congested,
            keep_alive: NEVER,
            give_up: NEVER,
            id: node as u16,
            database: database.map(|peer| (address(peer), peer as u16)).collect(),
            ..Config::new(self.rules, Security::Trusted)
        }
    }

    fn endpoint(&self, node: usize, life: u8) -> Walked {
        // Epochs and connection ids of each life are others.
        let endpoint = Endpoint::new(self.config(node), [1 + node as u8 + 16 * life; 32]);
        Walked::new(endpoint.expect("the configuration is sound")).expect("it has no key")
    }

    /// The state in which everything begins.
    pub fn start(&self, time: Time) -> State {
        let count = self.blocks.len();
        assert!(count >= 2, "a world has two nodes or more");
        let node = |node| Node {
            endpoint: self.endpoint(node, 0),
            peers: vec![None; count],
            begun: 0,
            refused: 0,
            since: 0,
            taken: vec![0; count],
            allowance: 0,
            permitted: (0, 0),
        };
        let mut state = State {
            nodes: self.nodes().map(|number| Rc::new(node(number))).collect(),
            wires: vec![Vec::new(); count * count],
            clocks: vec![Instant::ZERO; count],
            left: FaultBudget {
                losses: self.network.loses.map(|faults| faults.most),
                repeats: self.network.repeats.most,
                early: self.network.early,
            },
            restarts: 0,
            wrong: None,
        };
        for node in self.nodes() {
            // With our own rules only one side calls.
            if node > 0 || self.repairs().is_some() {
                self.call(&mut state, node);
                self.follow(&mut state, node, time, false);
            }
        }
        if !self.strangers {
            assert!(World { slow: false, ..self.clone() }.falls_silent(&mut state, time), "they meet");
        }
        state
    }

    fn call(&self, state: &mut State, node: usize) {
        let now = state.clocks[node];
        let own = Rc::make_mut(&mut state.nodes[node]);
        let database = self.repairs().is_some();
        for peer in self.nodes().filter(|peer| database || *peer == self.receiver(node)) {
            own.peers[peer] = own.endpoint.endpoint().connect(now, address(peer)).ok();
        }
    }

    /// All packets in flight arrive, in order, and so do the answers. False if there is no end of them.
    pub fn falls_silent(&self, state: &mut State, time: Time) -> bool {
        for _ in 0..MOST_ARRIVALS {
            let Some(wire) = state.wires.iter().position(|wire| !wire.is_empty()) else { return true };
            let (from, to) = (wire / self.blocks.len(), wire % self.blocks.len());
            let Some((next, _)) = self.happen(state, Action::Arrive(from, to, 0), time) else { return true };
            *state = next;
        }
        false
    }

    /// The state after an action, if that can happen, and the packets that are sent then.
    pub fn step(&self, before: &State, action: Action, time: Time) -> Option<(State, SentPackets)> {
        let next = self.happen(before, action, time)?;
        let crowded = next.0.wires.iter().any(|wire| wire.len() > self.network.room);
        (!crowded).then_some(next)
    }

    fn happen(&self, before: &State, action: Action, time: Time) -> Option<(State, SentPackets)> {
        let mut state = before.clone();
        let mut permitted = false;
        let at = match action {
            Action::Send(node) => self.begin(&mut state, node).then_some(node)?,
            Action::Take(node) => self.hear(&mut state, node, true).then_some(node)?,
            Action::Ask(node) => {
                let peer = state.nodes[node].peers[self.receiver(node)]?;
                Rc::make_mut(&mut state.nodes[node]).endpoint.endpoint().retransmit(peer);
                node
            }
            Action::Lose(from, to, at) => {
                let packet = self.pick(&mut state, from, to, at)?;
                let counted = self.loss_of(&state, &packet)?;
                spend(&mut state.left.losses[counted]);
                return Some((state, Vec::new()));
            }
            Action::Arrive(from, to, at) => {
                let packet = self.pick(&mut state, from, to, at)?;
                permitted = self.arrive(&mut state, from, to, &packet, time);
                to
            }
            Action::Repeat(from, to, at) => {
                let packet = self.pick(&mut state, from, to, at)?;
                spend(&mut state.left.repeats);
                state.wires[from * self.blocks.len() + to].insert(at, packet.clone());
                permitted = self.arrive(&mut state, from, to, &packet, time);
                to
            }
            Action::TimeOut(node) => {
                if !self.is_idle(&state) {
                    spend(&mut state.left.early);
                }
                let due = state.nodes[node].endpoint.poll_timeout()?;
                let wait = due.since(state.clocks[node]);
                self.pass(&mut state, node, wait);
                node
            }
            Action::Expire => {
                self.expire(&mut state);
                0
            }
            Action::Restart => {
                self.restart(&mut state);
                1
            }
        };
        let sent = self.follow(&mut state, at, time, permitted);
        Some((state, sent))
    }

    /// Gives a packet to its receiver; true for a permit.
    fn arrive(&self, state: &mut State, from: usize, to: usize, packet: &[u8], time: Time) -> bool {
        if time == Time::Real && !self.has_common_clock() {
            self.pass(state, to, DELAY);
        }
        let now = state.clocks[to];
        let node = Rc::make_mut(&mut state.nodes[to]);
        node.endpoint.endpoint().input(now, address(from), packet);
        self.see(packet).kind == Some(Kind::Permit)
    }

    /// Lets all permits run out.
    fn expire(&self, state: &mut State) {
        spend(&mut state.left.early);
        self.pass(state, 0, LONGEST_PERMIT);
        for node in &mut state.nodes {
            // Others may be permitted now what this one was.
            Rc::make_mut(node).allowance = 0;
        }
    }

    /// Restarts node 1.
    fn restart(&self, state: &mut State) {
        state.restarts += 1;
        let endpoint = self.endpoint(1, state.restarts);
        let node = Rc::make_mut(&mut state.nodes[1]);
        node.endpoint = endpoint;
        (node.since, node.refused) = (node.begun, 0);
        self.call(state, 1);
    }

    /// By which count a packet may be lost, if it may.
    pub(super) fn loss_of(&self, state: &State, packet: &[u8]) -> Option<usize> {
        let may = |at: &usize| state.left.losses[*at] > 0 && self.is(packet, self.network.loses[*at].class);
        (0..state.left.losses.len()).find(may)
    }

    /// Takes a packet from the wire.
    fn pick(&self, state: &mut State, from: usize, to: usize, at: usize) -> Option<Packet> {
        let wire = &mut state.wires[from * self.blocks.len() + to];
        (at < wire.len()).then(|| wire.remove(at))
    }

    /// Time passes at a node, or everywhere.
    fn pass(&self, state: &mut State, node: usize, time: Duration) {
        let clocks = if self.has_common_clock() { self.nodes() } else { node..node + 1 };
        state.clocks[clocks].iter_mut().for_each(|clock| *clock = *clock + time);
    }

    /// No packet is in flight, and no application has anything to do.
    pub(super) fn is_idle(&self, state: &State) -> bool {
        let acts = |node| {
            let mut state = state.clone();
            self.begin(&mut state, node) || self.slow && self.hear(&mut state, node, true)
        };
        is_silent(state) && !self.nodes().any(acts)
    }

    /// A node sends all packets that are due, and gives its application all events.
    fn follow(&self, state: &mut State, at: usize, time: Time, permitted: bool) -> SentPackets {
        let mut sent = Vec::new();
        loop {
            let now = state.clocks[at];
            let endpoint = Rc::make_mut(&mut state.nodes[at]).endpoint.endpoint();
            while let Some(transmit) = endpoint.poll_transmit(now) {
                let to = self.nodes().find(|node| address(*node) == transmit.to).expect("all are known");
                sent.push((to, Rc::from(transmit.bytes)));
            }
            // Memory that is free again may be told.
            if self.slow || !self.hear(state, at, false) {
                break;
            }
        }
        for (to, packet) in &sent {
            let wire = &mut state.wires[at * self.blocks.len() + to];
            // Sorted if packets overtake each other, because states that differ in this order alone are the same.
            let last = wire.len();
            let place =
                if self.network.reorders { wire.partition_point(|other| other <= packet) } else { last };
            wire.insert(place, packet.clone());
        }
        if self.counts_permits() && self.repairs().is_some() {
            self.count_permits(state, at, &sent, permitted);
        }
        if time == Time::TakenOut && !self.has_common_clock() {
            Rc::make_mut(&mut state.nodes[at]).endpoint.forget_time();
            state.clocks[at] = Instant::ZERO;
        }
        sent
    }

    /// Keeps account of what each node may send again.
    fn count_permits(&self, state: &mut State, at: usize, sent: &SentPackets, permitted: bool) {
        let numbered = self.repairs().is_some_and(|repairs| repairs.permits);
        for (to, packet) in sent {
            let seen = self.see(packet);
            if seen.kind == Some(Kind::Permit) && seen.window > 0 {
                let node = Rc::make_mut(&mut state.nodes[*to]);
                let (number, bytes) = (seen.number as u32, seen.window as i32);
                // The answer to a repeated request is the same permit.
                let same = if numbered && node.permitted.0 == number { node.permitted.1 } else { 0 };
                node.allowance += (bytes - same).max(0);
                node.permitted = (number, bytes.max(same));
            } else if permitted && seen.data {
                Rc::make_mut(&mut state.nodes[at]).allowance -= PACKET as i32;
            }
        }
    }
}

fn spend(left: &mut u8) {
    *left = left.saturating_sub(u8::from(*left != ALWAYS));
}

/// No packet is in flight.
pub(super) fn is_silent(state: &State) -> bool {
    state.wires.iter().all(Vec::is_empty)
}
