use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::scope;
use std::time::Duration;

use fagus::Error;
use fagus::carrier::udp::{Peers, Seat};
use fagus::carrier::verbs::exchange::{Card, Exchange, packet, q_key};

const KEY: u64 = 0x5eed;
const LONG: Duration = Duration::from_secs(10);

fn seats(count: usize) -> (Vec<Seat>, Vec<SocketAddr>) {
    let seats: Vec<_> = (0..count).map(|_| Seat::loopback().unwrap()).collect();
    let addresses = seats.iter().map(|seat| seat.address().unwrap()).collect();
    (seats, addresses)
}

fn card(node: usize) -> Card {
    Card { pair: 17 + node as u32, lid: 0, mtu: 1024, gid: [node as u8; 16] }
}

/// Datagram of a node.
fn datagram(key: u64, from: u16, kind: u8, card: Card) -> Vec<u8> {
    let numbers = [card.lid, card.mtu].map(u16::to_le_bytes);
    [
        &key.to_le_bytes()[..],
        &from.to_le_bytes(),
        &[kind],
        &card.pair.to_le_bytes(),
        numbers.as_flattened(),
        &card.gid,
    ]
    .concat()
}

#[test]
fn all_nodes_learn_all_addresses() {
    let (seats, addresses) = seats(4);
    let met = &AtomicUsize::new(0);
    let said: Vec<_> = scope(|threads| {
        let start = |(node, seat)| {
            let peers = Peers { node, addresses: addresses.clone(), key: KEY };
            // The nodes start one after another.
            std::thread::sleep(Duration::from_millis(10));
            threads.spawn(move || {
                let mut exchange = Exchange::new(seat, peers, card(node)).unwrap();
                let cards = exchange.meet(LONG).unwrap();
                met.fetch_add(1, Ordering::Relaxed);
                // Later nodes still ask.
                while met.load(Ordering::Relaxed) < 4 {
                    exchange.answer();
                    std::thread::sleep(Duration::from_millis(1));
                }
                (cards, exchange.strangers())
            })
        };
        let threads: Vec<_> = seats.into_iter().enumerate().map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let all: Vec<_> = (0..4).map(card).collect();
    assert_eq!(said, vec![(all, 0); 4]);
}

#[test]
fn datagrams_of_strangers_are_counted_and_not_answered() {
    let (mut seats, mut addresses) = seats(2);
    let other = UdpSocket::bind("127.0.0.1:0").unwrap();
    let stranger = UdpSocket::bind("127.0.0.1:0").unwrap();
    for socket in [&other, &stranger] {
        socket.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    }
    addresses[1] = other.local_addr().unwrap();
    let peers = Peers { node: 0, addresses: addresses.clone(), key: KEY };
    let mut exchange = Exchange::new(seats.swap_remove(0), peers, card(0)).unwrap();

    let here = addresses[0];
    let from_elsewhere = datagram(KEY, 1, 1, card(1));
    for bytes in [&[][..], &[1, 2, 3], &[0; 35], &[0; 3000], &from_elsewhere] {
        stranger.send_to(bytes, here).unwrap();
    }
    let mut long = from_elsewhere.clone();
    long.push(0);
    let wrong = [
        datagram(KEY ^ 1, 1, 1, card(1)),
        datagram(KEY, 0, 1, card(1)),
        datagram(KEY, 2, 1, card(1)),
        datagram(KEY, 1, 2, card(1)),
        from_elsewhere[..34].to_vec(),
        long,
    ];
    for bytes in wrong {
        other.send_to(&bytes, here).unwrap();
    }
    exchange.answer();
    assert_eq!(exchange.strangers(), 11);
    let mut bytes = [0; 64];
    assert!(stranger.recv_from(&mut bytes).is_err());
    assert!(other.recv_from(&mut bytes).is_err());

    // The peer itself is heard and answered.
    other.send_to(&from_elsewhere, here).unwrap();
    assert_eq!(exchange.meet(LONG), Ok(vec![card(0), card(1)]));
    let (length, _) = other.recv_from(&mut bytes).unwrap();
    assert_eq!(bytes[..length], datagram(KEY, 0, 0, card(0)));
    // A new process with the peer's address and key is unknown.
    other.send_to(&datagram(KEY, 1, 0, card(5)), here).unwrap();
    exchange.answer();
    assert_eq!(exchange.strangers(), 12);
    assert_eq!(exchange.meet(LONG), Ok(vec![card(0), card(1)]));
}

#[test]
fn silent_node_is_named() {
    let (mut seats, addresses) = seats(2);
    let peers = Peers { node: 0, addresses, key: KEY };
    let mut exchange = Exchange::new(seats.swap_remove(0), peers, card(0)).unwrap();
    let error = Error::Dead { node: 1, lost: vec![] };
    assert_eq!(exchange.meet(Duration::from_millis(60)), Err(error));
}

#[test]
fn packets_are_limited_by_the_smallest_mtu_and_the_paper() {
    let of = |mtus: &[u16]| packet(&mtus.iter().map(|mtu| Card { mtu: *mtu, ..card(0) }).collect::<Vec<_>>());
    assert_eq!(of(&[4096, 4096]), Ok(2048));
    assert_eq!(of(&[4096, 1024, 2048]), Ok(1024));
    let error = of(&[1024, 256]).unwrap_err().to_string();
    assert!(
        error.starts_with("the port of node 1 carries packets of 256 bytes, and 262 are needed"),
        "{error}"
    );
}

#[test]
fn q_keys_are_those_permitted_to_programs() {
    for key in [0, 1, u64::MAX, 0x8000_0000, 0x1234_5678_9abc_def0] {
        assert!(q_key(key) < 1 << 31);
    }
    assert_ne!(q_key(1), q_key(2));
    assert_ne!(q_key(1 << 40), q_key(2 << 40));
}
