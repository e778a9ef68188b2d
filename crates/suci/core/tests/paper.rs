use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use proptest::prelude::*;
use suci::paper::Repairs;
use suci::paper::packet::{HEADER, Kind, parse};
use suci::{Config, Dropped, Event, Peer, Rules, Security, SendError};

use crate::network::{Faults, Network, Random, address};

const SECOND: Duration = Duration::from_secs(1);

fn config(rules: Rules) -> Config {
    Config { window: 65_536, largest_block: 32_768, ..Config::new(rules, Security::Trusted) }
}

/// Two nodes on a fault-free network, and the peer of node 0.
fn two(rules: Rules) -> (Network, Peer) {
    let mut network = Network::new(2, &config(rules), 1, Faults::default());
    let peer = network.connect(0, 1);
    (network, peer)
}

/// Drops the data packets from node 0 with these numbers, each once.
fn lose(network: &mut Network, numbers: &[u32]) {
    let mut left = numbers.to_vec();
    network.drop = Box::new(move |from, _, bytes| {
        let Ok((header, _)) = parse(bytes) else { return false };
        let data = matches!(header.kind, Kind::Data | Kind::Last);
        let at = left.iter().position(|number| from == 0 && data && *number == header.number);
        at.map(|at| left.remove(at)).is_some()
    });
}

/// Drops the first `count` packets of a kind.
fn lose_kind(network: &mut Network, kind: Kind, count: usize) {
    let mut left = count;
    network.drop = Box::new(move |_, _, bytes| {
        let lost = left > 0 && parse(bytes).is_ok_and(|(header, _)| header.kind == kind);
        left -= usize::from(lost);
        lost
    });
}

/// Sends short blocks from node 0 to node 1. Returns whether all are acknowledged within a minute.
fn arrive(network: &mut Network, peer: Peer, blocks: usize) -> bool {
    for number in 0..blocks {
        network.nodes[0].send(peer, 0, &[number as u8; 100]).unwrap();
    }
    network.run(SECOND * 60, |network| {
        let queued = network.nodes[0].flow(peer).unwrap().queued_blocks;
        network.observed[1].blocks.len() == blocks && queued == 0
    })
}

/// Checks that a fault blocks a transfer forever with the printed rules, and that all blocks arrive with the
/// repaired ones.
fn stands_still_as_printed(blocks: usize, script: impl Fn(&mut Network)) -> Network {
    let (mut network, peer) = two(Rules::REPAIRED);
    script(&mut network);
    assert!(arrive(&mut network, peer, blocks));
    let (mut network, peer) = two(Rules::PRINTED);
    script(&mut network);
    assert!(!arrive(&mut network, peer, blocks));
    assert_eq!(network.nodes[0].poll_timeout(), None, "nothing will ever happen");
    network
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn repaired_blocks_arrive_once_in_order_and_whole(
        seed in any::<u64>(), loss in 0u64..200, duplicate in 0u64..200, late in 0u64..1_000,
    ) {
        let mut network = Network::new(3, &config(Rules::REPAIRED), seed, Faults { loss, duplicate, late });
        let mut random = Random(seed);
        let plan: Vec<Vec<Vec<u8>>> = (0..3usize).map(|node| {
            (0..15usize).map(|number| vec![(node * 20 + number) as u8; 1 + random.below(9_000) as usize]).collect()
        }).collect();
        // Each node sends to the next and back.
        let peers: Vec<_> = (0..3).map(|node| network.connect(node, (node + 1) % 3)).collect();
        let mut queued = [0; 3];
        let done = network.run(SECOND * 900, |network| {
            for node in 0..3 {
                while queued[node] < 15 && network.nodes[node].send(peers[node], 0, &plan[node][queued[node]]).is_ok() {
                    queued[node] += 1;
                }
            }
            (0..3).all(|node| network.nodes[node].flow(peers[node]).unwrap().queued_blocks == 0) && queued == [15; 3]
        });
        prop_assert!(done, "{:?}", network.nodes.iter().map(|node| node.counters()).collect::<Vec<_>>());
        network.run(SECOND, |_| false);
        for (node, plan) in plan.iter().enumerate() {
            let arrived = network.observed[(node + 1) % 3].blocks.iter().map(|(_, _, block)| block);
            prop_assert!(arrived.eq(plan));
        }
    }
}

#[test]
fn printed_rules_work_on_a_fault_free_network() {
    let (mut network, peer) = two(Rules::PRINTED);
    assert!(arrive(&mut network, peer, 50));
    network.nodes[0].send(peer, 0, &[7; 32_768]).unwrap();
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 51));
}

#[test]
fn h1_the_last_packet_is_lost() {
    stands_still_as_printed(1, |network| lose(network, &[1]));
}

#[test]
fn h1_an_ack_is_lost() {
    let network = stands_still_as_printed(1, |network| lose_kind(network, Kind::Ack, 3));
    assert_eq!(network.observed[1].blocks.len(), 1, "it did arrive, and its sender never learns");
}

#[test]
fn h2_packets_after_a_lost_one_are_never_retransmitted() {
    let network = stands_still_as_printed(3, |network| lose(network, &[1]));
    assert_eq!(network.observed[1].blocks.len(), 1, "only the one that the Nack named");
}

#[test]
fn h4_reordering_is_enough() {
    // The first data packet is delayed.
    let late = |rules| {
        let (mut network, peer) = two(rules);
        let held = Rc::new(RefCell::new(None));
        let keep = Rc::clone(&held);
        network.drop = Box::new(move |from, _, bytes| {
            let first = parse(bytes).is_ok_and(|(header, data)| header.number == 1 && !data.is_empty());
            let hold = from == 0 && first && keep.borrow().is_none();
            if hold {
                *keep.borrow_mut() = Some(bytes.to_vec());
            }
            hold
        });
        for number in 0..3 {
            network.nodes[0].send(peer, 0, &[number; 10]).unwrap();
        }
        network.run(Duration::from_millis(1), |network| {
            network.nodes[1].counters().dropped(Dropped::OutOfOrder) > 0
        });
        let packet = held.borrow().clone().unwrap();
        network.nodes[1].input(network.now, address(0), &packet);
        network.run(SECOND * 60, |network| network.observed[1].blocks.len() == 3)
    };
    assert!(!late(Rules::PRINTED));
    assert!(late(Rules::REPAIRED));
}

#[test]
fn h8_closed_window_never_reopens() {
    let reader_sleeps = |repairs: Repairs| {
        let (mut network, peer) = two(Rules::Paper(repairs));
        network.asleep[1] = true;
        let mut sent = 0;
        let mut fill = |network: &mut Network| {
            while sent < 6 && network.nodes[0].send(peer, 0, &[sent; 30_000]).is_ok() {
                sent += 1;
            }
            network.observed[1].blocks.len() == 6
        };
        network.run(SECOND * 5, &mut fill);
        network.asleep[1] = false;
        network.run(SECOND * 60, &mut fill)
    };
    // Without this repair the window never closes and memory is unbounded (H11).
    let counted = Repairs { count_whole: true, ..Repairs::NONE };
    assert!(!reader_sleeps(counted));
    assert!(reader_sleeps(Repairs::ALL));
}

#[test]
fn h8_lost_window_update_is_probed_for() {
    let (mut network, peer) = two(Rules::REPAIRED);
    network.asleep[1] = true;
    for number in 0..4 {
        network.nodes[0].send(peer, 0, &[number; 30_000]).unwrap();
    }
    network.run(SECOND * 5, |_| false);
    lose_kind(&mut network, Kind::Ack, 5);
    network.asleep[1] = false;
    assert!(network.run(SECOND * 60, |network| network.observed[1].blocks.len() == 4));
}

#[test]
fn h8_reopened_window_is_announced_at_once() {
    let (mut network, peer) = two(Rules::REPAIRED);
    network.asleep[1] = true;
    for number in 0..4 {
        network.nodes[0].send(peer, 0, &[number; 30_000]).unwrap();
    }
    // The fifth probe was answered with a closed window.
    assert!(network.run(SECOND * 9, |network| network.nodes[0].counters().timeouts == 5));
    let (asked, heard) = (5, network.nodes[0].counters().received);
    assert!(network.run(SECOND, |network| network.nodes[0].counters().received > heard));
    network.asleep[1] = false;
    assert!(network.run(SECOND * 60, |network| network.observed[1].blocks.len() == 4));
    assert_eq!(network.nodes[0].counters().timeouts, asked, "nobody had to ask");
}

#[test]
fn h9_lost_request_is_awaited_forever() {
    for (rules, arrives) in [(Rules::PRINTED, false), (Rules::REPAIRED, true)] {
        let (mut network, peer) = two(rules);
        let mut requests = 0;
        network.drop = Box::new(move |from, _, bytes| {
            let Ok((header, data)) = parse(bytes) else { return false };
            let request = header.kind == Kind::Request;
            requests += u32::from(request);
            // All data until the first request, and that request.
            (from == 0 && !data.is_empty() && requests == 0) || (request && requests == 1)
        });
        for _ in 0..40 {
            network.nodes[0].send(peer, 0, &[1; 100]).unwrap();
        }
        network.run(Duration::from_millis(1), |_| false);
        // The application retransmits repeatedly, like the loop of the paper.
        let mut next = network.now;
        let done = network.run(SECOND * 60, |network| {
            if network.now >= next {
                network.nodes[0].retransmit(peer);
                next = next + Duration::from_millis(50);
            }
            network.observed[1].blocks.len() == 40
        });
        assert_eq!(done, arrives);
    }
}

#[test]
fn h10_block_beyond_the_window_never_arrives_or_is_refused() {
    let (mut network, peer) = two(Rules::PRINTED);
    network.nodes[0].send(peer, 0, &[1; 70_000]).unwrap();
    assert!(!network.run(Duration::from_millis(200), |network| network.observed[1].blocks.len() == 1));
    assert!(
        network.nodes[1].counters().dropped(Dropped::NoRoom) > 500,
        "H5: Nack and packet chase each other"
    );
    let (mut network, peer) = two(Rules::REPAIRED);
    let refused = network.nodes[0].send(peer, 0, &[1; 70_000]);
    assert_eq!(refused, Err(SendError::TooLarge { length: 70_000, limit: 65_536 }));
}

#[test]
fn h16_blocks_of_a_restarted_peer_are_lost_silently() {
    for (rules, arrives) in [(Rules::PRINTED, false), (Rules::REPAIRED, true)] {
        let (mut network, peer) = two(rules);
        assert!(arrive(&mut network, peer, 3));
        network.restart(0, 77);
        network.observed[1].blocks.clear();
        let peer = network.connect(0, 1);
        network.nodes[0].send(peer, 0, b"anew").unwrap();
        let acknowledged =
            network.run(SECOND * 9, |network| network.nodes[0].flow(peer).unwrap().queued_blocks == 0);
        assert!(acknowledged, "either way the sender is observed that it has arrived");
        assert_eq!(network.observed[1].blocks.len(), usize::from(arrives));
        assert_eq!(
            network.observed[1].others.iter().any(|event| matches!(event, Event::Restarted { .. })),
            arrives
        );
    }
}

#[test]
fn repaired_restarted_receiver_gets_later_blocks() {
    let mut network =
        Network::new(2, &config(Rules::REPAIRED), 1, Faults { loss: 100, duplicate: 200, late: 500 });
    let peer = network.connect(0, 1);
    assert!(arrive(&mut network, peer, 20));
    network.restart(1, 78);
    for number in 0..5 {
        network.nodes[0].send(peer, 0, &[number; 2_000]).unwrap();
    }
    let restarted = |observed: &Event| matches!(observed, Event::Restarted { lost: 5, .. });
    assert!(network.run(SECOND * 9, |network| network.observed[0].others.iter().any(restarted)));
    assert!(network.observed[1].blocks.is_empty(), "nothing of before");
    for number in 10..15 {
        network.nodes[0].send(peer, 0, &[number; 2_000]).unwrap();
    }
    assert!(network.run(SECOND * 60, |network| network.observed[1].blocks.len() == 5));
    assert!(network.observed[1].blocks.iter().map(|observed| observed.2[0]).eq(10..15));
}

/// Three nodes; nodes 1 and 2 miss all acknowledgements of 40 packets to node 0 and request a permit.
fn two_ask(rules: Rules, script: impl FnMut(usize, usize, &[u8]) -> bool + 'static) -> (Network, [Peer; 2]) {
    let config = Config { budget: 4_000, ..config(rules) };
    let mut network = Network::new(3, &config, 1, Faults::default());
    let peers = [network.connect(1, 0), network.connect(2, 0)];
    let mut script = script;
    let mut asked = [false; 3];
    network.drop = Box::new(move |from, to, bytes| {
        let Ok((header, data)) = parse(bytes) else { return false };
        asked[from] |= header.kind == Kind::Request;
        (from > 0 && !data.is_empty() && !asked[from]) || script(from, to, bytes)
    });
    for (node, peer) in [(1, peers[0]), (2, peers[1])] {
        for _ in 0..40 {
            network.nodes[node].send(peer, 0, &[1; 100]).unwrap();
        }
    }
    network.run(Duration::from_millis(1), |_| false);
    (network, peers)
}

#[test]
fn h19_lost_permit_reduces_the_budget_forever() {
    for (rules, left) in [(Rules::PRINTED, false), (Rules::REPAIRED, true)] {
        let mut lost = 0;
        let (mut network, peers) = two_ask(rules, move |_, to, bytes| {
            let permit = to == 1 && parse(bytes).is_ok_and(|(header, _)| header.kind == Kind::Permit);
            lost += u32::from(permit);
            permit && lost == 1
        });
        network.nodes[1].retransmit(peers[0]);
        network.run(Duration::from_millis(1), |_| false);
        network.nodes[2].retransmit(peers[1]);
        let done = network.run(SECOND * 60, |network| network.observed[0].blocks.len() == 80);
        assert_eq!(done, left);
        assert_eq!(network.nodes[0].permitted(), if left { 0 } else { 4_000 });
    }
}

#[test]
fn h20_duplicate_permit_allows_twice_the_bytes() {
    let sent_by = |rules| {
        let (mut network, peers) = two_ask(rules, |_, _, _| false);
        let before = network.nodes[1].counters().lost;
        let permit = Rc::new(RefCell::new(Vec::new()));
        let keep = Rc::clone(&permit);
        // All data is dropped, so that only permits allow further packets.
        network.drop = Box::new(move |_, _, bytes| {
            let Ok((header, data)) = parse(bytes) else { return false };
            if header.kind == Kind::Permit {
                *keep.borrow_mut() = bytes.to_vec();
            }
            !data.is_empty()
        });
        network.nodes[1].retransmit(peers[0]);
        assert!(network.run(SECOND, |_| !permit.borrow().is_empty()));
        let again = permit.borrow().clone();
        for _ in 0..3 {
            network.run(Duration::from_micros(300), |_| false);
            network.nodes[1].input(network.now, address(0), &again);
        }
        network.run(Duration::from_micros(1), |_| false);
        network.nodes[1].counters().lost - before
    };
    assert_eq!(sent_by(Rules::REPAIRED), 40, "what was permitted");
    assert!(sent_by(Rules::PRINTED) > 80);
}

#[test]
fn h21_windows_of_all_senders_exceed_the_socket_buffer() {
    // Every sender is offered the whole window, although all share one buffer of this size.
    let mut network = Network::new(5, &config(Rules::REPAIRED), 1, Faults::default());
    let peers: Vec<_> = (1..5).map(|node| network.connect(node, 0)).collect();
    for (node, peer) in (1..).zip(&peers) {
        for _ in 0..2 {
            network.nodes[node].send(*peer, 0, &[1; 32_768]).unwrap();
        }
    }
    let mut most = 0;
    let done = network.run(SECOND * 9, |network| {
        let in_flight: Vec<_> = (1..)
            .zip(&peers)
            .map(|(node, peer)| network.nodes[node].flow(*peer).unwrap().in_flight)
            .collect();
        most = most.max(in_flight.iter().sum());
        assert!(in_flight.iter().all(|bytes| *bytes <= 65_536));
        network.observed[0].blocks.len() == 8
    });
    assert!(done);
    assert!(most > 3 * 65_536, "{most} bytes on the way to a buffer of 65,536");
}

#[test]
fn unknown_senders_and_misdirected_packets_are_dropped() {
    let (mut network, peer) = two(Rules::PRINTED);
    network.nodes[0].send(peer, 0, b"x").unwrap();
    let bytes = network.nodes[0].poll_transmit(network.now).unwrap().bytes.to_vec();
    network.nodes[1].input(network.now, address(9), &bytes);
    assert_eq!(network.nodes[1].counters().dropped(Dropped::Stranger), 1);
    network.nodes[0].input(network.now, address(1), &bytes);
    assert_eq!(network.nodes[0].counters().dropped(Dropped::Misdirected), 1);
    assert!(network.nodes[1].connect(network.now, address(9)).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn mutated_packets_are_only_counted(number in any::<u64>(), printed in any::<bool>()) {
        let rules = if printed { Rules::PRINTED } else { Rules::REPAIRED };
        let mut network = Network::new(2, &config(rules), number, Faults { loss: 50, duplicate: 50, late: 300 });
        let peer = network.connect(0, 1);
        let mut random = Random(number);
        for _ in 0..300 {
            let _ = network.nodes[0].send(peer, 0, &vec![1; 1 + random.below(5_000) as usize]);
            network.step();
            let at = random.below(network.seen.len() as u64) as usize;
            let Some((from, to, mut bytes)) = network.seen.get(at).cloned() else { continue };
            let field = random.below(HEADER as u64) as usize;
            bytes[field] ^= 1 << random.below(8);
            let before = network.nodes[to].counters().received;
            network.nodes[to].input(network.now, address(from), &bytes);
            prop_assert_eq!(network.nodes[to].counters().received, before + 1);
        }
    }
}
