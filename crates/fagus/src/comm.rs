//! The paper's libComm: acknowledgement, retransmission, and delivery once and in order (sections 3 and 3.2).
//!
//! A message is divided into pieces. Each has a sequence number of its receiver and is retransmitted with
//! exponential backoff until it is acknowledged. Window and timeouts are not printed; both are choices of
//! this project.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use crate::reassembly::SEGMENT;

/// Bytes of a header: kind, sequence number, next expected number, and a bit mask of the 32 numbers after it
/// that have arrived.
pub const HEADER: usize = 13;
/// Largest piece in bytes: eight packets with the header, so that a lost packet costs no more than these.
pub const PIECE: usize = SEGMENT - HEADER;
/// Window: pieces in flight to a node.
const WINDOW: usize = 4;
/// Longest message in bytes.
pub const MESSAGE: usize = 1 << 30;

const ACK: u8 = 0;
const MORE: u8 = 1;
const LAST: u8 = 2;

/// Retransmission and failure timeouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timers {
    /// Initial retransmission timeout. It doubles with each retransmission, up to 16 times the initial value.
    pub resend: Duration,
    /// Time after which a node that acknowledges nothing counts as dead.
    pub dead: Duration,
}

/// Counters of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pieces sent, without retransmissions.
    pub pieces: u64,
    /// Retransmissions.
    pub resent: u64,
    /// Duplicate pieces received.
    pub repeated: u64,
    /// Malformed pieces received.
    pub malformed: u64,
}

struct Flight {
    bytes: Vec<u8>,
    last: bool,
    tries: u32,
    due: Duration,
    since: Option<Duration>,
}

#[derive(Default)]
struct Peer {
    next: u32,
    queue: VecDeque<(bool, Vec<u8>)>,
    flights: BTreeMap<u32, Flight>,
    expected: u32,
    early: BTreeMap<u32, (bool, Vec<u8>)>,
    partial: Vec<u8>,
    owes: bool,
    heard: Duration,
}

/// Connections to all nodes.
pub struct Comm {
    peers: Vec<Peer>,
    timers: Timers,
    seed: u64,
    /// Counters of all connections.
    pub counts: Counts,
}

impl Comm {
    /// State before the first message among `nodes` nodes. The seed randomizes retransmission times and
    /// should differ between nodes.
    pub fn new(nodes: usize, timers: Timers, seed: u64) -> Comm {
        let peers = (0..nodes).map(|_| Peer::default()).collect();
        Comm { peers, timers, seed, counts: Counts::default() }
    }

    /// Queues a message.
    pub fn send(&mut self, to: u16, message: &[u8]) {
        let last = message.len().saturating_sub(1) / PIECE;
        let peer = &mut self.peers[usize::from(to)];
        for (number, piece) in message.chunks(PIECE).enumerate() {
            peer.queue.push_back((number == last, piece.to_vec()));
        }
    }

    /// Time of the last packet from a node.
    pub fn heard(&self, node: u16) -> Duration {
        self.peers[usize::from(node)].heard
    }

    /// Whether everything is acknowledged.
    pub fn is_quiet(&self) -> bool {
        self.peers.iter().all(|peer| peer.queue.is_empty() && peer.flights.is_empty())
    }

    /// Handles a packet from a node and returns the messages that it completes.
    pub fn hear(&mut self, now: Duration, from: u16, bytes: &[u8]) -> Vec<Vec<u8>> {
        let Some(peer) = self.peers.get_mut(usize::from(from)) else { return Vec::new() };
        let Some((header, piece)) = bytes.split_at_checked(HEADER) else {
            self.counts.malformed += 1;
            return Vec::new();
        };
        let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes"));
        let (kind, number, expected, have) = (header[0], word(1), word(5), word(9));
        let is_piece = matches!(kind, MORE | LAST) && (1..=PIECE).contains(&piece.len());
        if expected > peer.next || !(is_piece || kind == ACK && piece.is_empty()) {
            self.counts.malformed += 1;
            return Vec::new();
        }
        peer.heard = now;
        let behind = |number: u32| number.checked_sub(expected + 1).filter(|at| *at < 32);
        peer.flights
            .retain(|&number, _| number >= expected && behind(number).is_none_or(|at| have >> at & 1 == 0));
        if !is_piece {
            return Vec::new();
        }
        peer.owes = true;
        // A sender never exceeds the window.
        if number >= peer.expected.saturating_add(WINDOW as u32) {
            self.counts.malformed += 1;
            return Vec::new();
        }
        if number < peer.expected || peer.early.contains_key(&number) {
            self.counts.repeated += 1;
            return Vec::new();
        }
        peer.early.insert(number, (kind == LAST, piece.to_vec()));
        let mut messages = Vec::new();
        while let Some((last, piece)) = peer.early.remove(&peer.expected) {
            peer.expected += 1;
            peer.partial.extend(piece);
            if last {
                messages.push(std::mem::take(&mut peer.partial));
            } else if peer.partial.len() > MESSAGE {
                peer.partial.clear();
                self.counts.malformed += 1;
            }
        }
        messages
    }

    /// Next piece to send, and its receiver.
    pub fn next(&mut self, now: Duration) -> Option<(u16, Vec<u8>)> {
        let (at, bytes) = self.peers.iter_mut().enumerate().find_map(|(at, peer)| {
            while peer.flights.len() < WINDOW && peer.room() {
                let Some((last, bytes)) = peer.queue.pop_front() else { break };
                let flight = Flight { bytes, last, tries: 0, due: now, since: None };
                peer.flights.insert(peer.next, flight);
                peer.next += 1;
            }
            let due = peer.flights.iter_mut().find(|(_, flight)| flight.due <= now);
            let Some((&number, flight)) = due else {
                return std::mem::take(&mut peer.owes).then(|| (at, peer.write(ACK, 0, &[])));
            };
            match flight.since {
                None => self.counts.pieces += 1,
                Some(_) => self.counts.resent += 1,
            }
            flight.since.get_or_insert(now);
            // Jitter keeps nodes from retransmitting at the same time after a common loss.
            let jitter =
                mix(self.seed ^ u64::from(number) << 32 ^ (at as u64) << 8 ^ u64::from(flight.tries)) % 64;
            let wait = self.timers.resend * (1 << flight.tries.min(4));
            flight.due = now + wait + wait * jitter as u32 / 128;
            flight.tries += 1;
            let kind = if flight.last { LAST } else { MORE };
            peer.owes = false;
            Some((at, peer.write(kind, number, &peer.flights[&number].bytes)))
        })?;
        Some((at as u16, bytes))
    }

    /// Time of the next retransmission.
    pub fn wakes(&self) -> Option<Duration> {
        self.peers.iter().flat_map(|peer| peer.flights.values().map(|flight| flight.due)).min()
    }

    /// A node that has acknowledged nothing for `timers.dead`.
    pub fn dead(&self, now: Duration) -> Option<u16> {
        let gone = |peer: &Peer| {
            let waits = peer.flights.values().filter_map(|flight| flight.since).min();
            waits.is_some_and(|since| now >= since.max(peer.heard) + self.timers.dead)
        };
        self.peers.iter().position(gone).map(|node| node as u16)
    }
}

impl Peer {
    /// Whether the next piece is within the window of the oldest one in flight.
    fn room(&self) -> bool {
        self.flights.keys().next().is_none_or(|first| self.next - first < WINDOW as u32)
    }

    fn write(&self, kind: u8, number: u32, piece: &[u8]) -> Vec<u8> {
        // Early pieces are within the window, which is shorter than the mask.
        let behind = self.early.keys().filter_map(|number| number.checked_sub(self.expected + 1));
        let have = behind.fold(0u32, |bits, at| bits | 1 << at);
        let words = [number, self.expected, have].map(u32::to_le_bytes);
        [&[kind], words.as_flattened(), piece].concat()
    }
}

/// Mixes the bits of a number (SplitMix64).
pub(crate) fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
