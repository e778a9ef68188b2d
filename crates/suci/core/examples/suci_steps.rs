//! Blocks of 4 bytes back and forth between two endpoints, in which the instructions of the protocol's calls are
//! counted. Each kind of call is a function of its own, which a profiler can find.
//!
//!     suci_steps modern|paper BLOCKS

use std::net::SocketAddr;
use std::time::Duration;

use suci::{Config, Endpoint, Event, Instant, Peer, Rules, Security};

/// Time on the wire, and between two calls.
const LATENCY: Duration = Duration::from_micros(100);
/// Blocks that set up what the others use.
const FIRST: usize = 4;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let rules = match words.first().map(String::as_str) {
        Some("modern") => Some(Rules::MODERN),
        Some("paper") => Some(Rules::REPAIRED),
        _ => None,
    };
    let (Some(rules), Some(Ok(blocks))) = (rules, words.get(1).map(|word| word.parse::<usize>())) else {
        eprintln!("usage: suci_steps modern|paper BLOCKS");
        std::process::exit(2);
    };
    let mut pair = Pair::new(rules);
    for number in 0..FIRST + blocks {
        pair.carry(number % 2);
    }
    println!("{} datagrams for {} blocks", pair.datagrams, FIRST + blocks);
}

/// Two endpoints on a wire that loses nothing.
struct Pair {
    nodes: [Endpoint; 2],
    /// The peer of each.
    peers: [Option<Peer>; 2],
    addresses: [SocketAddr; 2],
    now: Instant,
    datagrams: u64,
}

impl Pair {
    fn new(rules: Rules) -> Pair {
        let addresses = [1, 2].map(|host| SocketAddr::from(([10, 0, 0, host], 7)));
        let mut nodes = [0, 1].map(|id: usize| {
            let mut config = Config::new(rules, Security::Trusted);
            config.id = id as u16;
            config.largest_datagram = 0;
            config.database = vec![(addresses[1 - id], 1 - id as u16)];
            Endpoint::new(config, [id as u8 + 1; 32]).expect("the configuration is valid")
        });
        let first = nodes[0].connect(Instant::ZERO, addresses[1]).expect("there is room for a peer");
        let second = match rules {
            // The second endpoint is told of its peer when the first one calls.
            Rules::Modern => None,
            Rules::Paper(_) => nodes[1].connect(Instant::ZERO, addresses[0]).ok(),
        };
        Pair { nodes, peers: [Some(first), second], addresses, now: Instant::ZERO, datagrams: 0 }
    }

    /// Sends a block and runs until it has arrived and is acknowledged.
    fn carry(&mut self, from: usize) {
        let peer = self.peers[from].expect("the peers know each other");
        send(&mut self.nodes[from], peer);
        let mut has_arrived = false;
        while !has_arrived || self.nodes[from].flow(peer).is_some_and(|flow| flow.queued_blocks > 0) {
            for at in [from, 1 - from] {
                while let Some(datagram) = transmit(&mut self.nodes[at], self.now) {
                    self.datagrams += 1;
                    input(&mut self.nodes[1 - at], self.now, self.addresses[at], &datagram);
                }
                while let Some(event) = take(&mut self.nodes[1 - at]) {
                    match event {
                        Event::Connected { peer, .. } => self.peers[1 - at] = Some(peer),
                        Event::Block { .. } => has_arrived = true,
                        _ => {}
                    }
                }
            }
            self.now = self.now + LATENCY;
        }
    }
}

#[inline(never)]
fn send(endpoint: &mut Endpoint, peer: Peer) {
    endpoint.send(peer, 0, &[1; 4]).expect("the queue has room");
}

#[inline(never)]
fn transmit(endpoint: &mut Endpoint, now: Instant) -> Option<Vec<u8>> {
    endpoint.poll_transmit(now).map(|transmit| transmit.bytes.to_vec())
}

#[inline(never)]
fn input(endpoint: &mut Endpoint, now: Instant, from: SocketAddr, datagram: &[u8]) {
    endpoint.input(now, from, datagram);
}

#[inline(never)]
fn take(endpoint: &mut Endpoint) -> Option<Event> {
    endpoint.poll_event()
}
