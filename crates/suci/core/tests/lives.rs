//! Ends, repetitions and successors of connections, on a network without delay.

use std::net::SocketAddr;
use std::time::Duration;

use suci::{
    Config, ConnectError, Dropped, Endpoint, Event, Instant, Peer, Rules, SecretKey, Security, SendError,
};

use crate::network::{address, seed};

/// First bytes of an Initiate and of an Accept.
const INITIATE: u8 = 0x11;
const ACCEPT: u8 = 0x13;
const DATA: u8 = 0x14;

/// A datagram: sender, address of the receiver, bytes.
type Datagram = (usize, SocketAddr, Vec<u8>);

/// Endpoints, some of which may be cut off; two may have one address, of which one is cut off.
struct Hub {
    nodes: Vec<(SocketAddr, Endpoint, bool)>,
    now: Instant,
    /// All datagrams so far.
    seen: Vec<Datagram>,
    events: Vec<Vec<Event>>,
}

fn config(security: Security) -> Config {
    Config::new(Rules::MODERN, security)
}

impl Hub {
    fn new(configs: &[Config]) -> Self {
        let mut hub =
            Self { nodes: vec![], now: Instant::ZERO + Duration::from_secs(1), seen: vec![], events: vec![] };
        for (at, config) in configs.iter().enumerate() {
            hub.add(address(at), config.clone());
        }
        hub
    }

    fn trusted(nodes: usize) -> Self {
        Self::new(&vec![config(Security::Trusted); nodes])
    }

    fn add(&mut self, at: SocketAddr, config: Config) -> usize {
        let node = Endpoint::new(config, seed(40 + self.nodes.len() as u64)).expect("it is valid");
        self.nodes.push((at, node, true));
        self.events.push(Vec::new());
        self.nodes.len() - 1
    }

    fn node(&mut self, at: usize) -> &mut Endpoint {
        &mut self.nodes[at].1
    }

    fn connect(&mut self, from: usize, to: SocketAddr) -> Result<Peer, ConnectError> {
        let now = self.now;
        self.node(from).connect(now, to)
    }

    /// Datagrams that a node sends now.
    fn sends(&mut self, at: usize) -> Vec<Datagram> {
        let now = self.now;
        let mut sent = Vec::new();
        while let Some(transmit) = self.node(at).poll_transmit(now) {
            sent.push((at, transmit.to, transmit.bytes.to_vec()));
        }
        sent
    }

    fn input(&mut self, to: usize, from: SocketAddr, bytes: &[u8]) {
        let now = self.now;
        self.node(to).input(now, from, bytes);
    }

    fn drain(&mut self) {
        for at in 0..self.nodes.len() {
            while let Some(event) = self.node(at).poll_event() {
                self.events[at].push(event);
            }
        }
    }

    /// Delivers all datagrams until none leaves.
    fn settle(&mut self) {
        for _ in 0..200 {
            let mut sent = Vec::new();
            for at in 0..self.nodes.len() {
                let datagrams = self.sends(at);
                sent.extend(datagrams.into_iter().filter(|_| self.nodes[at].2));
            }
            for (from, to, bytes) in &sent {
                let source = self.nodes[*from].0;
                let receiver = self.nodes.iter().position(|(at, _, on)| at == to && *on);
                if let Some(receiver) = receiver {
                    self.input(receiver, source, bytes);
                }
            }
            self.drain();
            if sent.is_empty() {
                return;
            }
            self.seen.extend(sent);
        }
        panic!("datagrams answer each other without end");
    }

    /// Time passes, in steps of a millisecond.
    fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            let next = self.nodes.iter().filter_map(|(_, node, _)| node.poll_timeout()).min();
            self.now = next.unwrap_or(end).max(self.now + Duration::from_millis(1)).min(end);
            self.settle();
        }
    }

    fn dropped(&self, at: usize, why: Dropped) -> u64 {
        self.nodes[at].1.counters().dropped(why)
    }

    /// The blocks of a node, with their senders.
    fn blocks(&self, at: usize) -> Vec<(Peer, Vec<u8>)> {
        let blocks = self.events[at].iter().filter_map(|event| match event {
            Event::Block { peer, block, .. } => Some((*peer, block.clone())),
            _ => None,
        });
        blocks.collect()
    }

    /// Nodes 0 and 1 are connected and quiet; the name of each for the other.
    fn pair(&mut self) -> (Peer, Peer) {
        let to = self.nodes[1].0;
        let there = self.connect(0, to).expect("it may be called");
        self.node(0).send(there, 0, b"hello").expect("it waits for the answer");
        self.settle();
        self.wait(Duration::from_millis(5));
        let back = self.blocks(1).last().expect("it has come").0;
        (there, back)
    }
}

#[test]
fn datagram_for_a_closed_connection_is_stale() {
    let mut hub = Hub::trusted(2);
    let (there, _) = hub.pair();
    let old =
        hub.seen.iter().rfind(|(from, _, bytes)| *from == 0 && bytes[0] == DATA).expect("data").2.clone();
    let back =
        hub.seen.iter().rfind(|(from, _, bytes)| *from == 1 && bytes[0] == DATA).expect("data").2.clone();
    hub.node(0).close(there);
    hub.settle();
    for (node, from, bytes) in [(1, address(0), old), (0, address(1), back)] {
        assert_eq!(hub.dropped(node, Dropped::Stale), 0);
        hub.input(node, from, &bytes);
        assert_eq!(hub.dropped(node, Dropped::Stale), 1, "node {node}");
        // A new connection has the same slot, and its own ID.
        let to = address(1 - node);
        hub.connect(node, to).expect("it may be called again");
        hub.input(node, from, &bytes);
        assert_eq!(hub.dropped(node, Dropped::Stale), 2, "node {node}");
    }
}

#[test]
fn handle_of_a_closed_connection_names_no_other_one() {
    let mut hub = Hub::trusted(3);
    let (there, back) = hub.pair();
    hub.node(0).close(there);
    hub.settle();
    for (node, old, to) in [(0, there, address(2)), (1, back, address(2))] {
        assert_eq!(hub.node(node).flow(old), None);
        let new = hub.connect(node, to).expect("it may be called");
        assert_ne!(new, old);
        assert_eq!(hub.node(node).flow(old), None, "node {node}");
        assert_eq!(hub.node(node).send(old, 0, b"x"), Err(SendError::Closed), "node {node}");
        hub.node(node).close(old);
        assert!(hub.node(node).flow(new).is_some(), "node {node}");
    }
}

#[test]
fn closed_connection_leaves_neither_permit_nor_timer() {
    let mut hub = Hub::trusted(2);
    let there = hub.connect(0, address(1)).expect("it may be called");
    hub.node(0).send(there, 0, &[1; 100_000]).expect("it waits for the answer");
    hub.settle();
    assert!(hub.node(1).permitted() > 0, "the permit lives for milliseconds");
    hub.node(0).close(there);
    hub.settle();
    assert_eq!(hub.node(1).permitted(), 0);
    for node in [0, 1] {
        assert_eq!(hub.node(node).poll_timeout(), None, "node {node}");
    }
}

#[test]
fn call_that_is_given_up_leaves_the_open_connection() {
    let mut hub = Hub::trusted(2);
    let (_, back) = hub.pair();
    // Another program calls from the address of node 0, and gets no answer.
    let other = hub.add(address(0), config(Security::Trusted));
    hub.nodes[0].2 = false;
    hub.connect(other, address(1)).expect("it may call");
    for _ in 0..2 {
        for (_, _, bytes) in hub.sends(other) {
            hub.input(1, address(0), &bytes);
        }
        for (_, _, bytes) in hub.sends(1) {
            if bytes[0] != ACCEPT {
                hub.input(other, address(0), &bytes);
                hub.input(other, address(1), &bytes);
            }
        }
    }
    let accepts = hub.sends(other).len();
    assert!(accepts <= 1, "it has its cookie");
    (hub.nodes[0].2, hub.nodes[other].2) = (true, false);
    hub.wait(Duration::from_secs(32));
    assert_eq!(hub.connect(1, address(0)), Ok(back), "it is open all the time");
    assert!(hub.node(1).flow(back).is_some());
}

#[test]
fn call_that_comes_again_changes_nothing() {
    let mut hub = Hub::trusted(2);
    let (_, back) = hub.pair();
    let is_call = |(from, _, bytes): &&Datagram| *from == 0 && bytes[0] == INITIATE;
    let call = hub.seen.iter().rfind(is_call).expect("it has called").2.clone();
    let before = hub.dropped(1, Dropped::Repeated);
    hub.input(1, address(0), &call);
    assert_eq!(hub.dropped(1, Dropped::Repeated), before + 1);
    assert!(hub.sends(1).iter().all(|(_, _, bytes)| bytes[0] != ACCEPT));
    assert_eq!(hub.connect(1, address(0)), Ok(back));
}

#[test]
fn of_two_calls_at_once_that_with_the_lower_id_is_accepted() {
    let mut lower = [0; 2];
    for extra in 0..8 {
        let mut hub = Hub::new(&[]);
        for at in 0..2 {
            let node = Endpoint::new(config(Security::Trusted), seed(100 * extra + at)).expect("it is valid");
            hub.nodes.push((address(at as usize), node, true));
            hub.events.push(Vec::new());
        }
        let peers = [0, 1].map(|at| hub.connect(at, address(1 - at)).expect("it may be called"));
        for at in [0, 1] {
            hub.node(at).send(peers[at], 0, &[at as u8]).expect("it waits");
        }
        hub.settle();
        hub.wait(Duration::from_millis(5));
        let id = |at: usize| {
            let call = hub.seen.iter().find(|(from, _, bytes)| *from == at && bytes[0] == INITIATE);
            call.expect("both call").2[1..9].to_vec()
        };
        let caller = usize::from(id(1) < id(0));
        lower[caller] += 1;
        let accepts: Vec<_> =
            hub.seen.iter().filter(|(_, _, bytes)| bytes[0] == ACCEPT).map(|(from, ..)| *from).collect();
        assert_eq!(accepts, [1 - caller], "the one that was called accepts, once");
        for at in [0, 1] {
            let blocks = hub.blocks(at);
            assert_eq!(blocks.len(), 1, "node {at}");
            assert_eq!(blocks[0], (peers[at], vec![1 - at as u8]), "the handle of the call stays");
        }
    }
    assert!(lower[0] > 0 && lower[1] > 0, "{lower:?}");
}

fn secret(node: usize) -> SecretKey {
    SecretKey::from_bytes(core::array::from_fn(|at| (at + 1 + node * 7) as u8))
}

/// A configuration with this key that any of three keys may call.
fn pinned(own: usize, per_key: usize) -> Config {
    let peers = (0..3).map(|node| secret(node).public()).collect();
    Config { per_key, ..config(Security::Pinned { own: secret(own), peers }) }
}

#[test]
fn blocks_go_to_the_key_that_was_called() {
    let mut hub = Hub::new(&[pinned(0, 4), pinned(1, 4)]);
    let now = hub.now;
    // Node 0 calls key 2 at the address of node 1, which has key 1 and calls at the same time. The IDs of both
    // orders are tried.
    let wrong = hub.node(0).connect_to(now, address(1), secret(2).public()).expect("it may call");
    assert_eq!(hub.node(0).connect_to(now, address(1), secret(1).public()), Err(ConnectError::OtherKey));
    hub.node(0).send(wrong, 0, b"for key 2").expect("it waits");
    let right = hub.node(1).connect_to(now, address(0), secret(0).public()).expect("it may call");
    hub.node(1).send(right, 0, b"for key 0").expect("it waits");
    hub.settle();
    hub.wait(Duration::from_millis(500));
    assert!(hub.blocks(1).iter().all(|(_, block)| block != b"for key 2"), "{:?}", hub.events);
}

#[test]
fn key_has_as_many_connections_as_it_may_and_the_oldest_ends() {
    for per_key in [1, 2, 3] {
        let mut hub = Hub::new(&[pinned(0, per_key)]);
        let mut first = Vec::new();
        for caller in 0..4 {
            let at = hub.add(address(10 + caller), pinned(1, 4));
            let now = hub.now;
            let peer = hub.node(at).connect_to(now, address(0), secret(0).public()).expect("it may call");
            hub.node(at).send(peer, 0, &[caller as u8]).expect("it waits");
            hub.settle();
            hub.wait(Duration::from_millis(2));
            first.push(hub.blocks(0).last().expect("it has come").0);
            let open: Vec<bool> = first.iter().map(|peer| hub.nodes[0].1.flow(*peer).is_some()).collect();
            let ended = (caller + 1usize).saturating_sub(per_key);
            let expected: Vec<bool> = (0..=caller).map(|at| at >= ended).collect();
            assert_eq!(open, expected, "{per_key} of a key, {caller}");
        }
    }
}

#[test]
fn moved_peer_is_found_by_its_new_address_alone() {
    let mut hub = Hub::new(&vec![config(Security::SharedKey([7; 32])); 2]);
    let (there, back) = hub.pair();
    let new = address(77);
    hub.nodes[0].0 = new;
    hub.node(0).send(there, 0, b"from elsewhere").expect("it is open");
    hub.settle();
    hub.wait(Duration::from_millis(5));
    assert!(hub.events[1].iter().any(|event| matches!(event, Event::Moved { .. })));
    assert_eq!(hub.connect(1, new), Ok(back));
    let other = hub.connect(1, address(0)).expect("it may be called");
    assert_ne!(other, back, "nobody is at the old address");
}

#[test]
fn datagram_of_the_largest_length_is_read_and_no_longer_one() {
    let mut hub = Hub::trusted(1);
    let most = hub.node(0).config().largest_datagram;
    hub.input(0, address(1), &vec![0; most]);
    assert_eq!((hub.dropped(0, Dropped::Length), hub.dropped(0, Dropped::Kind)), (0, 1));
    hub.input(0, address(1), &vec![0; most + 1]);
    assert_eq!((hub.dropped(0, Dropped::Length), hub.dropped(0, Dropped::Kind)), (1, 1));
}

#[test]
fn data_open_no_call_that_was_not_accepted() {
    let mut hub = Hub::trusted(1);
    let peer = hub.connect(0, address(1)).expect("it may call");
    let call = hub.sends(0).remove(0).2;
    let mut forged = vec![DATA];
    forged.extend(&call[1..9]);
    // Number 0, a time, and a Ping.
    forged.extend([0; 12]);
    forged.push(1);
    hub.input(0, address(1), &forged);
    hub.drain();
    assert_eq!(hub.dropped(0, Dropped::Stale), 1);
    assert!(hub.events[0].is_empty() && hub.node(0).flow(peer).is_some());
}

#[test]
fn acknowledgement_before_its_turn_saves_a_probe() {
    // Node 0 has sent a block to both others; their acknowledgements are late, and two probes are due at once.
    let mut hub = Hub::trusted(3);
    let peers = [1, 2].map(|to| hub.connect(0, address(to)).expect("it may be called"));
    for peer in peers {
        hub.node(0).send(peer, 0, b"hello").expect("it waits");
    }
    hub.settle();
    hub.wait(Duration::from_millis(5));
    let mut late = Vec::new();
    for (peer, to) in peers.into_iter().zip([1, 2]) {
        hub.node(0).send(peer, 0, b"block").expect("it is open");
        for (_, _, bytes) in hub.sends(0) {
            hub.input(to, address(0), &bytes);
        }
    }
    // The acknowledgements leave when their delay is over, and are held back.
    hub.now = hub.now + Duration::from_millis(1);
    for to in [1, 2] {
        late.extend(hub.sends(to));
    }
    assert_eq!(late.len(), 2, "an acknowledgement of each");
    hub.now = hub.now + Duration::from_secs(1);
    let now = hub.now;
    let first = hub.node(0).poll_transmit(now).map(|transmit| transmit.to).expect("a probe");
    let (other, _, bytes) =
        late.iter().find(|(from, ..)| address(*from) != first).cloned().expect("that of the other node");
    hub.input(0, address(other), &bytes);
    let rest: Vec<_> = hub.sends(0).into_iter().filter(|(_, to, _)| *to == address(other)).collect();
    assert!(rest.is_empty(), "{rest:?}");
}
