use std::time::Duration;

use proptest::prelude::*;
use suci::{Config, Dropped, Endpoint, Event, Instant, Rules, Security};

use crate::network::{Faults, Network, Random, address, seed};

const SECOND: Duration = Duration::from_secs(1);

fn config() -> Config {
    Config::new(Rules::MODERN, Security::Trusted)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// Real datagrams, changed, cut, made longer, repeated or sent to somebody else, among real traffic: no panic, and whatever
    /// is not used is counted. In a trusted network blocks may be harmed by it; sealed ones arrive as if nothing had been.
    #[test]
    fn changed_datagrams_do_no_more_than_be_counted(number in any::<u64>(), sealed in prop::bool::weighted(0.2)) {
        let security = if sealed { Security::SharedKey([5; 32]) } else { Security::Trusted };
        let config = Config::new(Rules::MODERN, security);
        let mut network = Network::new(3, &config, number, Faults { loss: 50, duplicate: 50, late: 300 });
        let peer = network.connect(0, 1);
        let mut random = Random(number);
        let mut sent = Vec::new();
        for round in 0..300 {
            if network.nodes[0].flow(peer).is_some_and(|flow| flow.queued_blocks < 20) {
                let block = vec![round as u8; 1 + random.below(5_000) as usize];
                if network.nodes[0].send(peer, 0, &block).is_ok() {
                    sent.push(block);
                }
            }
            network.step();
            let at = random.below(network.seen.len() as u64) as usize;
            let Some((from, to, mut bytes)) = network.seen.get(at).cloned() else { continue };
            for _ in 0..random.below(4) {
                let at = random.below(bytes.len() as u64) as usize;
                bytes[at] ^= 1 << random.below(8);
            }
            match random.below(4) {
                0 => bytes.truncate(random.below(bytes.len() as u64) as usize),
                1 => bytes.extend([random.next() as u8; 5]),
                _ => {}
            }
            let (from, to) = if random.below(4) == 0 { (to, from) } else { (from, to) };
            let before = network.nodes[to].counters().received;
            network.nodes[to].input(network.now, address(from), &bytes);
            prop_assert_eq!(network.nodes[to].counters().received, before + 1);
        }
        if sealed {
            prop_assert!(network.run(SECOND * 60, |network| network.told[1].blocks.len() == sent.len()));
            prop_assert!(network.told[1].blocks.iter().map(|(_, _, block)| block).eq(&sent));
        }
    }

    #[test]
    fn random_bytes_are_dropped_and_counted_and_answered_by_nothing(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let mut endpoint = Endpoint::new(config(), seed(1)).unwrap();
        endpoint.input(Instant::ZERO, address(1), &bytes);
        let answered = endpoint.poll_transmit(Instant::ZERO).map_or(0, |transmit| transmit.bytes.len());
        prop_assert!(answered <= bytes.len());
        prop_assert!(answered > 0 || endpoint.counters().all_dropped() == 1);
        prop_assert_eq!(endpoint.poll_event(), None);
    }
}

#[test]
fn an_unproven_address_is_answered_with_less_than_it_sent_and_nothing_is_kept() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    network.drop = Box::new(|from, _, _| from == 1);
    network.connect(0, 1);
    network.run(SECOND * 20, |_| false);
    let sizes = |node: usize| {
        network.seen.iter().filter(|seen| seen.0 == node).map(|seen| seen.2.len()).sum::<usize>()
    };
    assert!(network.nodes[1].counters().sent > 0);
    assert_eq!(sizes(1), 0);
    assert!(network.nodes[1].counters().sent <= network.nodes[0].counters().sent);
    assert_eq!(network.nodes[1].poll_timeout(), None, "nothing is kept of it");
    assert!(network.told[1].others.is_empty());
}

#[test]
fn datagrams_that_are_repeated_later_change_nothing() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    let peer = network.connect(0, 1);
    for number in 0..10u8 {
        network.nodes[0].send(peer, 0, &[number; 3_000]).unwrap();
    }
    assert!(network.run(SECOND, |network| network.told[1].blocks.len() == 10));
    network.run(SECOND, |_| false);
    let all = network.seen.clone();
    for (from, to, bytes) in all {
        network.nodes[to].input(network.now, address(from), &bytes);
    }
    network.run(SECOND, |_| false);
    assert_eq!(network.told[1].blocks.len(), 10);
    assert!(network.nodes[1].counters().dropped(Dropped::Repeated) > 20);
    let closed = |event: &Event| matches!(event, Event::Closed { .. });
    assert!(!network.told.iter().any(|told| told.others.iter().any(closed)));
}

#[test]
fn an_acknowledgement_of_what_was_never_sent_is_dropped() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    let peer = network.connect(0, 1);
    network.nodes[0].send(peer, 0, &[1; 5_000]).unwrap();
    assert!(network.run(SECOND, |network| network.told[1].blocks.len() == 1));
    network.run(SECOND, |_| false);
    // The last datagram from 1 to 0 with an acknowledgement, as a later one that acknowledges more.
    let (_, _, bytes) = network.seen.iter().rev().find(|seen| seen.0 == 1 && seen.2[0] & 15 == 4).unwrap();
    let mut bytes = bytes.clone();
    bytes[16] = 200;
    assert_eq!(bytes[21], 2, "its first frame is an acknowledgement");
    let highest = 21 + 30 + 15;
    bytes[highest] = 250;
    network.nodes[0].input(network.now, address(1), &bytes);
    assert_eq!(network.nodes[0].counters().dropped(Dropped::Forged), 1);
}

#[test]
fn a_clock_that_goes_back_is_counted_and_does_no_harm() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    let peer = network.connect(0, 1);
    network.run(SECOND, |_| false);
    network.nodes[0].send(peer, 0, &[1; 50_000]).unwrap();
    assert!(network.nodes[0].poll_transmit(Instant::ZERO).is_some());
    assert!(network.run(SECOND, |network| network.told[1].blocks.len() == 1));
    assert_eq!(network.nodes[0].counters().clock_went_back, 1);
}
