//! Captures of endpoints on a simulated network, replayed.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use suci::paper::Repairs;
use suci::{Config, Endpoint, Event, Instant, Policy, Rules, SecretKey, Security};
use suci_capture::{Capture, Kept, Keys, Played, ReadError, Reader, ReplayError, replay};

fn address(node: usize) -> SocketAddr {
    ([10, 0, 0, 1 + node as u8], 7).into()
}

fn secret(node: usize) -> SecretKey {
    SecretKey::from_bytes([11 + node as u8; 32])
}

/// Each node pins the key of the other.
fn pinned(node: usize) -> Security {
    Security::Pinned { own: secret(node), peers: [secret(1 - node).public()].into() }
}

/// Capture of node 0 in a bidirectional transfer over a network that drops every seventh packet and
/// duplicates every fifth.
fn captured(rules: Rules, security: impl Fn(usize) -> Security, keys: Keys, path: &Path) -> Vec<u8> {
    let config = |node: usize| Config {
        id: node as u16,
        database: vec![(address(1 - node), 1 - node as u16)],
        congested: 4,
        ..Config::new(rules, security(node))
    };
    let capture = Capture::create(path, address(0), keys).unwrap();
    let fault = capture.fault();
    let mut nodes = [
        Endpoint::recorded(config(0), [1; 32], Box::new(capture)).unwrap(),
        Endpoint::new(config(1), [2; 32]).unwrap(),
    ];
    let mut now = Instant::ZERO;
    let key = secret(1).public();
    let peer = nodes[0].connect_to(now, address(1), key).unwrap();
    nodes[0].pin(secret(2).public());
    nodes[0].unpin(&secret(2).public());
    nodes[0].permits(Policy::Weighted);
    nodes[0].weigh(peer, 3);
    nodes[0].grant(peer, 10_000);
    assert!(nodes[0].send(peer, 0, &[]).is_err());
    let (mut sent, mut carried, mut taken) = (0u8, 0, 0);
    let mut flying = VecDeque::new();
    for _ in 0..5_000 {
        if sent < 20 && nodes[0].send(peer, 0, &vec![sent; 1 + 150 * usize::from(sent)]).is_ok() {
            sent += 1;
        }
        for node in 0..2 {
            while let Some(transmit) = nodes[node].poll_transmit(now) {
                carried += 1;
                let copies = if carried % 7 == 0 { 0 } else { 1 + usize::from(carried % 5 == 0) };
                flying.extend(vec![(1 - node, transmit.bytes.to_vec()); copies]);
            }
            while let Some(event) = nodes[node].poll_event() {
                if let (Event::Block { peer, block, .. }, 1) = (&event, node) {
                    taken += 1;
                    let _ = nodes[1].send(*peer, 0, &block[..1]);
                }
            }
        }
        now = now + Duration::from_micros(50);
        if let Some((node, packet)) = flying.pop_front() {
            nodes[node].input(now, address(1 - node), &packet);
        } else if taken == 20 {
            break;
        } else {
            let due = nodes.iter().filter_map(Endpoint::poll_timeout).min();
            now = due.map_or(now, |due| due.max(now));
        }
    }
    assert_eq!(taken, 20, "{rules:?}");
    nodes[0].retransmit(peer);
    nodes[0].update_key(peer);
    nodes[0].close(peer);
    nodes[0].poll_transmit(now);
    drop(nodes);
    assert!(fault.get().is_none());
    std::fs::read(path).unwrap()
}

fn trusted(rules: Rules) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    captured(rules, |_| Security::Trusted, Keys::LeftOut, &folder.path().join("trace.pcapng"))
}

fn played(bytes: &[u8]) -> Result<Played, ReplayError> {
    replay(Reader::new(bytes)?)
}

fn kept(bytes: &[u8]) -> Vec<Kept> {
    Reader::new(bytes).unwrap().map(Result::unwrap).collect()
}

#[test]
fn replay_reproduces_packets_results_and_events() {
    let without = Rules::Paper(Repairs { go_back: false, ..Repairs::ALL });
    for rules in [Rules::MODERN, Rules::REPAIRED, without] {
        let bytes = trusted(rules);
        let played = played(&bytes).unwrap();
        assert_eq!(played.divergence, None, "{rules:?}");
        assert_eq!(played.calls, 1 + kept(&bytes).len());
        assert!(played.sent > 20 && played.received > 20 && played.blocks_taken > 15, "{played:?}");
        assert_eq!(played.blocks_sent, 20);
    }
}

#[test]
fn same_run_gives_the_same_file() {
    assert_eq!(trusted(Rules::MODERN), trusted(Rules::MODERN));
}

#[test]
fn different_packet_is_reported_with_place_and_time() {
    let mut bytes = trusted(Rules::MODERN);
    let lines = kept(&bytes);
    let is_packet = |kept: &&Kept| kept.line.starts_with("in ") || kept.line.contains(" -> 10.");
    let mut packets = lines.iter().filter(is_packet).enumerate();
    let (before, other) =
        packets.find(|(_, kept)| kept.line.starts_with("out ") && kept.bytes.len() > 500).unwrap();
    let at = bytes.windows(other.bytes.len()).position(|window| window == other.bytes).unwrap();
    bytes[at + 400] ^= 1;
    let divergence = played(&bytes).unwrap().divergence.unwrap();
    assert_eq!((divergence.number, divergence.byte), (other.number, Some(400)));
    assert_eq!(divergence.packets.0 + divergence.packets.1, before);
    let time = other.line.split(' ').nth(1).unwrap();
    assert_eq!(divergence.at_ns.to_string(), time);
    assert_eq!(divergence.recorded, other.line);
}

#[test]
fn endpoint_with_other_rules_diverges() {
    let mut bytes = trusted(Rules::REPAIRED);
    let text = b" epochs\n";
    let at = bytes.windows(text.len()).position(|window| window == text).unwrap();
    // A repair may be named twice: replaces one repair by the name of another with the same length.
    bytes[at..at + text.len()].copy_from_slice(b" refuse\n");
    let divergence = played(&bytes).unwrap().divergence.unwrap();
    assert_ne!(divergence.recorded, divergence.replayed);
}

#[test]
fn key_is_omitted_by_default() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.pcapng");
    let key = Security::SharedKey([0xa7; 32]);
    let bytes = captured(Rules::MODERN, |_| key.clone(), Keys::LeftOut, &path);
    assert!(!bytes.windows(8).any(|window| window == b"a7a7a7a7"));
    let error = played(&bytes).unwrap_err().to_string();
    assert!(error.contains("record with keys"), "{error}");
}

#[test]
fn endpoints_with_recorded_keys_are_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.pcapng");
    let shared = |_| Security::SharedKey([0xa7; 32]);
    for bytes in [
        captured(Rules::MODERN, shared, Keys::Kept, &path),
        captured(Rules::MODERN, pinned, Keys::Kept, &path),
    ] {
        let played = played(&bytes).unwrap();
        assert_eq!(played.divergence, None);
        assert!(played.sent > 20 && played.blocks_taken > 15, "{played:?}");
    }
}

#[test]
fn truncated_file_is_detected() {
    let bytes = trusted(Rules::MODERN);
    let whole = played(&bytes).unwrap().calls;
    for length in (0..bytes.len()).step_by(97) {
        match played(&bytes[..length]) {
            // The file ends between two blocks.
            Ok(played) => assert!(played.calls < whole && played.divergence.is_none()),
            Err(ReplayError::Read(error)) => {
                let early = matches!(error, ReadError::NoPcapng | ReadError::NoSuci);
                assert!(early || matches!(error, ReadError::Cut(_)), "{error}");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn damaged_file_is_an_error_or_a_divergence() {
    let bytes = trusted(Rules::MODERN);
    let mut detected = 0;
    for at in (0..bytes.len().min(60_000)).step_by(13) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        // Synthetic headers, paddings and time stamps of packets have no effect.
        detected += usize::from(!played(&damaged).is_ok_and(|played| played.divergence.is_none()));
    }
    assert!(detected > 500, "{detected}");
}

#[test]
fn other_files_are_refused() {
    assert_eq!(Reader::new(b"").err(), Some(ReadError::NoPcapng));
    assert_eq!(
        Reader::new(b"plain text that is long enough to be a header").err(),
        Some(ReadError::NoPcapng)
    );
    let bytes = trusted(Rules::MODERN);
    // The section header alone: an empty pcapng file.
    let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    assert_eq!(Reader::new(&bytes[..length]).err(), Some(ReadError::NoSuci));
}

#[test]
fn failed_capture_reports_an_error_and_the_endpoint_continues() {
    let Ok(capture) = Capture::create(Path::new("/dev/full"), address(0), Keys::LeftOut) else { return };
    let fault = capture.fault();
    let config = Config::new(Rules::MODERN, Security::Trusted);
    let mut endpoint = Endpoint::recorded(config, [1; 32], Box::new(capture)).unwrap();
    let peer = endpoint.connect(Instant::ZERO, address(1)).unwrap();
    assert!(endpoint.send(peer, 0, b"all the same").is_ok());
    assert!(endpoint.poll_transmit(Instant::ZERO).is_some());
    assert!(endpoint.poll_transmit(Instant::ZERO).is_none());
    assert!(fault.get().is_some());
}
