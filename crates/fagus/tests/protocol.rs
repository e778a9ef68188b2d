//! The protocol of objects, locks and barriers message by message: late, repeated and foreign ones.

use fagus::protocol::object::{Home, Input, Message, Output, Replica};
use fagus::protocol::{Rules, barrier, lock};

const RULES: Rules = Rules::REPAIRED;

type Outputs = Vec<Output<u8>>;

fn send(to: u16, message: Message<u8>) -> Output<u8> {
    Output::Send(to, message)
}

/// Node 1 of an object of node 0, with a copy of this version.
fn copy(version: u32, data: u8) -> Replica<u8> {
    let mut replica = Replica::new(1, 0, 0);
    assert_eq!(replica.step(&RULES, Input::Read), [send(0, Message::Read { request: 1 })]);
    let given = hear(&mut replica, 0, Message::Data { request: 1, version, data });
    assert_eq!(given, [Output::Readable, send(0, Message::Done { request: 1 })]);
    replica.step(&RULES, Input::EndRead);
    replica
}

/// Node 1 as the owner since this version, which it has written.
fn owner(version: u32, data: u8) -> Replica<u8> {
    let mut replica = Replica::new(1, 0, 0);
    replica.step(&RULES, Input::Write);
    let given = hear(&mut replica, 0, Message::Grant { request: 1, version, data: Some(0) });
    assert_eq!(given, [Output::Writable, send(0, Message::Done { request: 1 })]);
    replica.step(&RULES, Input::EndWrite(data));
    replica
}

fn hear(replica: &mut Replica<u8>, from: u16, message: Message<u8>) -> Outputs {
    replica.step(&RULES, Input::Message(from, message))
}

fn hand_over(to: u16, request: u32, version: u32, has: Option<u32>) -> Message<u8> {
    Message::HandOver { to, request, version, has }
}

fn push(version: u32, data: u8) -> Message<u8> {
    Message::Data { request: 0, version, data }
}

#[test]
fn late_push_changes_nothing() {
    // To a node with a copy, older or newer: the copy came by request and stays.
    for version in [1, 2, 3] {
        let mut replica = copy(2, 20);
        assert_eq!(hear(&mut replica, 0, push(version, 99)), []);
        assert_eq!((replica.version(), replica.data()), (2, Some(&20)), "push of version {version}");
    }
    // To the owner, also while its program writes.
    let mut replica = owner(3, 30);
    hear(&mut replica, 0, push(2, 99));
    assert_eq!((replica.is_owner(), replica.version(), replica.data()), (true, 3, Some(&30)));
    // To a node that was the owner and handed the object over.
    assert_eq!(
        hear(&mut replica, 0, hand_over(2, 7, 4, None)),
        [send(2, Message::Grant { request: 7, version: 4, data: Some(30) })]
    );
    for (version, data) in [(2, None), (3, None), (4, Some(&99))] {
        hear(&mut replica, 0, push(version, 99));
        assert_eq!(replica.data(), data, "push of version {version} after version 4");
    }
    // To a node whose copy was invalidated.
    let mut replica = copy(2, 20);
    assert_eq!(
        hear(&mut replica, 0, Message::Invalidate { request: 7, version: 3 }),
        [send(0, Message::Invalidated { request: 7, version: 3 })]
    );
    for (version, data) in [(2, None), (3, Some(&99))] {
        hear(&mut replica, 0, push(version, 99));
        assert_eq!(replica.data(), data, "push of version {version} after version 3");
    }
}

#[test]
fn only_an_owner_at_rest_pushes() {
    let mut replica = owner(3, 30);
    assert_eq!(replica.step(&RULES, Input::Push(1)), [], "not to itself");
    assert_eq!(replica.step(&RULES, Input::Push(2)), [send(2, push(3, 30))]);
    // The copy is known: before a hand-over it is invalidated.
    let invalidate = send(2, Message::Invalidate { request: 9, version: 4 });
    assert_eq!(hear(&mut replica, 0, hand_over(0, 9, 4, None)), [invalidate]);
    assert_eq!(replica.step(&RULES, Input::Push(3)), [], "not during a hand-over");
    let mut writing = owner(3, 30);
    assert_eq!(writing.step(&RULES, Input::Write), [Output::Writable]);
    assert_eq!(writing.step(&RULES, Input::Push(2)), [], "not while it writes");
    assert_eq!(copy(2, 20).step(&RULES, Input::Push(2)), [], "not without ownership");
}

#[test]
fn invalidation_is_acknowledged_by_node_and_version() {
    let mut replica = owner(3, 30);
    replica.step(&RULES, Input::Push(2));
    replica.step(&RULES, Input::Push(3));
    assert_eq!(hear(&mut replica, 0, hand_over(0, 9, 4, None)).len(), 2);
    for (from, version) in [(2, 3), (2, 5), (3, 3), (3, 5), (4, 4), (0, 4), (2, 4), (2, 4)] {
        let outputs = hear(&mut replica, from, Message::Invalidated { request: 9, version });
        assert_eq!(outputs, [], "node {from}, version {version}");
    }
    let grant = send(0, Message::Grant { request: 9, version: 4, data: Some(30) });
    assert_eq!(hear(&mut replica, 3, Message::Invalidated { request: 9, version: 4 }), [grant]);
    assert_eq!(hear(&mut replica, 3, Message::Invalidated { request: 9, version: 4 }), []);
}

#[test]
fn old_invalidation_keeps_a_newer_copy_and_is_acknowledged() {
    for (version, data) in [(4, Some(&50)), (5, Some(&50)), (6, None)] {
        let mut replica = copy(5, 50);
        let outputs = hear(&mut replica, 3, Message::Invalidate { request: 7, version });
        assert_eq!(outputs, [send(3, Message::Invalidated { request: 7, version })]);
        assert_eq!(replica.data(), data, "version {version}");
    }
}

#[test]
fn invalidation_waits_for_all_readers() {
    let mut replica = copy(2, 20);
    assert_eq!(replica.step(&RULES, Input::Read), [Output::Readable]);
    assert_eq!(replica.step(&RULES, Input::Read), [Output::Readable]);
    assert_eq!(hear(&mut replica, 0, Message::Invalidate { request: 7, version: 3 }), []);
    assert_eq!(replica.step(&RULES, Input::EndRead), []);
    assert_eq!(replica.data(), Some(&20));
    let acknowledged = send(0, Message::Invalidated { request: 7, version: 3 });
    assert_eq!(replica.step(&RULES, Input::EndRead), [acknowledged]);
    assert_eq!(replica.data(), None);
}

#[test]
fn owner_serves_requests_of_its_version_alone() {
    for version in [2, 4] {
        let mut replica = owner(3, 30);
        assert_eq!(hear(&mut replica, 0, Message::Supply { to: 2, request: 5, version }), []);
    }
    for version in [3, 5] {
        let mut replica = owner(3, 30);
        assert_eq!(hear(&mut replica, 0, hand_over(2, 5, version, None)), []);
        assert!(replica.is_owner());
    }
    let mut former = copy(3, 30);
    assert_eq!(hear(&mut former, 0, Message::Supply { to: 2, request: 5, version: 3 }), []);
    assert_eq!(hear(&mut former, 0, hand_over(2, 5, 4, None)), []);
    // A writer gets the data unless its copy is the current one.
    for (has, data) in [(None, Some(30)), (Some(2), Some(30)), (Some(3), None), (Some(4), Some(30))] {
        let grant = send(2, Message::Grant { request: 5, version: 4, data });
        assert_eq!(hear(&mut owner(3, 30), 0, hand_over(2, 5, 4, has)), [grant], "has {has:?}");
    }
}

#[test]
fn owner_hands_over_after_guards_and_supplies_after_writers() {
    let grant = || send(2, Message::Grant { request: 5, version: 4, data: Some(30) });
    let supply = Message::Supply { to: 2, request: 5, version: 3 };
    let data = |data| send(2, Message::Data { request: 5, version: 3, data });
    let mut reads = owner(3, 30);
    assert_eq!(reads.step(&RULES, Input::Read), [Output::Readable]);
    assert_eq!(hear(&mut reads, 0, supply.clone()), [data(30)], "readers do not mind each other");
    let mut reads = owner(3, 30);
    reads.step(&RULES, Input::Read);
    assert_eq!(hear(&mut reads, 0, hand_over(2, 5, 4, None)), []);
    assert_eq!(reads.step(&RULES, Input::EndRead), [grant()]);
    let mut writes = owner(3, 0);
    writes.step(&RULES, Input::Write);
    assert_eq!(hear(&mut writes, 0, supply), []);
    assert_eq!(writes.step(&RULES, Input::EndWrite(31)), [data(31)]);
    let mut writes = owner(3, 0);
    writes.step(&RULES, Input::Write);
    assert_eq!(hear(&mut writes, 0, hand_over(2, 5, 4, None)), []);
    assert_eq!(writes.step(&RULES, Input::EndWrite(30)), [grant()]);
}

#[test]
fn answers_count_for_the_pending_request_alone() {
    let data = |request| Message::Data { request, version: 9, data: 90 };
    let grant = |request| Message::Grant { request, version: 9, data: Some(90) };
    for request in [1, 3] {
        let mut reads = copy(2, 20);
        hear(&mut reads, 0, Message::Invalidate { request: 7, version: 3 });
        reads.step(&RULES, Input::Read);
        for message in [data(request), grant(request), grant(2)] {
            assert_eq!(hear(&mut reads, 0, message), [], "it reads by request 2");
        }
        assert_eq!((reads.is_owner(), reads.data()), (false, None));
        let mut writes = copy(2, 20);
        writes.step(&RULES, Input::Write);
        for message in [grant(request), data(request), data(2)] {
            assert_eq!(hear(&mut writes, 0, message), [], "it writes by request 2");
        }
        assert_eq!((writes.is_owner(), writes.data()), (false, Some(&20)));
    }
    // The answer to an owner's own read brings nothing newer than it has.
    let mut replica = owner(3, 30);
    replica.step(&RULES, Input::Write);
    hear(&mut replica, 0, Message::Supply { to: 2, request: 5, version: 3 });
    replica.step(&RULES, Input::Read);
    assert_eq!(hear(&mut replica, 1, Message::Data { request: 2, version: 2, data: 99 }).len(), 2);
    assert_eq!(replica.version(), 3);
}

fn tells(home: &mut Home, from: u16, message: Message<u8>) -> Outputs {
    home.step(&RULES, from, &message)
}

#[test]
fn done_that_comes_twice_ends_nothing_else() {
    let mut home = Home::new(0, 3);
    let supply = |request| send(0, Message::Supply { to: 1, request, version: 1 });
    assert_eq!(tells(&mut home, 1, Message::Read { request: 1 }), [supply(1)]);
    assert_eq!(tells(&mut home, 1, Message::Done { request: 1 }), []);
    assert_eq!(tells(&mut home, 1, Message::Read { request: 2 }), [supply(2)]);
    // A write waits for the second copy, although the first DONE comes again.
    assert_eq!(tells(&mut home, 2, Message::Write { request: 1, has: None }), []);
    for (from, request) in [(1, 1), (1, 3), (2, 1), (2, 2)] {
        assert_eq!(tells(&mut home, from, Message::Done { request }), [], "node {from}, request {request}");
    }
    let over = send(0, hand_over(2, 1, 2, None));
    assert_eq!(tells(&mut home, 1, Message::Done { request: 2 }), [over]);
    // The write ends by its own DONE alone, and once.
    assert_eq!(tells(&mut home, 1, Message::Write { request: 3, has: Some(1) }), []);
    for (from, request) in [(1, 3), (1, 1), (2, 2), (2, 0), (0, 1)] {
        assert_eq!(tells(&mut home, from, Message::Done { request }), [], "node {from}, request {request}");
        assert_eq!((home.owner(), home.next_owner()), (0, Some(2)));
    }
    let over = send(2, hand_over(1, 3, 3, Some(1)));
    assert_eq!(tells(&mut home, 2, Message::Done { request: 1 }), [over]);
    assert_eq!(tells(&mut home, 2, Message::Done { request: 1 }), []);
    assert_eq!((home.owner(), home.next_owner()), (2, Some(1)));
}

#[test]
fn done_that_comes_after_the_next_request_counts() {
    let mut home = Home::new(0, 3);
    assert_eq!(tells(&mut home, 1, Message::Read { request: 1 }).len(), 1);
    // The network has reordered the next request and the DONE before it.
    assert_eq!(tells(&mut home, 1, Message::Write { request: 2, has: Some(1) }), []);
    let over = send(0, hand_over(1, 2, 2, Some(1)));
    assert_eq!(tells(&mut home, 1, Message::Done { request: 1 }), [over]);
}

#[test]
fn home_takes_each_request_once() {
    let mut home = Home::new(0, 3);
    assert_eq!(tells(&mut home, 1, Message::Write { request: 2, has: None }).len(), 1);
    for request in [0, 1, 2] {
        assert_eq!(tells(&mut home, 1, Message::Read { request }), []);
        assert_eq!(tells(&mut home, 1, Message::Write { request, has: None }), []);
    }
    assert_eq!(tells(&mut home, 3, Message::Read { request: 1 }), [], "there is no node 3");
    assert_eq!(tells(&mut home, 1, Message::Done { request: 2 }), [], "nothing was queued twice");
}

#[test]
fn lock_is_given_and_released_by_request() {
    use lock::Message::{Acquire, Granted, Release};
    let mut home = lock::Home::new(3);
    let granted = |node, request| Some((node, Granted { request }));
    assert_eq!(home.step(1, Acquire { request: 2 }), granted(1, 2));
    assert_eq!(home.step(2, Acquire { request: 1 }), None);
    for (from, message) in [
        (1, Acquire { request: 2 }),
        (1, Acquire { request: 1 }),
        (1, Release { request: 1 }),
        (1, Release { request: 3 }),
        (2, Release { request: 2 }),
        (0, Release { request: 2 }),
        (3, Release { request: 2 }),
    ] {
        assert_eq!(home.step(from, message), None, "{message:?} of node {from}");
    }
    assert_eq!(home.step(1, Release { request: 2 }), granted(2, 1));
    assert_eq!(home.step(1, Release { request: 2 }), None, "a repeated release frees nothing");
    assert_eq!(home.step(2, Release { request: 1 }), None, "nothing was queued twice");

    let mut holder = lock::Holder::default();
    assert!(!holder.step(Granted { request: 0 }) && !holder.has());
    holder.acquire();
    holder.acquire();
    for request in [0, 1, 3] {
        assert!(!holder.step(Granted { request }) && !holder.has(), "request {request}");
    }
    assert!(holder.step(Granted { request: 2 }) && holder.has());
    assert!(!holder.step(Granted { request: 2 }), "a grant counts once");
}

#[test]
fn barrier_ends_when_all_have_come_once() {
    use barrier::Message::{Arrive, Passed};
    let mut home = barrier::Home::new(3);
    for round in 1..4 {
        for (from, at) in [(0, round), (0, round), (1, round - 1), (1, round + 1), (1, round), (0, round)] {
            assert_eq!(home.step(from, Arrive { round: at, digest: 5 }), None, "node {from} at {at}");
        }
        // There is no node 3, and the others are not at these rounds.
        for (from, at) in [(3, round), (2, round + 1), (2, round - 1)] {
            assert_eq!(home.step(from, Arrive { round: at, digest: 9 }), None, "node {from} at {at}");
        }
        let passed = Passed { round, differs: None };
        assert_eq!(home.step(2, Arrive { round, digest: 5 }), Some(passed));
    }
    // The first node that differs is named.
    assert_eq!(home.step(2, Arrive { round: 4, digest: 5 }), None);
    assert_eq!(home.step(1, Arrive { round: 4, digest: 6 }), None);
    assert_eq!(home.step(0, Arrive { round: 4, digest: 7 }), Some(Passed { round: 4, differs: Some(1) }));

    let mut arrival = barrier::Arrival::default();
    assert_eq!(arrival.step(Passed { round: 0, differs: None }), None);
    arrival.arrive(5);
    arrival.arrive(5);
    for round in [1, 3] {
        assert_eq!(arrival.step(Passed { round, differs: None }), None);
    }
    assert_eq!(arrival.step(Passed { round: 2, differs: Some(1) }), Some(Some(1)));
    assert_eq!(arrival.step(Passed { round: 2, differs: None }), None, "a barrier ends once");
}

#[test]
fn owner_with_the_printed_rules_serves_requests_of_any_version() {
    for version in [2, 3, 4] {
        let mut replica = owner(3, 30);
        let supply = Input::Message(0, Message::Supply { to: 2, request: 5, version });
        let data = send(2, Message::Data { request: 5, version: 3, data: 30 });
        assert_eq!(replica.step(&Rules::PRINTED, supply), [data]);
    }
}

#[test]
fn copies_of_all_nodes_are_invalidated_before_the_first_write() {
    let mut home = Replica::cached(0, 0, 7, 3);
    let outputs = hear(&mut home, 0, hand_over(1, 1, 2, Some(1)));
    assert_eq!(outputs, [send(2, Message::Invalidate { request: 1, version: 2 })]);
    let mut other = Replica::cached(1, 0, 7, 3);
    assert_eq!((other.is_owner(), other.step(&RULES, Input::Read)), (false, vec![Output::Readable]));
}

#[test]
fn reader_gets_a_second_guard_while_a_request_waits() {
    let mut replica = copy(2, 20);
    replica.step(&RULES, Input::Read);
    assert_eq!(hear(&mut replica, 0, Message::Invalidate { request: 7, version: 3 }), []);
    assert_eq!(replica.step(&RULES, Input::Read), [Output::Readable]);
    let mut replica = owner(3, 30);
    replica.step(&RULES, Input::Read);
    assert_eq!(hear(&mut replica, 0, hand_over(2, 5, 4, None)), []);
    assert_eq!(replica.step(&RULES, Input::Read), [Output::Readable]);
    // A new reader would delay the hand-over, so its program asks the home.
    replica.step(&RULES, Input::EndRead);
    let grant = send(2, Message::Grant { request: 5, version: 4, data: Some(30) });
    assert_eq!(replica.step(&RULES, Input::EndRead), [grant]);
    assert_eq!(replica.step(&RULES, Input::Read), [send(0, Message::Read { request: 2 })]);
}
