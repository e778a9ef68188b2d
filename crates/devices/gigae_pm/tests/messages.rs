use gigae_pm::protocol::Rules;
use gigae_pm::traffic::host::{Delivery, Setup};
use gigae_pm::traffic::wire::Faults;

use crate::{cards, until};

fn message(i: usize, size: usize) -> Vec<u8> {
    (0..size).map(|b| (b * 7 + i * 13) as u8).collect()
}

#[test]
fn message_arrives_at_the_other_host() {
    let mut pair = cards(1, Faults::default(), Setup::pair);
    pair.hosts[0].send(0, 1, message(3, 1468));
    until(&mut pair, 200, |pair| !pair.hosts[1].deliveries.is_empty());
    assert_eq!(pair.hosts[1].deliveries, [Delivery { ring: 0, node: 0, bytes: message(3, 1468) }]);
}

#[test]
fn messages_arrive_once_and_in_order_whatever_the_cable_loses() {
    for seed in 1..5 {
        let faults = Faults { lost: 6, damaged: 15, cut: 15 };
        let mut pair = cards(seed, faults, Setup::pair);
        let size = |i| 1 + (i * 97) % 1468;
        for i in 0..60 {
            for node in [0, 1] {
                let channel = (i % 2) as u8 * 3;
                pair.hosts[node].send(channel, 1 - node as u16, message(i, size(i)));
            }
        }
        until(&mut pair, 300_000, |pair| pair.hosts.iter().all(|host| host.deliveries.len() >= 60));
        for (host, wire) in pair.hosts.iter().zip(&pair.wires) {
            for channel in [0, 3] {
                let got = host.deliveries.iter().filter(|d| d.ring == channel).map(|d| d.bytes.clone());
                let sent = (0..60).filter(|i| (i % 2) * 3 == channel as usize).map(|i| message(i, size(i)));
                assert_eq!(got.collect::<Vec<_>>(), sent.collect::<Vec<_>>());
            }
            assert!(wire.losses > 0);
        }
        let expired = |node: usize| pair.cards[node].device().firmware.apply_rule.expired;
        assert!(expired(0) > 0 && expired(1) > 0);
    }
}

#[test]
fn full_ring_stops_the_sender_and_room_lets_it_go() {
    let mut pair = cards(1, Faults::default(), Setup::pair);
    pair.hosts[1].takes = false;
    for i in 0..24 {
        pair.hosts[0].send(0, 1, message(i, 40));
    }
    until(&mut pair, 2_000, |pair| pair.cards[1].device().firmware.apply_rule.discarding == 1);
    let delivered = |pair: &crate::Cards| pair.cards[1].device().firmware.receive_frame.delivered;
    assert_eq!(delivered(&pair), 16, "as many as the ring has slots");
    pair.hosts[1].takes = true;
    until(&mut pair, 4_000, |pair| pair.hosts[1].deliveries.len() == 24);
    assert!((0..24).all(|i| pair.hosts[1].deliveries[i].bytes == message(i, 40)));
}

#[test]
fn last_of_a_thousand_nodes_is_answered() {
    let node = |node| if node == 0 { 0 } else { 999 };
    let setup = |n| Setup { node: node(n), nodes: 1000, ..Setup::pair(n) };
    let mut pair = cards(1, Faults::default(), setup);
    pair.hosts[0].send(2, 999, message(0, 40));
    pair.hosts[1].send(2, 0, message(1, 40));
    until(&mut pair, 2_000, |pair| pair.hosts.iter().all(|host| host.deliveries.len() == 1));
    assert_eq!(pair.hosts[0].deliveries, [Delivery { ring: 2, node: 999, bytes: message(1, 40) }]);
    assert_eq!(pair.hosts[1].deliveries, [Delivery { ring: 2, node: 0, bytes: message(0, 40) }]);
}

#[test]
fn printed_rules_never_make_good_the_first_loss() {
    let setup = |node| Setup { rules: Rules::PRINTED, ..Setup::pair(node) };
    let mut pair = cards(1, Faults { lost: 1, ..Faults::default() }, setup);
    pair.hosts[0].send(0, 1, message(0, 40));
    until(&mut pair, 200, |pair| pair.wires[0].losses == 1);
    pair.wires.iter_mut().for_each(|wire| wire.set_faults(Faults::default()));
    pair.hosts[0].send(0, 1, message(1, 40));
    let ran = pair.run_until(20_000_000_000, |pair| !pair.hosts[1].deliveries.is_empty());
    assert_eq!(ran.unwrap(), None, "hazard H1 of decision 0027");
}
