use std::net::{SocketAddr, UdpSocket};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};
use std::thread::scope;
use std::time::Duration;

use fagus::blocking::Node;
use fagus::carrier::udp::{self, Peers, Seat};
use fagus::comm::Timers;
use fagus::programs::himeno::{self, Size};
use fagus::{Config, Error};

const KEY: u64 = 0x5eed;

fn seats(count: usize) -> (Vec<Seat>, Vec<SocketAddr>) {
    let seats: Vec<_> = (0..count).map(|_| Seat::loopback().unwrap()).collect();
    let addresses = seats.iter().map(|seat| seat.address().unwrap()).collect();
    (seats, addresses)
}

/// Version of the message format.
const VERSION: u16 = 1;

/// Packet of an empty message from node `from`.
fn datagram(key: u64, version: u16, from: u16) -> Vec<u8> {
    let packet = [0; 6];
    [&key.to_le_bytes()[..], &version.to_le_bytes(), &from.to_le_bytes(), &packet].concat()
}

#[test]
fn himeno_over_udp_equals_the_serial_version() {
    let (seats, addresses) = seats(3);
    let gosas: Vec<_> = scope(|threads| {
        let start = |(node, seat)| {
            let peers = Peers { node, addresses: addresses.clone(), key: KEY };
            let run = async |dsm: fagus::Dsm| himeno::program(&dsm, Size::TINY, 2).await;
            threads.spawn(move || udp::join(seat, peers, Config::default(), run).unwrap().gosa.to_bits())
        };
        let threads: Vec<_> = seats.into_iter().enumerate().map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(gosas, [himeno::alone(Size::TINY, 2).gosa.to_bits(); 3]);
}

#[test]
fn datagrams_of_strangers_are_counted_without_effect() {
    let (mut seats, addresses) = seats(2);
    let stranger = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (second, first) = (seats.pop().unwrap(), seats.pop().unwrap());
    let peers = |node| Peers { node, addresses: addresses.clone(), key: KEY };
    scope(|threads| {
        let other = threads.spawn(|| {
            let node = Node::join(second, peers(1), Config::default()).unwrap();
            let data = node.shared::<u32>("data", 2).unwrap();
            data.write(0..1).unwrap()[0] += 5;
            node.barrier().unwrap();
            node.leave().unwrap();
        });
        let node = Node::join(first, peers(0), Config::default()).unwrap();
        let with_key = datagram(KEY, VERSION, 1);
        for bytes in [&[][..], &[1, 2, 3], &[0; 3000], &with_key] {
            stranger.send_to(bytes, addresses[0]).unwrap();
        }
        let data = node.shared::<u32>("data", 2).unwrap();
        node.barrier().unwrap();
        assert_eq!(data.gather(0..2).unwrap(), [5, 0]);
        let lock = node.lock(1).unwrap();
        drop(lock);
        while node.stats().strangers < 4 {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(node.stats().malformed, 0);
        node.leave().unwrap();
        other.join().unwrap();
    });
}

#[test]
fn absent_node_is_named() {
    let (mut seats, addresses) = seats(2);
    let peers = Peers { node: 0, addresses, key: KEY };
    let timers = Timers { resend: Duration::from_millis(2), dead: Duration::from_millis(100) };
    let config = Config { timers, patience: Duration::from_millis(20), ..Config::default() };
    let error = udp::join(seats.swap_remove(0), peers, config, async |dsm| dsm.barrier().await);
    assert_eq!(error, Err(Error::Dead { node: 1, lost: vec![] }));
}

#[test]
fn peer_of_an_old_run_or_of_another_version_is_a_stranger() {
    let (mut seats, mut addresses) = seats(1);
    // The socket has the address of node 1.
    let peer = UdpSocket::bind("127.0.0.1:0").unwrap();
    addresses.push(peer.local_addr().unwrap());
    let peers = Peers { node: 0, addresses: addresses.clone(), key: KEY };
    let timers = Timers { resend: Duration::from_millis(2), dead: Duration::from_millis(500) };
    let config = Config { timers, patience: Duration::from_millis(20), ..Config::default() };
    let node = Node::join(seats.swap_remove(0), peers, config).unwrap();
    let counts = |strangers, malformed| {
        while (node.stats().strangers, node.stats().malformed) != (strangers, malformed) {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let say = |key, version, from| peer.send_to(&datagram(key, version, from), addresses[0]).unwrap();
    say(KEY - 1, VERSION, 1);
    counts(1, 0);
    say(KEY, VERSION + 1, 1);
    counts(2, 0);
    say(KEY, VERSION, 0);
    counts(3, 0);
    // A datagram of the peer is accepted, but an empty message is malformed.
    say(KEY, VERSION, 1);
    counts(3, 1);
    assert_eq!(node.barrier(), Err(Error::Dead { node: 1, lost: vec![] }));
}

#[test]
fn node_beyond_its_peers_is_refused() {
    let (mut seats, addresses) = seats(2);
    let peers = Peers { node: 2, addresses, key: KEY };
    let node = Node::join(seats.swap_remove(0), peers, Config::default());
    assert_eq!(node.err().unwrap().to_string(), "there is no node 2 among 2");
}

#[test]
fn run_of_more_than_64_nodes_is_refused() {
    let address = Seat::loopback().unwrap().address().unwrap();
    let join = |nodes| {
        let peers = Peers { node: 64, addresses: vec![address; nodes], key: KEY };
        Node::join(Seat::loopback().unwrap(), peers, Config::default()).err().unwrap().to_string()
    };
    assert_eq!(join(65), "there is no run of nodes 65 among 64");
    assert_eq!(join(64), "there is no node 64 among 64");
}

#[test]
fn node_leaves_when_all_programs_have_ended() {
    let (mut seats, addresses) = seats(2);
    let (second, first) = (seats.pop().unwrap(), seats.pop().unwrap());
    let peers = |node| Peers { node, addresses: addresses.clone(), key: KEY };
    let has_ended = AtomicBool::new(false);
    scope(|threads| {
        threads.spawn(|| {
            udp::join(second, peers(1), Config::default(), async |_| {
                std::thread::sleep(Duration::from_millis(300));
                has_ended.store(true, Ordering::Relaxed);
                Ok(())
            })
        });
        udp::join(first, peers(0), Config::default(), async |_| Ok(())).unwrap();
        assert!(has_ended.load(Ordering::Relaxed), "node 1 still runs its program");
    });
}

/// Polls a future until it ends. The threads of the nodes make progress meanwhile.
fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn dropped_call_gives_back_what_it_gets() {
    let (mut seats, addresses) = seats(2);
    let (second, first) = (seats.pop().unwrap(), seats.pop().unwrap());
    let join = |seat, node| {
        let timers = Timers { resend: Duration::from_millis(2), dead: Duration::from_secs(60) };
        let peers = Peers { node, addresses: addresses.clone(), key: KEY };
        udp::member(seat, peers, Config { timers, ..Config::default() }).unwrap()
    };
    let nodes = [join(first, 0), join(second, 1)];
    // Lock 1 is granted by node 1, so node 0 has to wait for it.
    let mut call = Box::pin(nodes[0].dsm().lock(1));
    assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(call);
    let is_free = || match wait(nodes[0].dsm().lock(2)) {
        Ok(_) => true,
        Err(Error::OneAtATime(0)) => {
            std::thread::sleep(Duration::from_millis(1));
            false
        }
        Err(error) => panic!("{error}"),
    };
    assert!((0..10_000).any(|_| is_free()), "the dropped call is still pending");
    drop(wait(nodes[1].dsm().lock(1)).expect("node 0 has released the lock"));
}
