//! Packets are sent and received without allocating memory; a block that arrives is memory that the application gets.

use std::net::SocketAddr;
use std::time::Duration;

use suci::{Config, Endpoint, Event, Instant, Peer, Rules, Security};

struct Pair {
    nodes: [Endpoint; 2],
    addresses: [SocketAddr; 2],
    now: Instant,
}

impl Pair {
    /// Sends blocks of this length from the first node to the second; returns how many datagrams that took.
    fn carry(&mut self, peer: Peer, block: &[u8], count: usize) -> u64 {
        let before = self.nodes[0].counters().sent;
        let (mut queued, mut arrived) = (0, 0);
        while arrived < count {
            while queued < count && self.nodes[0].send(peer, 0, block).is_ok() {
                queued += 1;
            }
            for from in 0..2 {
                let [first, second] = &mut self.nodes;
                let (sender, receiver) = if from == 0 { (first, second) } else { (second, first) };
                while let Some(transmit) = sender.poll_transmit(self.now) {
                    receiver.input(self.now, self.addresses[from], transmit.bytes);
                }
            }
            while let Some(event) = self.nodes[1].poll_event() {
                arrived += usize::from(matches!(event, Event::Block { .. }));
            }
            while self.nodes[0].poll_event().is_some() {}
            self.now = self.now + Duration::from_micros(20);
        }
        self.nodes[0].counters().sent - before
    }
}

#[test]
fn a_block_is_allocated_where_it_arrives_and_a_packet_nowhere() {
    for security in [Security::Trusted, Security::SharedKey([3; 32])] {
        count(Config::new(Rules::MODERN, security));
    }
}

fn count(config: Config) {
    let addresses = ["10.0.0.1:7".parse().unwrap(), "10.0.0.2:7".parse().unwrap()];
    let nodes = [1, 2].map(|seed| Endpoint::new(config.clone(), [seed; 32]).unwrap());
    let mut pair = Pair { nodes, addresses, now: Instant::ZERO };
    let peer = pair.nodes[0].connect(pair.now, addresses[1]).unwrap();
    let block = vec![7; 100_000];
    pair.carry(peer, &block, 20);
    let mut packets = 0;
    let counted = allocation_counter::measure(|| packets = pair.carry(peer, &block, 10));
    assert!(packets >= 10 * 88, "{packets}");
    // The bytes of each block, and which of its parts have come.
    assert!(counted.count_total <= 2 * 10, "{} allocations for {packets} packets", counted.count_total);
}
