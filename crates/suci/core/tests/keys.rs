use std::ops::Range;
use std::time::Duration;

use proptest::prelude::*;
use suci::{Config, ConnectError, Dropped, Event, PublicKey, Reason, Rules, SecretKey, Security};

use crate::modern::{block, exchange};
use crate::network::{Faults, Network, address};

const SECOND: Duration = Duration::from_secs(1);

fn secret(node: usize) -> SecretKey {
    SecretKey::from_bytes(core::array::from_fn(|at| (at + 1 + node * 7) as u8))
}

fn public(node: usize) -> PublicKey {
    secret(node).public()
}

/// Pinned security of node `own`, which the nodes `peers` may call.
pub fn pinned(own: usize, peers: Range<usize>) -> Security {
    Security::Pinned { own: secret(own), peers: peers.map(public).collect() }
}

fn config() -> Config {
    Config::new(Rules::MODERN, pinned(0, 0..0))
}

fn network(nodes: usize, faults: Faults) -> Network {
    Network::new(nodes, &config(), 1, faults)
}

/// Two connected nodes, authenticated by the key of the second.
fn pair(faults: Faults) -> (Network, suci::Peer) {
    let mut network = network(3, faults);
    let peer = network.connect_to(0, 1, public(1));
    network.nodes[0].send(peer, 0, b"hello").unwrap();
    assert!(network.run(SECOND * 9, |network| network.observed[1].blocks.len() == 1));
    (network, peer)
}

fn sends(network: &mut Network, peer: suci::Peer, blocks: std::ops::Range<usize>) {
    let before = network.observed[1].blocks.len();
    let count = blocks.len();
    for number in blocks.clone() {
        network.nodes[0].send(peer, 0, &block(0, number, 3_000)).unwrap();
    }
    assert!(network.run(SECOND * 60, |network| network.observed[1].blocks.len() == before + count));
    for ((_, _, arrived), number) in network.observed[1].blocks[before..].iter().zip(blocks) {
        assert_eq!(*arrived, block(0, number, 3_000));
    }
}

#[test]
fn both_sides_learn_the_key_of_the_other() {
    let (network, _) = pair(Faults::default());
    let key = |node: usize| {
        network.observed[node].others.iter().find_map(|event| match event {
            Event::Connected { key, .. } => Some(*key),
            _ => None,
        })
    };
    assert_eq!((key(0), key(1)), (Some(Some(public(1))), Some(Some(public(0)))));
    assert_eq!(config().security.pattern(), Some("Noise_IK_25519_ChaChaPoly_BLAKE2s"));
}

#[test]
fn unpinned_caller_is_refused_until_it_is_pinned() {
    let mut network = network(2, Faults::default());
    assert!(network.nodes[1].unpin(&public(0)));
    let peer = network.connect_to(0, 1, public(1));
    network.run(SECOND, |_| false);
    assert!(network.observed[1].others.is_empty());
    assert!(network.nodes[1].counters().dropped(Dropped::NotPinned) > 0);
    assert!(network.nodes[1].pin(public(0)));
    network.nodes[0].send(peer, 0, b"let in").unwrap();
    assert!(network.run(SECOND * 9, |network| network.observed[1].blocks.len() == 1));
    assert!(network.nodes[1].unpin(&public(0)));
    let closed = Event::Closed { peer, reason: Reason::There };
    assert!(network.run(SECOND, |network| network.observed[0].others.contains(&closed)));
}

#[test]
fn node_with_a_key_other_than_the_called_one_gets_nothing() {
    let mut network = network(3, Faults::default());
    let peer = network.connect_to(0, 1, public(2));
    network.nodes[0].send(peer, 0, b"for 2 alone").unwrap();
    let closed = Event::Closed { peer, reason: Reason::Silent };
    assert!(network.run(SECOND * 60, |network| network.observed[0].others.contains(&closed)));
    assert!(network.observed[1].others.is_empty() && network.observed[1].blocks.is_empty());
    assert!(network.nodes[1].counters().dropped(Dropped::Forged) > 0);
}

#[test]
fn blocks_for_a_key_do_not_reach_another_at_the_same_address() {
    // Node 0 calls node 1 under the key of node 2, while node 1 calls node 0.
    for seed in 0..20 {
        let mut network = Network::new(3, &config(), seed, Faults::default());
        let to_two = network.connect_to(0, 1, public(2));
        network.nodes[0].send(to_two, 0, b"for 2 alone").unwrap();
        let to_zero = network.connect_to(1, 0, public(0));
        network.nodes[1].send(to_zero, 0, b"for 0").unwrap();
        network.run(SECOND * 60, |network| network.observed[0].blocks.len() == 1);
        assert!(network.observed[1].blocks.is_empty());
        assert!(network.observed[0].blocks.iter().all(|(_, _, block)| block == b"for 0"));
    }
}

#[test]
fn calls_must_name_the_key_and_keep_it() {
    let mut network = network(2, Faults::default());
    let now = network.now;
    assert_eq!(network.nodes[0].connect(now, address(1)), Err(ConnectError::NoKey));
    let peer = network.connect_to(0, 1, public(1));
    assert_eq!(network.nodes[0].connect_to(now, address(1), public(1)), Ok(peer));
    assert_eq!(network.nodes[0].connect_to(now, address(1), public(2)), Err(ConnectError::OtherKey));
}

#[test]
fn connections_of_a_key_are_limited() {
    let mut network = network(2, Faults::default());
    for round in 0..8 {
        network.addresses[0] = address(100 + round);
        network.restart(0, round as u64);
        let peer = network.connect_to(0, 1, public(1));
        network.nodes[0].send(peer, 0, b"x").unwrap();
        assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 1 + round));
    }
    let restarted = |event: &&Event| matches!(event, Event::Closed { reason: Reason::Restarted, .. });
    assert_eq!(network.observed[1].others.iter().filter(restarted).count(), 8 - config().per_key);
}

#[test]
fn unvalidated_address_gets_fewer_bytes_with_keys_too() {
    let mut network = network(2, Faults::default());
    network.connect_to(0, 1, public(1));
    network.run(SECOND, |network| !network.observed[1].others.is_empty());
    let seen = |node: usize| network.seen.iter().filter(move |seen| seen.0 == node).map(|seen| seen.2.len());
    // Until the cookie has returned: one datagram each way.
    assert!(seen(1).next().unwrap() < seen(0).next().unwrap());
}

#[test]
fn silent_callers_are_evicted_by_new_ones() {
    let config = Config { peers: 4, ..config() };
    let mut network = Network::new(12, &config, 1, Faults::default());
    // Ten callers fall silent after the answer, like an attacker who replays recorded calls.
    network.drop = Box::new(|from, _, bytes| from >= 2 && bytes[0] & 7 == 4);
    for caller in 2..12 {
        network.connect_to(caller, 0, public(0));
    }
    network.run(Duration::from_millis(300), |_| false);
    let peer = network.connect_to(1, 0, public(0));
    network.nodes[1].send(peer, 0, b"genuine").unwrap();
    assert!(network.run(SECOND, |network| network.observed[0].blocks.len() == 1));
}

#[test]
fn keys_are_updated_on_both_sides_on_request() {
    let (mut network, peer) = pair(Faults::default());
    for generation in 1..=5 {
        network.nodes[0].update_key(peer);
        sends(&mut network, peer, 0..3);
        network.run(SECOND / 10, |_| false);
        assert_eq!(network.nodes[0].flow(peer).unwrap().key_generation, generation);
        let there = network.observed[1].blocks[0].0;
        assert_eq!(network.nodes[1].flow(there).unwrap().key_generation, generation);
    }
    assert_eq!(network.nodes[0].counters().rekeyed, 5);
    assert_eq!(network.nodes[1].counters().all_dropped(), 0);
    assert!(network.seen.iter().any(|(_, _, bytes)| bytes[0] & 8 != 0), "the bit is seen on the way");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn every_block_arrives_during_frequent_key_updates(
        seed in any::<u64>(), loss in 0u64..200, duplicate in 0u64..200, late in 0u64..2_000, rekey_after in 1u64..20,
    ) {
        let config = Config { rekey_after, ..Config::new(Rules::MODERN, Security::SharedKey([1; 32])) };
        exchange(&config, seed, Faults { loss, duplicate, late }, 20, 8_000);
    }
}

#[test]
fn replay_after_many_key_updates_delivers_nothing_twice() {
    let (mut network, peer) = pair(Faults { loss: 50, duplicate: 100, late: 500 });
    for round in 0..10 {
        network.nodes[0].update_key(peer);
        sends(&mut network, peer, round * 4..round * 4 + 4);
    }
    network.run(SECOND, |_| false);
    let arrived = network.observed[1].blocks.len();
    for (from, to, bytes) in network.seen.clone() {
        let from = network.addresses[from];
        network.nodes[to].input(network.now, from, &bytes);
    }
    network.run(SECOND, |_| false);
    assert_eq!(network.observed[1].blocks.len(), arrived);
    let counters = network.nodes[1].counters();
    assert!(counters.dropped(Dropped::Repeated) + counters.dropped(Dropped::Stale) > 40, "{counters:?}");
}

#[test]
fn moved_peer_is_challenged_and_gets_the_data_in_flight() {
    for loss in [0, 200] {
        let (mut network, peer) = pair(Faults { loss, ..Faults::default() });
        network.addresses[0] = address(77);
        sends(&mut network, peer, 0..20);
        let there = network.observed[1].blocks[0].0;
        let moved = Event::Moved { peer: there, address: address(77) };
        assert!(network.observed[1].others.contains(&moved));
        network.nodes[1].send(there, 0, b"to where you are").unwrap();
        assert!(network.run(SECOND * 9, |network| network.observed[0].blocks.len() == 1));
    }
}

#[test]
fn forwarded_copy_causes_one_short_challenge_and_no_migration() {
    let (mut network, peer) = pair(Faults::default());
    network.nodes[0].send(peer, 0, b"more").unwrap();
    let now = network.now;
    let genuine = network.nodes[0].poll_transmit(now).unwrap().bytes.to_vec();
    // An attacker forwards the packet from an address that it does not own, before the original arrives.
    network.nodes[1].input(now, address(99), &genuine);
    let mut asked = 0;
    while let Some(transmit) = network.nodes[1].poll_transmit(now) {
        if transmit.to == address(99) {
            asked += transmit.bytes.len();
        }
    }
    assert!(asked > 0 && asked <= genuine.len(), "{asked} of {}", genuine.len());
    for _ in 0..50 {
        network.nodes[1].input(now, address(99), &genuine);
        assert!(network.nodes[1].poll_transmit(now).is_none(), "a repeated packet asks nothing");
    }
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 2));
    sends(&mut network, peer, 0..5);
    assert_eq!(network.nodes[1].counters().moved, 0);
}

#[test]
fn peers_without_protection_do_not_migrate() {
    let config = Config::new(Rules::MODERN, Security::Trusted);
    let mut network = Network::new(2, &config, 1, Faults::default());
    let peer = network.connect(0, 1);
    network.nodes[0].send(peer, 0, b"x").unwrap();
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 1));
    network.addresses[0] = address(77);
    network.nodes[0].send(peer, 0, b"y").unwrap();
    network.run(SECOND, |_| false);
    assert_eq!(network.observed[1].blocks.len(), 1);
    assert!(network.nodes[1].counters().dropped(Dropped::Misdirected) > 0);
}
