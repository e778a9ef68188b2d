use std::time::Duration;

use fagus::comm::{Comm, Timers};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const TIMERS: Timers = Timers { resend: Duration::from_millis(4), dead: Duration::from_secs(60) };

/// Exchanges messages between two nodes over a network with loss, duplication and delay. Returns the messages
/// that each has received.
fn exchange(messages: [&[Vec<u8>]; 2], chances: &[u8]) -> [Vec<Vec<u8>>; 2] {
    let mut nodes = [0, 1].map(|seed| Comm::new(2, TIMERS, seed));
    for (from, node) in nodes.iter_mut().enumerate() {
        messages[from].iter().for_each(|message| node.send(1 - from as u16, message));
    }
    let mut heard = [Vec::new(), Vec::new()];
    let mut network: Vec<(u64, usize, Vec<u8>)> = Vec::new();
    let mut chances = chances.iter().cycle();
    let mut chance = |below: u8| *chances.next().expect("a cycle") < below;
    for time in 0..100_000 {
        let now = Duration::from_millis(time);
        for (from, node) in nodes.iter_mut().enumerate() {
            while let Some((to, bytes)) = node.next(now) {
                for _ in 0..1 + usize::from(chance(50)) {
                    if !chance(60) {
                        network.push((time + if chance(80) { 7 } else { 1 }, usize::from(to), bytes.clone()));
                    }
                }
                assert_eq!(usize::from(to), 1 - from);
            }
        }
        let (come, later): (Vec<_>, Vec<_>) = network.into_iter().partition(|(comes, ..)| *comes <= time);
        network = later;
        for (_, to, bytes) in come {
            heard[to].extend(nodes[to].hear(now, 1 - to as u16, &bytes));
        }
        if network.is_empty() && nodes.iter().all(Comm::is_quiet) {
            return heard;
        }
    }
    panic!("not all messages come");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn messages_arrive_once_and_in_order_over_faulty_networks(
        lengths in proptest::collection::vec(1usize..60_000, 0..12),
        chances in proptest::collection::vec(any::<u8>(), 997),
    ) {
        let message = |(number, length): (usize, &usize)| vec![number as u8; *length];
        let there: Vec<_> = lengths.iter().enumerate().map(message).collect();
        let back: Vec<_> = there.iter().rev().cloned().collect();
        let heard = exchange([&there, &back], &chances);
        prop_assert_eq!(heard, [back, there]);
    }
}

#[test]
fn silent_node_is_dead_after_the_timeout_and_not_before() {
    let mut comm = Comm::new(2, TIMERS, 1);
    comm.send(1, b"are you there?");
    let mut sent = 0;
    for time in 0..59_999 {
        let now = Duration::from_millis(time);
        sent += usize::from(comm.next(now).is_some());
        assert_eq!(comm.dead(now), None);
    }
    assert_eq!(comm.dead(Duration::from_secs(60)), Some(1));
    // Retransmissions after 4, 8, 16 ms and so on, then every 64 to 96 ms.
    assert!((600..1000).contains(&sent), "{sent}");
}

const MS: Duration = Duration::from_millis(1);

/// A piece as on the wire.
fn piece(kind: u8, number: u32, expected: u32, have: u32, bytes: &[u8]) -> Vec<u8> {
    [&[kind], [number, expected, have].map(u32::to_le_bytes).as_flattened(), bytes].concat()
}

/// Kind, number, next expected number and mask of a piece.
fn fields(bytes: &[u8]) -> (u8, u32, u32, u32) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    (bytes[0], word(1), word(5), word(9))
}

/// Everything that the node sends to node 1 at a time.
fn sends(comm: &mut Comm, now: Duration) -> Vec<(u8, u32, u32, u32)> {
    std::iter::from_fn(|| comm.next(now)).map(|(to, bytes)| (assert_eq!(to, 1), fields(&bytes)).1).collect()
}

#[test]
fn pieces_in_any_order_are_acknowledged_by_number_and_mask() {
    let mut comm = Comm::new(2, TIMERS, 0);
    let mut hear = |number: u32| {
        let messages = comm.hear(MS, 1, &piece(2, number, 0, 0, &[number as u8]));
        (messages, sends(&mut comm, MS))
    };
    assert_eq!(hear(2), (vec![], vec![(0, 0, 0, 0b10)]));
    assert_eq!(hear(3), (vec![], vec![(0, 0, 0, 0b110)]));
    assert_eq!(hear(2), (vec![], vec![(0, 0, 0, 0b110)]), "a repeated piece is acknowledged again");
    assert_eq!(hear(0), (vec![vec![0]], vec![(0, 0, 1, 0b11)]));
    assert_eq!(hear(1), (vec![vec![1], vec![2], vec![3]], vec![(0, 0, 4, 0)]));
    for number in 0..4 {
        assert_eq!(hear(number), (vec![], vec![(0, 0, 4, 0)]), "delivered once");
    }
    // The window of four is from 4 to 7.
    assert_eq!(hear(8), (vec![], vec![(0, 0, 4, 0)]));
    assert_eq!(hear(7), (vec![], vec![(0, 0, 4, 0b100)]));
    assert_eq!((comm.counts.repeated, comm.counts.malformed), (5, 1));
}

#[test]
fn acknowledgements_free_the_pieces_that_they_name_and_no_other() {
    let flying = || {
        let mut comm = Comm::new(2, TIMERS, 0);
        (0..9u8).for_each(|number| comm.send(1, &[number]));
        assert_eq!(sends(&mut comm, MS).iter().map(|sent| sent.1).collect::<Vec<_>>(), [0, 1, 2, 3]);
        comm
    };
    // Next expected number and mask, and the pieces that are sent again with new ones, after everything is due.
    let cases: [(u32, u32, &[u32]); 8] = [
        (0, 0, &[0, 1, 2, 3]),
        (1, 0, &[1, 2, 3, 4]),
        (3, 0, &[3, 4, 5, 6]),
        (4, 0, &[4, 5, 6, 7]),
        (0, 0b1, &[0, 2, 3]),
        (0, 0b111, &[0]),
        (1, 0b10, &[1, 2, 4]),
        (2, 1 << 31, &[2, 3, 4, 5]),
    ];
    for (expected, mask, again) in cases {
        let mut comm = flying();
        comm.hear(MS, 1, &piece(0, 0, expected, mask, &[]));
        let sent = sends(&mut comm, Duration::from_secs(1));
        assert_eq!(sent.iter().map(|sent| sent.1).collect::<Vec<_>>(), again, "{expected}, {mask:b}");
    }
    // Numbers that were never sent.
    for expected in [5, 6, u32::MAX] {
        let mut comm = flying();
        comm.hear(MS, 1, &piece(0, 0, expected, 0, &[]));
        assert_eq!(comm.counts.malformed, 1, "{expected}");
        assert_eq!(sends(&mut comm, Duration::from_secs(1)).len(), 4);
    }
}

#[test]
fn malformed_pieces_are_counted_and_prove_no_life() {
    let wrong = [
        vec![],
        piece(0, 0, 0, 0, &[])[..12].to_vec(),
        piece(0, 0, 0, 0, b"x"),
        piece(1, 0, 0, 0, &[]),
        piece(2, 0, 0, 0, &[]),
        piece(3, 0, 0, 0, b"x"),
        piece(2, 0, 1, 0, b"x"),
        piece(2, 0, 0, 0, &vec![0; fagus::comm::PIECE + 1]),
    ];
    for (number, bytes) in wrong.iter().enumerate() {
        let mut comm = Comm::new(2, TIMERS, 0);
        assert_eq!(comm.hear(MS, 1, bytes), Vec::<Vec<u8>>::new());
        assert_eq!((comm.counts.malformed, comm.heard(1)), (1, Duration::ZERO), "case {number}");
        assert_eq!(comm.next(MS), None, "it is not answered");
    }
    let mut comm = Comm::new(2, TIMERS, 0);
    assert_eq!(comm.hear(MS, 1, &piece(2, 0, 0, 0, &vec![7; fagus::comm::PIECE])).len(), 1);
    assert_eq!((comm.counts.malformed, comm.heard(1)), (0, MS));
    assert_eq!(comm.hear(MS, 2, &piece(2, 0, 0, 0, b"x")).len(), 0, "there is no node 2");
}

#[test]
fn piece_is_sent_again_after_doubling_times_and_never_before() {
    let mut comm = Comm::new(2, TIMERS, 3);
    comm.send(1, b"x");
    let mut now = Duration::ZERO;
    let mut waits = Vec::new();
    assert_eq!(sends(&mut comm, now).len(), 1);
    for _ in 0..8 {
        let due = comm.wakes().expect("it is in flight");
        assert_eq!(comm.next(due - Duration::from_nanos(1)), None);
        assert_eq!(sends(&mut comm, due), [(2, 0, 0, 0)]);
        waits.push(due - now);
        now = due;
    }
    for (wait, least) in waits.iter().zip([4, 8, 16, 32, 64, 64, 64, 64]) {
        assert!((least * MS..least * MS * 3 / 2).contains(wait), "{waits:?}");
    }
    comm.hear(now, 1, &piece(0, 0, 1, 0, &[]));
    assert_eq!((comm.wakes(), comm.is_quiet()), (None, true));
    assert_eq!((comm.counts.pieces, comm.counts.resent), (1, 8));
    // The next piece begins with the first timeout again.
    comm.send(1, b"y");
    assert_eq!(sends(&mut comm, now), [(2, 1, 0, 0)]);
    assert!(comm.wakes().unwrap() < now + 6 * MS);
}

#[test]
fn acknowledgement_leaves_once_and_with_a_piece_if_there_is_one() {
    let mut comm = Comm::new(2, TIMERS, 0);
    comm.hear(MS, 1, &piece(2, 0, 0, 0, b"x"));
    comm.send(1, b"y");
    assert_eq!(sends(&mut comm, MS), [(2, 0, 1, 0)], "the piece says it");
    comm.hear(MS, 1, &piece(2, 1, 1, 0, b"x"));
    assert_eq!(sends(&mut comm, MS), [(0, 0, 2, 0)]);
    comm.hear(MS, 1, &piece(0, 0, 1, 0, &[]));
    assert_eq!(sends(&mut comm, MS), [], "an acknowledgement is not acknowledged");
}

#[test]
fn window_is_that_of_the_oldest_piece() {
    let mut comm = Comm::new(2, TIMERS, 0);
    (0..9u8).for_each(|number| comm.send(1, &[number]));
    assert_eq!(sends(&mut comm, MS).len(), 4);
    // Three of four have arrived, but not the oldest.
    comm.hear(MS, 1, &piece(0, 0, 0, 0b111, &[]));
    assert_eq!(sends(&mut comm, MS), []);
    comm.hear(MS, 1, &piece(0, 0, 4, 0, &[]));
    assert_eq!(sends(&mut comm, MS).iter().map(|sent| sent.1).collect::<Vec<_>>(), [4, 5, 6, 7]);
}

#[test]
fn node_that_says_anything_lives() {
    let mut comm = Comm::new(2, TIMERS, 1);
    comm.send(1, b"are you there?");
    assert!(comm.next(Duration::ZERO).is_some());
    // It acknowledges nothing, and sends a piece of its own after 59 seconds.
    let heard = Duration::from_secs(59);
    comm.hear(heard, 1, &piece(2, 0, 0, 0, b"x"));
    assert_eq!(comm.dead(heard + TIMERS.dead - MS), None);
    assert_eq!(comm.dead(heard + TIMERS.dead), Some(1));
}

#[test]
fn fault_free_wires_carry_each_piece_once() {
    let mut nodes = [0, 1].map(|seed| Comm::new(2, TIMERS, seed));
    for (to, node) in [1, 0].into_iter().zip(&mut nodes) {
        (1..30usize).for_each(|length| node.send(to, &vec![length as u8; length * 3_000]));
    }
    let mut wire: Vec<(usize, Vec<u8>)> = Vec::new();
    for time in 0..1_000 {
        let now = Duration::from_millis(time);
        for (to, bytes) in std::mem::take(&mut wire) {
            nodes[to].hear(now, 1 - to as u16, &bytes);
        }
        for node in &mut nodes {
            let sent = std::iter::from_fn(|| node.next(now));
            wire.extend(sent.map(|(to, bytes)| (usize::from(to), bytes)));
        }
    }
    for node in &nodes {
        assert!(node.is_quiet());
        assert_eq!((node.counts.resent, node.counts.repeated, node.counts.malformed), (0, 0, 0));
    }
}
