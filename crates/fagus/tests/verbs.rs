//! Ignored tests need an adapter with the address `VERBS_ADDRESS`; `make verbs-guest` runs them in a guest
//! that has one.

use std::net::SocketAddr;
use std::thread::scope;
use std::time::Duration;

use fagus::carrier::udp::{Peers, Seat};
use fagus::carrier::verbs;
use fagus::carrier::verbs::exchange::{Card, Exchange, q_key};
use fagus::comm::Timers;
use fagus::programs::himeno::{self, Size};
use fagus::{Config, Dsm, Error, blocking};

const KEY: u64 = 0x5eed_0000_0007;
const LONG: Duration = Duration::from_secs(10);

#[test]
fn missing_adapter_is_reported_with_a_remedy() {
    let seat = Seat::loopback().unwrap();
    let peers = Peers { node: 0, addresses: vec![seat.address().unwrap()], key: KEY };
    let error = verbs::join(seat, peers, Config::default(), async |_| Ok(())).unwrap_err().to_string();
    let none =
        error.starts_with("no RDMA device was found") && error.contains("rdma link add rxe0 type rxe netdev");
    // Adapters exist, but none has the loopback address.
    let elsewhere = error.starts_with("no port of an RDMA device has the address 127.0.0.1");
    assert!(none || elsewhere, "{error}");
}

#[test]
fn node_beyond_its_peers_is_refused() {
    let seat = Seat::loopback().unwrap();
    let peers = Peers { node: 2, addresses: vec![seat.address().unwrap(); 2], key: KEY };
    let error = verbs::join(seat, peers, Config::default(), async |_| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "there is no node 2 among 2");
}

fn seats(count: usize) -> (Vec<Seat>, Vec<SocketAddr>) {
    let address = std::env::var("VERBS_ADDRESS").expect("VERBS_ADDRESS is the address of an adapter");
    let seats: Vec<_> = (0..count).map(|_| Seat::bind((address.as_str(), 0)).unwrap()).collect();
    let addresses = seats.iter().map(|seat| seat.address().unwrap()).collect();
    (seats, addresses)
}

#[test]
#[ignore = "needs an adapter"]
fn himeno_over_verbs_equals_the_serial_version() {
    let (seats, addresses) = seats(3);
    let gosas: Vec<_> = scope(|threads| {
        let start = |(node, seat)| {
            let peers = Peers { node, addresses: addresses.clone(), key: KEY };
            let run = async |dsm: Dsm| himeno::program(&dsm, Size::TINY, 2).await;
            threads.spawn(move || verbs::join(seat, peers, Config::default(), run).unwrap().gosa.to_bits())
        };
        let threads: Vec<_> = seats.into_iter().enumerate().map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(gosas, [himeno::alone(Size::TINY, 2).gosa.to_bits(); 3]);
}

/// Connects a node to a queue pair of the test.
#[test]
#[ignore = "needs an adapter"]
fn other_keys_are_dropped_and_strangers_with_the_key_counted() {
    let (mut seats, addresses) = seats(2);
    let (second, first) = (seats.pop().unwrap(), seats.pop().unwrap());
    let at = real_verbs::choose(&real_verbs::ports().unwrap(), addresses[1].ip()).unwrap();
    let open = |key| real_verbs::open(&at, key, 64, 64).unwrap();
    let (peer, stranger, other_run) = (open(q_key(KEY)), open(q_key(KEY)), open(q_key(KEY) ^ 1));
    let card = |pair| Card { pair, lid: at.port.lid, mtu: at.port.mtu as u16, gid: at.gid.bytes };
    let timers = Timers { dead: Duration::from_secs(3), ..Config::default().timers };
    let config = Config { timers, ..Config::default() };
    let peers = |node| Peers { node, addresses: addresses.clone(), key: KEY };
    let mut exchange = Exchange::new(second, peers(1), card(peer.number())).unwrap();
    let (member, cards) = scope(|threads| {
        let member = threads.spawn(|| verbs::member(first, peers(0), config).unwrap());
        let cards = exchange.meet(LONG).unwrap();
        while !member.is_finished() {
            exchange.answer();
        }
        (member.join().unwrap(), cards)
    });
    let node = real_verbs::Peer { lid: cards[0].lid, gid: cards[0].gid, pair: cards[0].pair };
    let [mut peer, mut stranger, mut other_run] =
        [peer, stranger, other_run].map(|pair| pair.reach(&[node]).unwrap());

    for _ in 0..3 {
        other_run.0.send(0, &[1, 0, 1, 0, 0, 0, 7]).unwrap();
        stranger.0.send(0, &[1, 0, 1, 0, 0, 0, 7]).unwrap();
    }
    // A malformed packet, and a packet of a malformed message.
    for packet in [&[1, 2, 3][..], &[1, 0, 1, 0, 0, 0, 7]] {
        peer.0.send(0, packet).unwrap();
    }
    let counted = || (member.strangers(), member.dsm().stats().packets_received);
    for _ in 0..2000 {
        if counted() == (3, 2) {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(counted(), (3, 2));
    let stats = member.dsm().stats();
    assert_eq!((stats.malformed, stats.comm.malformed), (1, 1));

    // The node's packets have the paper's header only. The test acknowledges none.
    let error = scope(|threads| {
        let barrier = threads.spawn(|| blocking::block_on(member.dsm().barrier()));
        let packet = peer.1.receive(LONG).unwrap().expect("a packet").packet;
        let size = usize::from(u16::from_le_bytes([packet[0], packet[1]]));
        assert_eq!((packet.len(), &packet[4..6]), (size + 6, &[0, 0][..]));
        barrier.join().unwrap()
    });
    assert_eq!(error, Err(Error::Dead { node: 1, lost: vec![] }));
    // Packets dropped by the adapter did not arrive later either.
    assert_eq!(counted(), (3, 2));
}
