use std::time::Duration;

use suci::{Config, Rules, Security};

use crate::modern::{block, connected};
use crate::network::{Faults, Network};

const SECOND: Duration = Duration::from_secs(1);

fn config() -> Config {
    Config::new(Rules::MODERN, Security::Trusted)
}

/// Sends blocks of 200,000 bytes until `blocks` have arrived.
fn carries(network: &mut Network, peer: suci::Peer, blocks: usize) {
    let goal = network.observed[1].blocks.len() + blocks;
    let mut queued = 0;
    assert!(network.run(SECOND * 60, |network| {
        while queued < blocks && network.nodes[0].send(peer, 0, &block(0, queued, 200_000)).is_ok() {
            queued += 1;
        }
        network.observed[1].blocks.len() == goal
    }));
}

#[test]
fn path_mtu_is_found() {
    for (widest, found) in [(1_200, 1_200), (1_472, 1_472), (9_000, 8_972), (65_507, 8_972)] {
        let mut network = Network::new(2, &config(), 1, Faults::default());
        network.widest = widest;
        let (peer, _) = connected(&mut network, 0, 1);
        carries(&mut network, peer, 10);
        assert_eq!(network.nodes[0].flow(peer).unwrap().datagram, found);
        assert!(network.seen.iter().all(|(_, _, bytes)| bytes.len() <= widest));
        assert_eq!(network.nodes[0].counters().lost, 0, "what was too large says nothing of congestion");
    }
}

#[test]
fn path_with_a_shrinking_mtu_recovers() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    let (peer, _) = connected(&mut network, 0, 1);
    carries(&mut network, peer, 10);
    assert_eq!(network.nodes[0].flow(peer).unwrap().datagram, 8_972);
    network.widest = 1_300;
    carries(&mut network, peer, 10);
    assert_eq!(network.nodes[0].flow(peer).unwrap().datagram, 1_200);
}

#[test]
fn congestion_marks_slow_the_sender_without_loss() {
    let rest = |marks: u64| {
        let mut network = Network::new(2, &config(), 1, Faults::default());
        network.marks = marks;
        let (peer, _) = connected(&mut network, 0, 1);
        carries(&mut network, peer, 10);
        let counters = network.nodes[0].counters();
        assert_eq!((counters.lost, counters.timeouts), (0, 0));
        assert_eq!(network.nodes[1].counters().marked > 0, marks > 0);
        network.nodes[0].flow(peer).unwrap().window
    };
    assert!(rest(20) < rest(0) / 2);
}
