//! Memory of an endpoint when more connections come than it has places.

use core::time::Duration;
use std::net::SocketAddr;

use crate::endpoint::Inner;
use crate::{Config, Endpoint, Event, Instant, Peer, Rules, Security};

const PEERS: usize = 4;

fn endpoint(seed: u8) -> Endpoint {
    let config = Config { peers: PEERS, ..Config::new(Rules::MODERN, Security::Trusted) };
    Endpoint::new(config, [seed; 32]).expect("it is valid")
}

/// Number of incoming calls that an endpoint remembers in their order.
fn remembered(endpoint: &Endpoint) -> usize {
    match &endpoint.0 {
        Inner::Modern(endpoint) => endpoint.half_open_order.len(),
        Inner::Paper(_) => panic!("its rules are modern"),
    }
}

#[test]
fn calls_are_remembered_as_long_as_they_can_have_places() {
    let mut server = endpoint(1);
    let here = SocketAddr::from(([10, 0, 0, 1], 7));
    let mut now = Instant::ZERO + Duration::from_secs(1);
    for number in 1..=3 * PEERS {
        let there = SocketAddr::from(([10, 0, 0, 2], number as u16));
        let mut caller = endpoint(1 + number as u8);
        caller.connect(now, here).expect("it has a place");
        let mut peer: Option<Peer> = None;
        while peer.is_none() {
            while let Some(transmit) = caller.poll_transmit(now) {
                server.input(now, there, transmit.bytes);
            }
            while let Some(transmit) = server.poll_transmit(now) {
                caller.input(now, here, transmit.bytes);
            }
            while let Some(event) = server.poll_event() {
                if let Event::Connected { peer: open, .. } = event {
                    peer = Some(open);
                }
            }
            now = now + Duration::from_millis(1);
        }
        assert_eq!(remembered(&server), number.min(PEERS), "after {number} calls");
        server.close(peer.expect("it is open"));
        while server.poll_transmit(now).is_some() {}
    }
}
