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

    /// Genuine traffic with mutated, truncated, extended, duplicated and misdirected datagrams: no panic, and
    /// unused datagrams are counted. Without protection blocks may be damaged; sealed ones arrive unharmed.
    #[test]
    fn mutated_datagrams_are_only_counted(number in any::<u64>(), sealed in prop::bool::weighted(0.2)) {
        let security = if sealed { Security::SharedKey([5; 32]) } else { Security::Trusted };
        let config = Config::new(Rules::MODERN, security);
        let mut network = Network::new(3, &config, number, Faults { loss: 50, duplicate: 50, late: 300 });
        network.monitor.off();
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
            prop_assert!(network.run(SECOND * 60, |network| network.observed[1].blocks.len() == sent.len()));
            prop_assert!(network.observed[1].blocks.iter().map(|(_, _, block)| block).eq(&sent));
        }
    }

    #[test]
    fn random_bytes_are_counted_and_not_answered(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let mut endpoint = Endpoint::new(config(), seed(1)).unwrap();
        endpoint.input(Instant::ZERO, address(1), &bytes);
        let answered = endpoint.poll_transmit(Instant::ZERO).map_or(0, |transmit| transmit.bytes.len());
        prop_assert!(answered <= bytes.len());
        prop_assert!(answered > 0 || endpoint.counters().all_dropped() == 1);
        prop_assert_eq!(endpoint.poll_event(), None);
    }
}

#[test]
fn unvalidated_address_gets_fewer_bytes_and_no_state() {
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
    assert!(network.observed[1].others.is_empty());
}

#[test]
fn replayed_datagrams_change_nothing() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    let peer = network.connect(0, 1);
    for number in 0..10u8 {
        network.nodes[0].send(peer, 0, &[number; 3_000]).unwrap();
    }
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 10));
    network.run(SECOND, |_| false);
    let all = network.seen.clone();
    for (from, to, bytes) in all {
        network.nodes[to].input(network.now, address(from), &bytes);
    }
    network.run(SECOND, |_| false);
    assert_eq!(network.observed[1].blocks.len(), 10);
    assert!(network.nodes[1].counters().dropped(Dropped::Repeated) > 20);
    let closed = |event: &Event| matches!(event, Event::Closed { .. });
    assert!(!network.observed.iter().any(|observed| observed.others.iter().any(closed)));
}

#[test]
fn acknowledgement_of_an_unsent_packet_is_dropped() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    let peer = network.connect(0, 1);
    network.nodes[0].send(peer, 0, &[1; 5_000]).unwrap();
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 1));
    network.run(SECOND, |_| false);
    // The last datagram from 1 to 0 with an acknowledgement, changed to acknowledge a later packet.
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
fn clock_that_runs_backwards_is_counted_without_harm() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    let peer = network.connect(0, 1);
    network.run(SECOND, |_| false);
    network.nodes[0].send(peer, 0, &[1; 50_000]).unwrap();
    assert!(network.nodes[0].poll_transmit(Instant::ZERO).is_some());
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 1));
    assert_eq!(network.nodes[0].counters().clock_went_back, 1);
}

/// A datagram of a misbehaving peer: arbitrary frames in a genuine packet with a new number.
fn forged(network: &Network, number: u64, frames: &[u8]) -> Vec<u8> {
    let genuine = network.seen.iter().rev().find(|seen| seen.0 == 0 && seen.2[0] & 15 == 4).unwrap();
    let mut bytes = genuine.2[..9].to_vec();
    bytes.extend(number.to_be_bytes());
    bytes.extend([0; 4]);
    bytes.extend(frames);
    bytes
}

/// Part frame as on the wire.
fn part(priority: u8, block: u64, index: u32, total: u32, bytes: &[u8]) -> Vec<u8> {
    let mut frame = vec![3, priority];
    frame.extend(block.to_be_bytes());
    frame.extend(index.to_be_bytes());
    frame.extend(total.to_be_bytes());
    frame.extend((bytes.len() as u16).to_be_bytes());
    frame.extend(bytes);
    frame
}

#[test]
fn invalid_parts_are_dropped_and_counted_by_reason() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    let peer = network.connect(0, 1);
    network.nodes[0].send(peer, 0, b"x").unwrap();
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 1));
    let cases = [
        ("a block of nothing", part(0, 1, 0, 0, b"a"), Dropped::Malformed),
        ("a part of nothing", part(0, 1, 0, 5, b""), Dropped::Malformed),
        ("a block beyond the limit", part(0, 1, 0, u32::MAX, &[0; 1_000]), Dropped::Malformed),
        ("a priority that is none", part(9, 1, 0, 5, b"abcde"), Dropped::Malformed),
        ("a part beyond its block", part(0, 1, 7, 5, b"abcde"), Dropped::Malformed),
        ("a part that is cut", part(0, 1, 0, 5, b"abc"), Dropped::Malformed),
        ("a block far ahead", part(0, 1 << 40, 0, 5, b"abcde"), Dropped::NoRoom),
        ("a block that came", part(0, 0, 0, 1, b"y"), Dropped::Repeated),
        ("a frame that is none", vec![99], Dropped::Kind),
        ("nothing", vec![], Dropped::Malformed),
    ];
    for (at, (what, frames, why)) in cases.iter().enumerate() {
        let before = network.nodes[1].counters().dropped(*why);
        let datagram = forged(&network, 500 + at as u64, frames);
        network.nodes[1].input(network.now, address(0), &datagram);
        assert_eq!(network.nodes[1].counters().dropped(*why), before + 1, "{what}");
        assert_eq!(network.nodes[1].poll_event(), None, "{what}");
    }
    // Two different lengths of one block: the second part is rejected.
    let first = forged(&network, 600, &part(0, 1, 1, 3_000, &[1; 1_142]));
    let second = forged(&network, 601, &part(0, 1, 0, 2_000, &[2; 1_142]));
    network.nodes[1].input(network.now, address(0), &first);
    let before = network.nodes[1].counters().dropped(Dropped::Malformed);
    network.nodes[1].input(network.now, address(0), &second);
    assert_eq!(network.nodes[1].counters().dropped(Dropped::Malformed), before + 1);
}

#[test]
fn optimistic_acknowledgements_do_not_open_the_window() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    let peer = network.connect(0, 1);
    network.nodes[0].send(peer, 0, b"x").unwrap();
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 1));
    for number in 0..4 {
        network.nodes[0].send(peer, 0, &[number; 100_000]).unwrap();
    }
    while network.nodes[0].poll_transmit(network.now).is_some() {}
    let before = network.nodes[0].flow(peer).unwrap();
    // The attacker does not know the times in these packets and guesses.
    let (_, _, genuine) = network.seen.iter().rev().find(|seen| seen.0 == 1 && seen.2[0] & 15 == 4).unwrap();
    for guess in 0..100u64 {
        let mut bytes = genuine[..9].to_vec();
        bytes.extend((1_000 + guess).to_be_bytes());
        bytes.extend([0; 4]);
        bytes.push(2);
        bytes.extend((guess as u32 * 7_919).to_be_bytes());
        bytes.extend([0; 4 + 8 + 4 + 4 + 4 + 4]);
        bytes.push(1);
        bytes.extend(0u64.to_be_bytes());
        bytes.extend((2 + guess % 8).to_be_bytes());
        network.nodes[0].input(network.now, address(1), &bytes);
    }
    assert_eq!(network.nodes[0].counters().dropped(Dropped::Forged), 100);
    assert_eq!(network.nodes[0].flow(peer).unwrap().window, before.window);
}

#[test]
fn flood_from_spoofed_addresses_gets_fewer_bytes_and_no_state() {
    for security in [Security::Trusted, Security::SharedKey([5; 32])] {
        let config = Config::new(Rules::MODERN, security);
        let mut network = Network::new(2, &config, 1, Faults::default());
        network.connect(0, 1);
        network.run(SECOND, |network| !network.observed[1].others.is_empty());
        let call = network.seen.iter().find(|seen| seen.0 == 0).unwrap().2.clone();
        let mut victim = Endpoint::new(config, seed(3)).unwrap();
        let (mut got, mut answered) = (0, 0);
        for number in 0..20_000usize {
            victim.input(network.now, address(number), &call);
            got += call.len();
            if number % 10 == 0 {
                while let Some(transmit) = victim.poll_transmit(network.now) {
                    answered += transmit.bytes.len();
                }
            }
        }
        assert!(answered < got, "{answered} of {got}");
        while victim.poll_transmit(network.now).is_some() {}
        assert_eq!((victim.poll_timeout(), victim.poll_event()), (None, None), "nothing is kept");
    }
}

#[test]
fn peer_without_window_is_probed_and_closed_when_silent() {
    let mut network = Network::new(2, &config(), 3, Faults::default());
    let peer = network.connect(0, 1);
    network.asleep[1] = true;
    while network.nodes[0].send(peer, 0, &[1; 100_000]).is_ok() {}
    network.run(SECOND * 600, |_| false);
    let sent = network.nodes[0].counters().sent;
    network.run(SECOND * 600, |_| false);
    assert!(network.nodes[0].counters().sent - sent < 600, "less than one a second");
    assert!(network.nodes[0].flow(peer).is_some(), "it answers, so it stays");
    network.drop = Box::new(|from, _, _| from == 1);
    let closed = Event::Closed { peer, reason: suci::Reason::Silent };
    assert!(network.run(SECOND * 60, |network| network.observed[0].others.contains(&closed)));
}

#[test]
fn acknowledgement_with_any_wrong_bit_is_dropped() {
    let mut network = Network::new(2, &config(), 1, Faults::default());
    let peer = network.connect(0, 1);
    network.nodes[0].send(peer, 0, b"x").unwrap();
    assert!(network.run(SECOND, |network| network.observed[1].blocks.len() == 1));
    network.run(SECOND, |_| false);
    network.now = network.now + SECOND;
    let now = network.now;
    network.nodes[0].send(peer, 0, b"y").unwrap();
    let sent = network.nodes[0].poll_transmit(now).unwrap().bytes.to_vec();
    network.nodes[1].input(now, address(0), &sent);
    let genuine = network.nodes[1].poll_transmit(now).unwrap().bytes.to_vec();
    let in_flight = network.nodes[0].flow(peer).unwrap().in_flight;
    assert!(in_flight > 0 && genuine[21] == 2, "its first frame is an acknowledgement");
    // Version and kind, connection ID, the echoed time, and the highest number, which was not sent then.
    let bits = [(0, 4..8, Dropped::Kind), (1, 0..64, Dropped::Stale), (22, 0..32, Dropped::Forged)];
    for (byte, bits, why) in bits {
        for bit in bits {
            let mut forged = genuine.clone();
            forged[byte + bit / 8] ^= 1 << (bit % 8);
            let before = network.nodes[0].counters().dropped(why);
            network.nodes[0].input(now, address(1), &forged);
            assert_eq!(network.nodes[0].counters().dropped(why), before + 1, "byte {byte}, bit {bit}");
            assert_eq!(network.nodes[0].flow(peer).unwrap().in_flight, in_flight);
        }
    }
    let last = u64::from_be_bytes(sent[9..17].try_into().unwrap());
    let high = 21 + 34 + 8 + 7;
    assert_eq!(genuine[high - 7..=high], last.to_be_bytes()[..], "the end of its first range");
    for beyond in [1, 2, 1 << 40] {
        let mut forged = genuine.clone();
        forged[high - 7..=high].copy_from_slice(&(last + beyond).to_be_bytes());
        let before = network.nodes[0].counters().dropped(Dropped::Forged);
        network.nodes[0].input(now, address(1), &forged);
        assert_eq!(
            network.nodes[0].counters().dropped(Dropped::Forged),
            before + 1,
            "{beyond} beyond the last"
        );
    }
    network.nodes[0].input(now, address(1), &genuine);
    assert_eq!(network.nodes[0].flow(peer).unwrap().in_flight, 0);
}
