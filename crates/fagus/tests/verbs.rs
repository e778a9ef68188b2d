use fagus::Config;
use fagus::carrier::udp::{Peers, Seat};
use fagus::carrier::verbs;

/// With an adapter, `make verbs-guest` runs a program over it; this one is for machines without.
#[test]
fn node_without_an_adapter_says_so_and_what_to_do() {
    let seat = Seat::loopback().unwrap();
    let peers = Peers { node: 0, addresses: vec![seat.address().unwrap()], key: 7 };
    let error = verbs::join(seat, peers, Config::default(), async |_| Ok(())).unwrap_err().to_string();
    let none =
        error.starts_with("no RDMA device was found") && error.contains("rdma link add rxe0 type rxe netdev");
    // Loopback is the address of none, where there are some.
    let elsewhere = error.starts_with("no port of an RDMA device has the address 127.0.0.1");
    assert!(none || elsewhere, "{error}");
}

#[test]
fn node_beyond_its_peers_is_refused() {
    let seat = Seat::loopback().unwrap();
    let peers = Peers { node: 2, addresses: vec![seat.address().unwrap(); 2], key: 7 };
    let error = verbs::join(seat, peers, Config::default(), async |_| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "there is no node 2 among 2");
}
