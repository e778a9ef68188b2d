//! Packets are sent and received without memory allocation; a received block is allocated once for the
//! application. An idle peer needs little memory.

use std::net::SocketAddr;
use std::time::Duration;

use suci::{Config, Endpoint, Event, Instant, Peer, Rules, Security};

struct Pair {
    nodes: [Endpoint; 2],
    addresses: [SocketAddr; 2],
    now: Instant,
}

impl Pair {
    /// Sends `count` blocks from the first node to the second and returns the number of datagrams sent.
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
fn blocks_are_allocated_on_arrival_and_packets_never() {
    for security in [Security::Trusted, Security::SharedKey([3; 32])] {
        // With datagrams of one size their number is known.
        count(Config { largest_datagram: 0, ..Config::new(Rules::MODERN, security) });
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
    // The bytes of each block and the flags of its parts.
    assert!(counted.count_total <= 2 * 10, "{} allocations for {packets} packets", counted.count_total);
}

/// 64 MB for 10,000 peers, as the example `peers` shows on a real socket.
const MOST_OF_ONE: i64 = 6_400;

#[test]
fn idle_peer_needs_a_few_kilobytes_after_any_traffic() {
    const PEERS: u16 = 300;
    let config = Config { peers: PEERS.into(), ..Config::new(Rules::MODERN, Security::SharedKey([3; 32])) };
    let here: SocketAddr = "10.0.0.1:7".parse().unwrap();
    let block = vec![7; 50_000];
    let mut server = Endpoint::new(config.clone(), [1; 32]).unwrap();
    // The callers are dropped, so only the server's memory remains.
    let counted = allocation_counter::measure(|| {
        let mut now = Instant::ZERO;
        for number in 0..PEERS {
            let there = SocketAddr::from(([10, 0, 1, 0], 1 + number));
            let mut seed = [9; 32];
            seed[..2].copy_from_slice(&number.to_be_bytes());
            let mut caller = Endpoint::new(config.clone(), seed).unwrap();
            let peer = caller.connect(now, here).unwrap();
            caller.send(peer, 0, &block).unwrap();
            let (mut back, mut rounds_after) = (false, 0);
            // Leaves time for the delayed acknowledgement of the last block.
            while rounds_after < 50 {
                rounds_after += u32::from(back);
                while let Some(transmit) = caller.poll_transmit(now) {
                    server.input(now, there, transmit.bytes);
                }
                while let Some(event) = server.poll_event() {
                    if let Event::Block { peer, block, .. } = event {
                        server.send(peer, 0, &block).unwrap();
                    }
                }
                while let Some(transmit) = server.poll_transmit(now) {
                    caller.input(now, here, transmit.bytes);
                }
                while let Some(event) = caller.poll_event() {
                    back |= matches!(event, Event::Block { .. });
                }
                now = now + Duration::from_micros(20);
            }
        }
        now = now + config.keep_alive;
        while server.poll_transmit(now).is_some() {}
    });
    let of_one = counted.bytes_current / i64::from(PEERS);
    println!("{of_one} bytes for a peer");
    assert!(of_one > 500, "{of_one}: they are still there");
    assert!(of_one <= MOST_OF_ONE, "{of_one} bytes for a peer");
}
