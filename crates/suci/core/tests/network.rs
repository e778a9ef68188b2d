use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use suci::{Config, Endpoint, Event, Instant, Peer, PublicKey, Security};

use crate::monitor::Monitor;

/// Pseudorandom numbers from a seed (SplitMix64).
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }
}

/// Faults of the network; probabilities in thousandths.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    pub loss: u64,
    pub duplicate: u64,
    /// Largest additional delay of a datagram in microseconds, which reorders datagrams.
    pub late: u64,
}

/// Decides by sender, receiver and contents whether a datagram is lost.
pub type Script = Box<dyn FnMut(usize, usize, &[u8]) -> bool>;

/// Received blocks and other events of a node.
#[derive(Debug, Default)]
pub struct Observed {
    pub blocks: Vec<(Peer, u8, Vec<u8>)>,
    pub others: Vec<Event>,
}

pub const DELAY: Duration = Duration::from_micros(100);

pub struct Network {
    pub now: Instant,
    pub faults: Faults,
    pub random: Random,
    pub nodes: Vec<Endpoint>,
    pub observed: Vec<Observed>,
    /// Nodes that do not take their events.
    pub asleep: Vec<bool>,
    /// Drops datagrams in addition to random losses.
    pub drop: Script,
    pub carried: u64,
    /// Copies of all datagrams, for replays.
    pub seen: Vec<(usize, usize, Vec<u8>)>,
    /// Whether copies are kept.
    pub keeps: bool,
    /// Addresses of the nodes, which may change.
    pub addresses: Vec<SocketAddr>,
    /// Path MTU: larger datagrams are dropped, in bytes.
    pub widest: usize,
    /// Probability of a congestion mark in thousandths.
    pub marks: u64,
    flying: BTreeMap<(Instant, u64), (usize, usize, Vec<u8>)>,
    /// Judges all packets.
    pub monitor: Monitor,
}

pub fn address(node: usize) -> SocketAddr {
    format!("10.0.{}.{}:7", node / 256, node % 256).parse().unwrap()
}

pub fn seed(number: u64) -> [u8; 32] {
    let mut random = Random(number);
    let mut seed = [0; 32];
    seed.chunks_mut(8).for_each(|bytes| bytes.copy_from_slice(&random.next().to_be_bytes()));
    seed
}

impl Network {
    pub fn new(nodes: usize, config: &Config, number: u64, faults: Faults) -> Self {
        let node = |at: usize| {
            let mut config = config.clone();
            config.id = at as u16;
            if matches!(config.security, Security::Pinned { .. }) {
                config.security = crate::keys::pinned(at, 0..nodes);
            }
            config.database =
                (0..nodes).filter(|peer| *peer != at).map(|peer| (address(peer), peer as u16)).collect();
            Endpoint::new(config, seed(number ^ (at as u64) << 32)).unwrap()
        };
        Self {
            now: Instant::ZERO,
            faults,
            random: Random(number),
            nodes: (0..nodes).map(node).collect(),
            observed: (0..nodes).map(|_| Observed::default()).collect(),
            asleep: vec![false; nodes],
            drop: Box::new(|_, _, _| false),
            carried: 0,
            seen: Vec::new(),
            keeps: true,
            addresses: (0..nodes).map(address).collect(),
            widest: usize::MAX,
            marks: 0,
            flying: BTreeMap::new(),
            monitor: Monitor::new(config),
        }
    }

    pub fn connect(&mut self, from: usize, to: usize) -> Peer {
        self.nodes[from].connect(self.now, self.addresses[to]).unwrap()
    }

    /// Calls a node with this key.
    pub fn connect_to(&mut self, from: usize, to: usize, key: PublicKey) -> Peer {
        self.nodes[from].connect_to(self.now, self.addresses[to], key).unwrap()
    }

    /// Restarts a node without state.
    pub fn restart(&mut self, node: usize, number: u64) {
        let config = self.nodes[node].config().clone();
        self.nodes[node] = Endpoint::new(config, seed(number)).unwrap();
        self.observed[node] = Observed::default();
        self.monitor.restart(node);
    }

    fn launch(&mut self, from: usize, to: usize, bytes: Vec<u8>) {
        if bytes.len() > self.widest
            || (self.drop)(from, to, &bytes)
            || self.random.below(1_000) < self.faults.loss
        {
            self.monitor.fault();
            return;
        }
        let copies = 1 + u64::from(self.random.below(1_000) < self.faults.duplicate);
        for _ in 0..copies {
            let late = Duration::from_micros(self.random.below(self.faults.late + 1));
            if copies > 1 || !late.is_zero() {
                self.monitor.fault();
            }
            self.carried += 1;
            self.flying.insert((self.now + DELAY + late, self.carried), (from, to, bytes.clone()));
        }
        if self.keeps {
            self.seen.push((from, to, bytes));
        }
    }

    /// Processes all events of the current time and advances to the next; false if there is none.
    pub fn step(&mut self) -> bool {
        for node in 0..self.nodes.len() {
            while let Some(transmit) = self.nodes[node].poll_transmit(self.now) {
                // A datagram to an unused address is lost.
                let to = self.addresses.iter().position(|address| *address == transmit.to);
                let bytes = transmit.bytes.to_vec();
                if let Some(to) = to {
                    self.monitor.sent(self.now, &bytes);
                    self.launch(node, to, bytes);
                } else {
                    self.monitor.fault();
                }
            }
            while !self.asleep[node]
                && let Some(event) = self.nodes[node].poll_event()
            {
                match event {
                    Event::Block { peer, priority, block } => {
                        self.observed[node].blocks.push((peer, priority, block))
                    }
                    other => self.observed[node].others.push(other),
                }
            }
        }
        self.monitor.settled(self.now);
        let timeouts = self.nodes.iter().filter_map(Endpoint::poll_timeout);
        let arrival = self.flying.first_key_value().map(|(key, _)| key.0);
        let Some(next) = timeouts.chain(arrival).min() else { return false };
        self.now = self.now.max(next);
        while let Some(entry) = self.flying.first_entry().filter(|entry| entry.key().0 <= self.now) {
            let (from, to, bytes) = entry.remove();
            let marked = self.random.below(1_000) < self.marks;
            // Without protection a packet from a new address counts for nothing.
            if self.addresses[from] == address(from) {
                self.monitor.arrives(self.now, (from, to), &bytes, marked);
            } else {
                self.monitor.fault();
            }
            self.nodes[to].input_marked(self.now, self.addresses[from], &bytes, marked);
        }
        true
    }

    /// Runs until the condition holds, for at most `limit`. Returns whether it holds.
    pub fn run(&mut self, limit: Duration, mut until: impl FnMut(&mut Self) -> bool) -> bool {
        let end = self.now + limit;
        let mut steps = 0;
        loop {
            if until(self) {
                return true;
            }
            steps += 1;
            assert!(steps < 30_000_000, "time stands still at {:?}", self.now);
            if !self.step() || self.now > end {
                return until(self);
            }
        }
    }
}
