//! Changes of address, packet by packet: only a current answer from the challenged address moves a peer.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use suci::{Config, Dropped, Event, Peer, Rules, Security};

use crate::network::{Faults, Network, address};

const SECOND: Duration = Duration::from_secs(1);

/// Address to which node 0 moves.
fn there() -> SocketAddr {
    address(77)
}

/// Two connected nodes that are quiet, and the names of their peers. The monitor does not see the packets that
/// these tests pass on.
fn pair() -> (Network, Peer, Peer) {
    let config = Config::new(Rules::MODERN, Security::SharedKey([7; 32]));
    let mut network = Network::new(2, &config, 1, Faults::default());
    network.monitor.off();
    let peer = network.connect(0, 1);
    network.nodes[0].send(peer, 0, b"hello").unwrap();
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 1));
    network.run(SECOND, |_| false);
    let back = network.observed[1].blocks[0].0;
    (network, peer, back)
}

/// All datagrams that a node sends now.
fn drain(network: &mut Network, node: usize) -> Vec<(SocketAddr, Vec<u8>)> {
    let now = network.now;
    let mut sent = Vec::new();
    while let Some(transmit) = network.nodes[node].poll_transmit(now) {
        sent.push((transmit.to, transmit.bytes.to_vec()));
    }
    sent
}

/// The next packet of node 0, with a new block.
fn packet(network: &mut Network, peer: Peer) -> Vec<u8> {
    network.nodes[0].send(peer, 0, b"block").unwrap();
    let sent = drain(network, 0);
    assert_eq!(sent.len(), 1);
    sent[0].1.clone()
}

fn input(network: &mut Network, node: usize, from: SocketAddr, bytes: &[u8]) {
    let now = network.now;
    network.nodes[node].input(now, from, bytes);
}

/// Challenges that node 1 sends to this address now.
fn challenges(network: &mut Network, to: SocketAddr) -> Vec<Vec<u8>> {
    drain(network, 1).into_iter().filter(|(other, _)| *other == to).map(|(_, bytes)| bytes).collect()
}

/// The answer of node 0 to a packet that it has sent from a new address.
fn answer(network: &mut Network, peer: Peer, from: SocketAddr) -> Vec<u8> {
    let moved = packet(network, peer);
    input(network, 1, from, &moved);
    let asked = challenges(network, from);
    assert_eq!(asked.len(), 1, "one challenge for one packet");
    input(network, 0, address(1), &asked[0]);
    let answers = drain(network, 0);
    assert_eq!(answers.len(), 1);
    answers[0].1.clone()
}

/// The address with one bit of its 48 changed.
fn changed(address: SocketAddr, bit: u32) -> SocketAddr {
    let IpAddr::V4(ip) = address.ip() else { panic!("an address of the network") };
    let number = u64::from(u32::from(ip)) << 16 | u64::from(address.port());
    let number = number ^ 1 << bit;
    SocketAddr::from((Ipv4Addr::from((number >> 16) as u32), number as u16))
}

fn moved(network: &mut Network) -> u64 {
    while let Some(event) = network.nodes[1].poll_event() {
        if matches!(event, Event::Moved { .. }) {
            network.observed[1].others.push(event);
        }
    }
    let counted = network.nodes[1].counters().moved;
    let told = network.observed[1].others.iter().filter(|event| matches!(event, Event::Moved { .. })).count();
    assert_eq!(counted, told as u64);
    counted
}

#[test]
fn copied_answer_proves_no_other_address() {
    let (mut network, peer, _) = pair();
    for bit in 0..48 {
        let right = answer(&mut network, peer, there());
        // A later packet is first, so that the answer is not the newest one and opens no path itself.
        let later = packet(&mut network, peer);
        input(&mut network, 1, there(), &later);
        input(&mut network, 1, changed(there(), bit), &right);
        assert_eq!(moved(&mut network), 0, "bit {bit} of the address");
        for (to, bytes) in drain(&mut network, 1) {
            if to == address(0) {
                input(&mut network, 0, address(1), &bytes);
            }
        }
        // The sender is paced.
        network.now = network.now + Duration::from_millis(1);
    }
    let right = answer(&mut network, peer, there());
    input(&mut network, 1, there(), &right);
    assert_eq!(moved(&mut network), 1);
    input(&mut network, 1, changed(there(), 0), &right);
    assert_eq!(moved(&mut network), 1, "a repeated answer changes nothing");
}

#[test]
fn copied_answer_that_comes_first_only_delays_the_move() {
    let (mut network, peer, _) = pair();
    let right = answer(&mut network, peer, there());
    input(&mut network, 1, address(99), &right);
    input(&mut network, 1, there(), &right);
    assert_eq!(moved(&mut network), 0);
    drain(&mut network, 1);
    let right = answer(&mut network, peer, there());
    input(&mut network, 1, there(), &right);
    assert_eq!(moved(&mut network), 1);
}

#[test]
fn answer_to_an_earlier_challenge_proves_no_later_address() {
    let (mut network, peer, _) = pair();
    let old = answer(&mut network, peer, there());
    let later = packet(&mut network, peer);
    input(&mut network, 1, address(78), &later);
    input(&mut network, 1, address(78), &old);
    assert_eq!(moved(&mut network), 0, "its number is of another challenge");
    drain(&mut network, 1);
    let right = answer(&mut network, peer, address(78));
    input(&mut network, 1, address(78), &right);
    assert_eq!(moved(&mut network), 1);
}

#[test]
fn late_packet_from_a_new_address_opens_no_path() {
    let (mut network, peer, _) = pair();
    let (late, newer) = (packet(&mut network, peer), packet(&mut network, peer));
    input(&mut network, 1, address(0), &newer);
    drain(&mut network, 1);
    input(&mut network, 1, address(99), &late);
    assert_eq!(challenges(&mut network, address(99)).len(), 0, "it is genuine and not the newest");
}

#[test]
fn only_a_newer_packet_from_the_known_address_ends_a_challenge() {
    let (mut network, peer, _) = pair();
    let (late, forwarded, newer) =
        (packet(&mut network, peer), packet(&mut network, peer), packet(&mut network, peer));
    input(&mut network, 1, address(99), &forwarded);
    input(&mut network, 1, address(0), &newer);
    assert_eq!(challenges(&mut network, address(99)).len(), 0, "the peer is where it was");
    let forwarded = packet(&mut network, peer);
    input(&mut network, 1, address(99), &forwarded);
    input(&mut network, 1, address(0), &late);
    assert_eq!(challenges(&mut network, address(99)).len(), 1, "a late packet says nothing of today");
}

#[test]
fn every_newer_packet_from_a_new_address_repeats_its_challenge() {
    let (mut network, peer, _) = pair();
    for _ in 0..3 {
        // Each time the challenge is lost.
        let bytes = packet(&mut network, peer);
        input(&mut network, 1, there(), &bytes);
        let asked = challenges(&mut network, there());
        assert_eq!(asked.len(), 1);
        assert!(asked[0].len() <= bytes.len(), "{} for {} bytes", asked[0].len(), bytes.len());
    }
}

#[test]
fn nothing_measured_on_the_old_path_is_kept_on_the_new_one() {
    let (mut network, peer, back) = pair();
    for _ in 0..4 {
        network.nodes[1].send(back, 0, &[1; 200_000]).unwrap();
    }
    network.run(SECOND, |network| network.observed[0].blocks.len() == 4);
    network.run(SECOND, |_| false);
    let before = network.nodes[1].flow(back).unwrap();
    assert!(before.srtt.is_some() && before.window > 12_000 && before.datagram > 1_200, "{before:?}");
    // A block is in flight to the old address; the answer to the challenge acknowledges it.
    network.nodes[1].send(back, 0, b"in flight").unwrap();
    let in_flight = drain(&mut network, 1);
    input(&mut network, 0, address(1), &in_flight[0].1);
    let right = answer(&mut network, peer, there());
    let late = packet(&mut network, peer);
    input(&mut network, 1, there(), &right);
    let after = network.nodes[1].flow(back).unwrap();
    assert_eq!((after.srtt, after.window, after.datagram), (None, 12_000, 1_200));
    assert_eq!(after.in_flight, 0);
    assert_eq!(drain(&mut network, 1), [], "nothing is in flight that a probe would repeat");
    // Answers go to the new address alone.
    input(&mut network, 1, there(), &late);
    assert!(drain(&mut network, 1).iter().all(|(to, _)| *to == there()));
    // The new address names the peer, the old one does not.
    let now = network.now;
    assert_eq!(network.nodes[1].connect(now, there()), Ok(back));
    assert_ne!(network.nodes[1].connect(now, address(0)), Ok(back));
}

/// A call up to the first packet of data, which has not arrived, and all datagrams so far.
fn calls(security: Security) -> (Network, Vec<Vec<u8>>) {
    let config = Config::new(Rules::MODERN, security);
    let mut network = Network::new(2, &config, 1, Faults::default());
    network.monitor.off();
    network.connect(0, 1);
    let mut sent = Vec::new();
    for node in [0, 1, 0, 1, 0] {
        let bytes = drain(&mut network, node).swap_remove(0).1;
        if sent.len() < 4 {
            let stale = network.nodes[1 - node].counters().all_dropped();
            // From an address one bit off it changes nothing, except that a first call is asked for a cookie.
            for bit in 0..48 {
                if node == 1 || sent.len() == 2 {
                    input(&mut network, 1 - node, changed(address(node), bit), &bytes);
                }
            }
            let dropped = network.nodes[1 - node].counters().all_dropped() - stale;
            assert_eq!(dropped, if sent.is_empty() { 0 } else { 48 }, "datagram {}", sent.len());
            if node == 0 {
                drain(&mut network, 1);
            }
            input(&mut network, 1 - node, address(node), &bytes);
        }
        sent.push(bytes);
    }
    (network, sent)
}

#[test]
fn calls_are_made_from_one_address() {
    for security in [Security::Trusted, Security::SharedKey([7; 32])] {
        let (mut network, sent) = calls(security);
        let connected = |network: &mut Network| {
            let event = network.nodes[1].poll_event();
            matches!(event, Some(Event::Connected { .. }))
        };
        let before = network.nodes[1].counters().dropped(Dropped::Misdirected);
        for bit in 0..48 {
            input(&mut network, 1, changed(address(0), bit), &sent[4]);
            assert!(!connected(&mut network), "a call is not taken over from another address");
        }
        assert_eq!(network.nodes[1].counters().dropped(Dropped::Misdirected) - before, 48);
        input(&mut network, 1, address(0), &sent[4]);
        assert!(connected(&mut network));
    }
}
