//! An endpoint with several peers, whose packets are written by hand.

use core::time::Duration;
use std::net::SocketAddr;

use crate::paper::packet::{self, Header, Kind};
use crate::walk::Walked;
use crate::{Config, Endpoint, Instant, Rules, Security};

const OWN: u16 = 9;

fn address(peer: u16) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 1], 1 + peer))
}

/// An endpoint with the printed rules and these peers, numbered from 0.
fn endpoint(peers: u16) -> Endpoint {
    let database = (0..peers).map(|peer| (address(peer), peer)).collect();
    let config = Config { id: OWN, database, ..Config::new(Rules::PRINTED, Security::Trusted) };
    Endpoint::new(config, [1; 32]).expect("it is valid")
}

fn datagram(from: u16, number: u32, kind: Kind, window: u32, data: &[u8]) -> Vec<u8> {
    let header = Header { number, head: 1, to: OWN, from, kind, window, epoch: 0, peer_epoch: 0 };
    let mut bytes = Vec::new();
    packet::put(&mut bytes, &header, data);
    bytes
}

fn at(seconds: u64) -> Instant {
    Instant::ZERO + Duration::from_secs(seconds)
}

#[test]
fn peers_send_in_turn() {
    let mut endpoint = endpoint(3);
    for peer in 0..3 {
        let peer = endpoint.connect(at(1), address(peer)).expect("it is in the database");
        for block in 0..3 {
            endpoint.send(peer, 0, &[block]).expect("there is room");
        }
    }
    let mut order = Vec::new();
    while let Some(transmit) = endpoint.poll_transmit(at(1)) {
        order.push(transmit.to);
    }
    assert_eq!(order, [0, 1, 2, 0, 1, 2, 0, 1, 2].map(address));
}

#[test]
fn states_with_permits_differ_in_time_alone() {
    let request = datagram(0, 1, Kind::Request, 1_000, &[]);
    let mut early = Walked::new(endpoint(1)).expect("it has no key");
    early.endpoint().input(at(1), address(0), &request);
    let mut late = early.clone();
    assert!(late == early);
    late = Walked::new(endpoint(1)).expect("it has no key");
    late.endpoint().input(at(5), address(0), &request);
    assert_eq!((early.permitted(), late.permitted()), (1_000, 1_000));
    assert!(late != early);
    early.forget_time();
    late.forget_time();
    assert!(late == early);
    // A permit with less time left is another state.
    let mut older = Walked::new(endpoint(1)).expect("it has no key");
    older.endpoint().input(at(1), address(0), &request);
    older.endpoint().input(at(2), address(0), b"not a packet");
    older.forget_time();
    assert!(older != early);
}

#[test]
fn bytes_are_held_until_the_application_takes_them() {
    let mut walked = Walked::new(endpoint(1)).expect("it has no key");
    let peer = walked.endpoint().connect(at(1), address(0)).expect("it is in the database");
    let mut held = vec![walked.held(peer)];
    for (number, kind, bytes) in [(1, Kind::Data, 10), (2, Kind::Last, 5)] {
        let packet = datagram(0, number, kind, 0, &vec![7; bytes]);
        walked.endpoint().input(at(1), address(0), &packet);
        held.push(walked.held(peer));
    }
    assert!(walked.endpoint().poll_event().is_some());
    held.push(walked.held(peer));
    assert_eq!(held, [0, 10, 15, 0]);
}
