use std::time::Duration;

use proptest::prelude::*;
use suci::{Config, Event, Peer, Reason, Rules, Security, SendError};

use crate::network::{Faults, Network, Random, address};

const SECOND: Duration = Duration::from_secs(1);

fn config() -> Config {
    Config::new(Rules::MODERN, Security::Trusted)
}

fn sealed(key: u8) -> Config {
    Config::new(Rules::MODERN, Security::SharedKey([key; 32]))
}

/// Datagrams of one size, so that their number is known.
fn of_one_size() -> Config {
    Config { largest_datagram: 0, ..config() }
}

/// A block with contents derived from sender, number and length.
pub fn block(sender: usize, number: usize, length: usize) -> Vec<u8> {
    (0..length.max(1)).map(|at| (sender * 101 + number * 7 + at) as u8).collect()
}

/// Sends blocks of random lengths and priorities both ways between two nodes and checks all received blocks.
pub fn exchange(config: &Config, seed: u64, faults: Faults, blocks: usize, longest: u64) {
    let mut network = Network::new(2, config, seed, faults);
    let peers = [network.connect(0, 1), network.connect(1, 0)];
    let mut random = Random(seed ^ 1);
    let plan: [Vec<(u8, Vec<u8>)>; 2] = [0, 1].map(|node| {
        let one = |number| (random.below(3) as u8, block(node, number, random.below(longest) as usize));
        (0..blocks).map(one).collect()
    });
    let mut queued = [0, 0];
    let done = network.run(600 * SECOND, |network| {
        for node in 0..2 {
            while let Some((priority, block)) = plan[node].get(queued[node]) {
                match network.nodes[node].send(peers[node], *priority, block) {
                    Ok(()) => queued[node] += 1,
                    Err(SendError::Full { .. }) => break,
                    Err(error) => panic!("{error}"),
                }
            }
        }
        let all_acknowledged = (0..2)
            .all(|node| network.nodes[node].flow(peers[node]).is_some_and(|flow| flow.queued_blocks == 0));
        queued == [blocks; 2]
            && all_acknowledged
            && network.observed.iter().all(|observed| observed.blocks.len() >= blocks)
    });
    let counters: Vec<_> = network.nodes.iter().map(|node| node.counters()).collect();
    assert!(done, "seed {seed}: {:?} of {blocks}: {counters:?}", network.observed.each());
    // No block arrives after the last one.
    network.run(SECOND, |_| false);
    for node in 0..2 {
        for priority in 0..3 {
            let arrived = network.observed[node]
                .blocks
                .iter()
                .filter(|(_, at, _)| *at == priority)
                .map(|(_, _, block)| block);
            let sent = plan[1 - node].iter().filter(|(at, _)| *at == priority).map(|(_, block)| block);
            assert!(arrived.eq(sent), "seed {seed}: node {node}, priority {priority}");
        }
    }
}

trait Each {
    fn each(&self) -> Vec<usize>;
}

impl Each for Vec<crate::network::Observed> {
    fn each(&self) -> Vec<usize> {
        self.iter().map(|observed| observed.blocks.len()).collect()
    }
}

pub fn connected(network: &mut Network, from: usize, to: usize) -> (Peer, Peer) {
    let peer = network.connect(from, to);
    let connected = |network: &Network, node: usize| {
        network.observed[node].others.iter().rev().find_map(|event| match event {
            Event::Connected { peer, .. } => Some(*peer),
            _ => None,
        })
    };
    assert!(network.run(SECOND * 5, |network| connected(network, from) == Some(peer)
        && connected(network, to).is_some()));
    (peer, connected(network, to).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn blocks_arrive_once_in_order_and_whole(
        seed in any::<u64>(), loss in 0u64..200, duplicate in 0u64..200, late in 0u64..2_000,
    ) {
        exchange(&config(), seed, Faults { loss, duplicate, late }, 40, 8_000);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn sealed_blocks_arrive_once_in_order_and_whole(
        seed in any::<u64>(), loss in 0u64..200, duplicate in 0u64..200, late in 0u64..2_000,
    ) {
        exchange(&sealed(1), seed, Faults { loss, duplicate, late }, 10, 8_000);
    }
}

#[test]
fn blocks_arrive_when_half_of_all_datagrams_are_lost() {
    exchange(&config(), 1, Faults { loss: 500, duplicate: 100, late: 500 }, 15, 5_000);
}

#[test]
fn simultaneous_calls_connect_despite_losses() {
    for seed in 0..200 {
        exchange(&config(), seed, Faults { loss: 300, ..Faults::default() }, 1, 100);
    }
}

#[test]
fn nothing_is_retransmitted_on_a_fault_free_network() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    let (peer, _) = connected(&mut network, 0, 1);
    for number in 0..4 {
        network.nodes[0].send(peer, 0, &block(0, number, 200_000)).unwrap();
    }
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 4));
    let counters = network.nodes[0].counters();
    assert_eq!((counters.lost, counters.timeouts, network.nodes[1].counters().all_dropped()), (0, 0, 0));
}

#[test]
fn small_blocks_share_datagrams() {
    let mut network = Network::new(2, &of_one_size(), 1, Faults::default());
    let (peer, _) = connected(&mut network, 0, 1);
    let before = network.nodes[0].counters().sent;
    for number in 0..100 {
        network.nodes[0].send(peer, 0, &block(0, number, 16)).unwrap();
    }
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 100));
    assert_eq!(
        network.nodes[0].counters().sent - before,
        4,
        "100 blocks of 16 + 20 bytes in datagrams of 1,200"
    );
}

#[test]
fn urgent_block_overtakes_a_long_one() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    let (peer, _) = connected(&mut network, 0, 1);
    network.nodes[0].send(peer, 5, &block(0, 0, 250_000)).unwrap();
    network.run(Duration::from_micros(250), |_| false);
    network.nodes[0].send(peer, 1, &block(0, 1, 10)).unwrap();
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 2));
    assert_eq!(network.observed[1].blocks[0].1, 1);
}

#[test]
fn single_lost_block_is_retransmitted_within_a_few_round_trips() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    let (peer, _) = connected(&mut network, 0, 1);
    let mut left = 1;
    network.drop = Box::new(move |from, _, _| {
        let lost = from == 0 && left > 0;
        left -= i32::from(lost);
        lost
    });
    let begin = network.now;
    network.nodes[0].send(peer, 0, b"alone").unwrap();
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 1));
    let took = network.now.since(begin);
    assert!(took < Duration::from_millis(2), "{took:?}, of which 0.2 ms are a round trip");
}

#[test]
fn sleeping_reader_blocks_the_sender_without_loss() {
    for loss in [0, 300] {
        let mut network = Network::new(2, &config(), 3, Faults { loss, ..Faults::default() });
        let (peer, _) = connected(&mut network, 0, 1);
        network.asleep[1] = true;
        let blocks: Vec<_> = (0..60).map(|number| block(0, number, 100_000)).collect();
        let mut sent = 0;
        let mut fill = |network: &mut Network| {
            while sent < 60 && network.nodes[0].send(peer, 0, &blocks[sent]).is_ok() {
                sent += 1;
            }
            sent == 60
        };
        assert!(!network.run(SECOND * 20, &mut fill), "two windows are full");
        let sent_then = network.nodes[0].counters().sent;
        network.run(SECOND * 20, |_| false);
        assert!(
            network.nodes[0].counters().sent - sent_then < 200,
            "a full window is asked about now and then"
        );
        network.asleep[1] = false;
        assert!(network.run(SECOND * 60, |network| fill(network) & (network.observed[1].blocks.len() == 60)));
        assert!(network.observed[1].blocks.iter().map(|(_, _, block)| block).eq(&blocks));
    }
}

#[test]
fn restarted_peer_is_reported_and_its_blocks_arrive() {
    let mut network = Network::new(2, &config(), 5, Faults { loss: 100, duplicate: 100, late: 300 });
    let (peer, there) = connected(&mut network, 0, 1);
    for number in 0..20 {
        network.nodes[0].send(peer, 0, &block(0, number, 10_000)).unwrap();
    }
    network.run(Duration::from_millis(1), |_| false);
    network.restart(0, 99);
    network.observed[1].blocks.clear();
    network.observed[1].others.clear();
    let again = network.connect(0, 1);
    network.nodes[0].send(again, 0, b"first").unwrap();
    let closed = Event::Closed { peer: there, reason: Reason::Restarted };
    assert!(
        network.run(SECOND * 9, |network| network.observed[1]
            .blocks
            .iter()
            .any(|(_, _, block)| block == b"first"))
    );
    assert!(network.observed[1].others.contains(&closed));
    let of_the_new = |(from, _, block): &(Peer, u8, Vec<u8>)| *from == there || block == b"first";
    assert!(network.observed[1].blocks.iter().all(of_the_new));
}

#[test]
fn silent_peer_is_closed() {
    let mut network = Network::new(2, &config(), 5, Faults::default());
    let (peer, there) = connected(&mut network, 0, 1);
    network.nodes[0].send(peer, 0, b"never").unwrap();
    network.drop = Box::new(|_, _, _| true);
    let closed = |network: &Network, node: usize, peer: Peer| {
        network.observed[node].others.contains(&Event::Closed { peer, reason: Reason::Silent })
    };
    assert!(network.run(SECOND * 60, |network| closed(network, 0, peer) && closed(network, 1, there)));
    assert_eq!(network.nodes[0].send(peer, 0, b"x"), Err(SendError::Closed));
    assert_eq!(network.nodes[0].flow(peer), None);
}

#[test]
fn peer_that_never_answers_is_closed() {
    let mut network = Network::new(2, &config(), 5, Faults::default());
    network.drop = Box::new(|_, _, _| true);
    let peer = network.connect(0, 1);
    let closed = Event::Closed { peer, reason: Reason::Silent };
    assert!(network.run(SECOND * 60, |network| network.observed[0].others.contains(&closed)));
}

#[test]
fn close_is_reported_to_the_other_side() {
    let mut network = Network::new(2, &config(), 5, Faults::default());
    let (peer, there) = connected(&mut network, 0, 1);
    network.nodes[0].close(peer);
    let closed = Event::Closed { peer: there, reason: Reason::There };
    assert!(network.run(SECOND, |network| network.observed[1].others.contains(&closed)));
    assert_eq!(network.observed[0].others.last(), Some(&Event::Closed { peer, reason: Reason::Here }));
}

#[test]
fn idle_connection_stays_open() {
    let mut network = Network::new(2, &config(), 5, Faults::default());
    let (peer, _) = connected(&mut network, 0, 1);
    network.run(SECOND * 300, |_| false);
    network.nodes[0].send(peer, 0, b"still there").unwrap();
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 1));
}

#[test]
fn oversized_block_is_refused_before_and_after_the_answer() {
    let small = Config { largest_block: 1_000, ..config() };
    let mut network = Network::new(2, &small, 5, Faults::default());
    network.nodes[0] = suci::Endpoint::new(config(), [1; 32]).unwrap();
    let peer = network.connect(0, 1);
    network.nodes[0].send(peer, 0, &[1; 1_001]).unwrap();
    network.nodes[0].send(peer, 0, &[2; 1_000]).unwrap();
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 1));
    assert_eq!(network.observed[1].blocks[0].2, [2; 1_000]);
    assert!(network.observed[0].others.contains(&Event::Refused { peer, length: 1_001, limit: 1_000 }));
    let again = network.nodes[0].send(peer, 0, &[1; 1_001]);
    assert_eq!(again, Err(SendError::TooLarge { length: 1_001, limit: 1_000 }));
    assert_eq!(network.nodes[0].send(peer, 0, &[]), Err(SendError::Empty));
    assert_eq!(network.nodes[0].send(peer, 8, &[1]), Err(SendError::Priority));
}

#[test]
fn many_senders_stay_within_the_budget_and_all_blocks_arrive() {
    let mut network = Network::new(41, &config(), 7, Faults::default());
    let peers: Vec<_> = (1..41).map(|sender| network.connect(sender, 0)).collect();
    for (sender, peer) in (1..).zip(&peers) {
        network.nodes[sender].send(*peer, 0, &block(sender, 0, 64 << 10)).unwrap();
    }
    let (budget, unscheduled) = (config().budget, config().unscheduled);
    let done = network.run(SECOND * 20, |network| {
        assert!(network.nodes[0].permitted() <= budget);
        let flows = (1..).zip(&peers).map(|(sender, peer)| network.nodes[sender].flow(*peer).unwrap());
        let in_flight: usize = flows.map(|flow| flow.in_flight).sum();
        assert!(in_flight <= budget + 40 * unscheduled, "{in_flight} bytes on the way to one");
        network.observed[0].blocks.len() == 40
    });
    assert!(done);
    let all: std::collections::BTreeSet<_> =
        network.observed[0].blocks.iter().map(|(peer, _, _)| *peer).collect();
    assert_eq!(all.len(), 40);
}

#[test]
fn same_seed_gives_the_same_run() {
    let run = |seed| {
        let mut network = Network::new(2, &config(), seed, Faults { loss: 100, duplicate: 50, late: 500 });
        let peer = network.connect(0, 1);
        network.nodes[0].send(peer, 0, &block(0, 0, 200_000)).unwrap();
        assert!(network.run(SECOND * 60, |network| network.observed[1].blocks.len() == 1));
        (network.now, network.seen)
    };
    assert_eq!(run(4), run(4));
    assert_ne!(run(4), run(5));
}

#[test]
fn peers_beyond_the_limit_are_refused() {
    let mut network = Network::new(4, &Config { peers: 2, ..config() }, 7, Faults::default());
    network.connect(0, 1);
    network.connect(0, 2);
    assert!(network.nodes[0].connect(network.now, address(3)).is_err());
    network.connect(3, 0);
    network.run(SECOND, |_| false);
    assert!(network.nodes[0].counters().dropped(suci::Dropped::TooManyPeers) > 0);
}

#[test]
fn sealed_blocks_are_unreadable_in_transit() {
    let found = |config: &Config| {
        let mut network = Network::new(2, config, 1, Faults::default());
        let (peer, _) = connected(&mut network, 0, 1);
        network.nodes[0].send(peer, 0, b"a secret of sixteen").unwrap();
        assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 1));
        network.seen.iter().any(|(_, _, bytes)| bytes.windows(8).any(|window| window == b"a secret"))
    };
    assert!(found(&config()));
    assert!(!found(&sealed(1)));
}

#[test]
fn peer_with_another_key_is_ignored() {
    for (own, other) in [(sealed(1), sealed(2)), (sealed(1), config()), (config(), sealed(1))] {
        let mut network = Network::new(2, &own, 1, Faults::default());
        network.nodes[0] = suci::Endpoint::new(other, [9; 32]).unwrap();
        let peer = network.connect(0, 1);
        network.nodes[0].send(peer, 0, b"x").unwrap();
        let closed = Event::Closed { peer, reason: Reason::Silent };
        assert!(network.run(SECOND * 60, |network| network.observed[0].others.contains(&closed)));
        assert!(network.observed[1].others.is_empty() && network.observed[1].blocks.is_empty());
        assert!(network.nodes[1].counters().all_dropped() > 0);
    }
}

#[test]
fn rules_of_the_paper_with_a_key_are_refused() {
    let config = Config::new(Rules::PRINTED, Security::SharedKey([1; 32]));
    assert_eq!(suci::Endpoint::new(config, [1; 32]).err(), Some(suci::ConfigError::Unprotected));
}

#[test]
fn keys_are_not_printed() {
    assert!(!format!("{:?}", sealed(199)).contains("199"));
}

#[test]
fn invalid_configurations_are_refused() {
    use suci::ConfigError;
    let refused = |change: &dyn Fn(&mut Config)| {
        let mut config = config();
        change(&mut config);
        suci::Endpoint::new(config, [1; 32]).err()
    };
    assert_eq!(refused(&|_| ()), None);
    assert_eq!(refused(&|config| config.datagram = 599), Some(ConfigError::Datagram(599)));
    assert_eq!(refused(&|config| config.datagram = 65_508), Some(ConfigError::Datagram(65_508)));
    assert_eq!(refused(&|config| config.largest_block = 0), Some(ConfigError::LargestBlock(0)));
    assert_eq!(refused(&|config| config.window = 100_000), Some(ConfigError::LargestBlock(1 << 18)));
    assert_eq!(refused(&|config| config.initial_rtt = Duration::ZERO), Some(ConfigError::Time));
    assert_eq!(refused(&|config| config.ack_delay = Duration::MAX), Some(ConfigError::Time));
}

#[test]
fn shortest_configurable_times_do_not_stop_the_clock() {
    let least = Duration::from_nanos(1);
    let config = Config {
        initial_rtt: least,
        least_timeout: Duration::ZERO,
        ack_delay: Duration::ZERO,
        permit_life: least,
        ..config()
    };
    exchange(&config, 3, Faults { loss: 100, duplicate: 100, late: 300 }, 10, 8_000);
}

#[test]
fn largest_and_smallest_datagrams_carry_blocks() {
    for datagram in [600, 65_507] {
        exchange(
            &Config { datagram, ..config() },
            3,
            Faults { loss: 100, duplicate: 100, late: 300 },
            10,
            100_000,
        );
    }
}

#[test]
fn bytes_in_flight_stay_within_the_window() {
    let mut network = Network::new(2, &of_one_size(), 7, Faults { loss: 20, ..Faults::default() });
    let (peer, _) = connected(&mut network, 0, 1);
    for number in 0..4 {
        network.nodes[0].send(peer, 0, &block(0, number, 200_000)).unwrap();
    }
    let (mut least, mut before) = (usize::MAX, 12_000);
    let done = network.run(SECOND * 60, |network| {
        let flow = network.nodes[0].flow(peer).unwrap();
        // Bytes in flight before the window shrank remain in flight, and a probe may always be sent.
        assert!(flow.in_flight <= flow.window.max(before) + 1_200, "{flow:?}");
        (least, before) = (least.min(flow.window), flow.window.max(flow.in_flight));
        network.observed[1].blocks.len() == 4
    });
    assert!(done);
    assert!(least < 12_000, "losses have made it smaller than at the start: {least}");
}
