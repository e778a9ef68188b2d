//! One node, message by message: impossible numbers, abandoned calls, and reports of waiting nodes.

use std::time::Duration;

use fagus::datagram::Datagram;
use fagus::node::{Call, LOCKS, Node};
use fagus::protocol::{lock, object};
use fagus::watch::{Report, Thing, Watch};
use fagus::wire::Message;
use fagus::{Config, Delivery, Error};

const NOW: Duration = Duration::from_millis(1);

/// A reliable network with messages for the node; keeps what it sends.
#[derive(Default)]
struct Post {
    come: Vec<(u16, Message)>,
    left: Vec<(u16, Message)>,
}

impl Datagram for Post {
    fn send_to(&mut self, to: u16, packet: &[u8]) {
        self.left.push((to, Message::decode(packet).expect("a message")));
    }

    fn receive_from(&mut self) -> Option<(u16, Vec<u8>)> {
        self.come.pop().map(|(from, message)| (from, message.encode()))
    }
}

fn node(me: u16) -> Node {
    let mut node = Node::new(me, 3, Config { delivery: Delivery::Messages, ..Config::default() });
    node.declare("data".into(), 16, 0);
    node
}

/// Messages that a node sends after one has arrived.
fn hears(node: &mut Node, from: u16, message: Message) -> Vec<(u16, Message)> {
    let mut post = Post { come: vec![(from, message)], ..Post::default() };
    node.serve(NOW, &mut post);
    post.left
}

fn sends(node: &mut Node) -> Vec<(u16, Message)> {
    let mut post = Post::default();
    node.flush(&mut post);
    post.left
}

#[test]
fn numbers_beyond_the_last_are_malformed() {
    let acquire = |number| Message::Lock(number, lock::Message::Acquire { request: 1 });
    let over = |to| Message::Object(0, object::Message::HandOver { to, request: 1, version: 9, has: None });
    let supply = |to| Message::Object(0, object::Message::Supply { to, request: 1, version: 9 });
    let dead = |node| Message::Dead(node, Vec::new());
    let cases = [
        (acquire(LOCKS as u32 - 1), 0),
        (acquire(LOCKS as u32), 1),
        (over(2), 0),
        (over(3), 1),
        (supply(2), 0),
        (supply(3), 1),
        (dead(3), 1),
        (dead(2), 0),
    ];
    for (message, malformed) in cases {
        let mut node = node(0);
        hears(&mut node, 1, message.clone());
        assert_eq!(node.stats().malformed, malformed, "{message:?}");
    }
}

#[test]
fn abandoned_call_gives_back_what_it_gets() {
    // A lock that is granted after the program has lost interest.
    let mut locks = node(1);
    locks.begin(Call::Lock(0)).unwrap();
    assert_eq!(sends(&mut locks), [(0, Message::Lock(0, lock::Message::Acquire { request: 1 }))]);
    locks.forget();
    let released = hears(&mut locks, 0, Message::Lock(0, lock::Message::Granted { request: 1 }));
    assert_eq!(released, [(0, Message::Lock(0, lock::Message::Release { request: 1 }))]);
    // A lock that is granted before the program loses interest, but after it last looked.
    let mut locks = node(1);
    locks.begin(Call::Lock(0)).unwrap();
    hears(&mut locks, 0, Message::Lock(0, lock::Message::Granted { request: 1 }));
    locks.forget();
    let released = (0, Message::Lock(0, lock::Message::Release { request: 1 }));
    assert!(sends(&mut locks).contains(&released));
    assert_eq!(locks.begin(Call::Lock(0)), Ok(()), "nothing is pending");
    // A read guard: an invalidation does not wait for it.
    let mut reads = node(1);
    reads.begin(Call::Read(0)).unwrap();
    reads.forget();
    let data = fagus::wire::Data(std::sync::Arc::new(fagus::Block::zeros(16)));
    let given = object::Message::Data { request: 1, version: 1, data };
    hears(&mut reads, 0, Message::Object(0, given));
    let invalidate = object::Message::Invalidate { request: 1, version: 2 };
    let acknowledged = object::Message::Invalidated { request: 1, version: 2 };
    let answer = hears(&mut reads, 0, Message::Object(0, invalidate));
    assert_eq!(answer, [(0, Message::Object(0, acknowledged))]);
    assert_eq!(reads.begin(Call::Lock(0)), Ok(()), "nothing is pending");
}

#[test]
fn push_needs_ownership_and_no_writer() {
    let not_owner = |node| Err(Error::NotOwner { node, what: "data".into() });
    let mut owner = node(0);
    assert_eq!(owner.push(0, 1), Ok(()));
    owner.begin(Call::Write(0)).unwrap();
    // The copy of node 1 is invalidated first.
    let acknowledged = object::Message::Invalidated { request: 1, version: 2 };
    hears(&mut owner, 1, Message::Object(0, acknowledged));
    assert_eq!(owner.push(0, 1), not_owner(0));
    let block = owner.take(0);
    owner.end_write(0, block);
    assert_eq!(owner.push(0, 1), Ok(()));
    assert_eq!(node(1).push(0, 2), not_owner(1));
}

#[test]
fn cycle_is_a_deadlock_when_all_its_nodes_have_reported_again() {
    let report = |call, waits, holds| {
        let (waits, holds) = (Thing::Lock(waits), vec![Thing::Lock(holds)]);
        Report { call, waits, holds, round: 0 }
    };
    let (one, two) = (report(5, 8, 9), report(7, 9, 8));
    let mut watch = Watch::default();
    assert_eq!(watch.hear(1, one.clone()), None);
    assert_eq!(watch.hear(2, two.clone()), None, "it is suspected");
    assert_eq!(watch.hear(1, one.clone()), None, "node 2 may have gone on since");
    let cycle = watch.hear(2, two.clone()).expect("both still wait");
    assert_eq!(cycle.len(), 2);
    // Another call of a node is another cycle.
    let mut watch = Watch::default();
    for report in [&one, &one] {
        assert_eq!(watch.hear(1, report.clone()), None);
    }
    assert_eq!(watch.hear(2, two.clone()), None);
    assert_eq!(watch.hear(1, Report { call: 6, ..one }), None);
    assert_eq!(watch.hear(2, two), None);
}

#[test]
fn nodes_at_one_barrier_do_not_wait_for_each_other() {
    let at = |call, waits, round| Report { call, waits: Thing::Barrier(waits), holds: vec![], round };
    let mut watch = Watch::default();
    for call in 0..4 {
        assert_eq!(watch.hear(1, at(call / 2, 3, 3)), None);
        assert_eq!(watch.hear(2, at(call / 2, 3, 3)), None);
    }
}

#[test]
fn counters_of_nodes_are_added_one_by_one() {
    let calls = |first: u64| {
        let mut calls = fagus::Stats::default().calls;
        (calls.accesses, calls.locks, calls.barriers) = (first + 13, first + 14, first + 15);
        calls
    };
    let stats = |first: u64| fagus::Stats {
        copies: first,
        grants: first + 1,
        invalidations: first + 2,
        others: first + 3,
        packets_sent: first + 4,
        packets_received: first + 5,
        malformed: first + 6,
        strangers: first + 7,
        waited: Duration::from_nanos(first + 8),
        calls: calls(first),
        comm: fagus::comm::Counts {
            pieces: first + 9,
            resent: first + 10,
            repeated: first + 11,
            malformed: first + 12,
        },
    };
    let fagus::Stats { copies, grants, invalidations, others, packets_sent, packets_received, .. } =
        stats(100).and(stats(1_000));
    let sums = [copies, grants, invalidations, others, packets_sent, packets_received];
    assert_eq!(sums, [1_100, 1_102, 1_104, 1_106, 1_108, 1_110]);
    let fagus::Stats { malformed, strangers, waited, calls, comm, .. } = stats(100).and(stats(1_000));
    assert_eq!((malformed, strangers, waited.as_nanos()), (1_112, 1_114, 1_116));
    let counts = [comm.pieces, comm.resent, comm.repeated, comm.malformed];
    assert_eq!(counts, [1_118, 1_120, 1_122, 1_124]);
    assert_eq!([calls.accesses, calls.locks, calls.barriers], [1_126, 1_128, 1_130]);
}

#[test]
fn node_on_a_reliable_network_reports_and_pings_nobody() {
    let mut node = node(1);
    node.begin(Call::Lock(0)).unwrap();
    sends(&mut node);
    let patience = Config::default().patience;
    let mut post = Post::default();
    node.serve(patience - NOW, &mut post);
    assert_eq!(post.left, []);
    node.serve(patience, &mut post);
    let report = Report { call: 1, waits: Thing::Lock(0), holds: vec![], round: 0 };
    assert_eq!(post.left, [(0, Message::Report(report))]);
}
