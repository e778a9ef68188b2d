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
