//! The queues of a host, as verbs have them: counts of each ring, and rows of the adapter's contexts.

use std::cell::{Cell, RefCell};

use hca::contexts::{Attributes, Key, OUTSTANDING, PairState, Queue};
use hca::layout::Status;

use crate::layout::{self, COMPLETIONS, COMPLETIONS_LOG, DATAGRAMS, MOST_HOSTS, RING, RING_LOG};

/// Number of the completion queue.
pub const COMPLETION_QUEUE: u8 = 0;
/// The key of all memory, for this host and for its peers: row 0, variant 1.
pub const L_KEY: u32 = Key::of(0, 1);
/// The Q_Key of all datagrams.
pub const Q_KEY: u32 = 0x0110_0101;
/// The protection domain of all queue pairs.
const DOMAIN: u8 = 1;
/// MTU of 2,048 bytes (paper on Fagus, section 4.1), by its code (IBA volume 1, section 9.4.2).
const MTU: u8 = 4;
/// Code of the time-out of a connection (IBA volume 1, section 9.7.6.1.3): packets are retransmitted after 4.096 us *
/// 2^12 = 16.8 ms, up to 7 times; all hosts start within some tens of us.
const TIMEOUT: u8 = 12;
/// Delay of a sender whose receiver has no buffer: 0.02 ms (IBA volume 1, table 45); the number of retries is
/// unlimited.
const RNR_TIMER: u8 = 2;

/// Counts of a queue pair.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pair {
    /// Requests put into the send ring.
    pub sent: u16,
    /// Completed requests of the send ring.
    pub done: u16,
    /// Requests put into the receive ring.
    pub posted: u16,
    /// Requests of the receive ring that the adapter was told of.
    pub rung: u16,
    /// The status that has failed the queue pair.
    pub failed: Option<Status>,
}

impl Pair {
    /// Whether the send ring has room.
    pub fn has_room(&self) -> bool {
        self.sent.wrapping_sub(self.done) < RING
    }
}

/// The queues of a host.
#[derive(Debug)]
pub struct Verbs {
    node: usize,
    nodes: usize,
    /// The queue pairs.
    pub pairs: RefCell<[Pair; MOST_HOSTS]>,
    /// Completions taken.
    pub taken: Cell<u16>,
    /// Completions that the adapter was told of.
    pub told: Cell<u16>,
}

impl Verbs {
    /// The queues of a host before they are set up.
    pub fn new(node: usize, nodes: usize) -> Self {
        let pairs = RefCell::new([Pair::default(); MOST_HOSTS]);
        Verbs { node, nodes, pairs, taken: Cell::default(), told: Cell::default() }
    }

    /// Number of the host.
    pub fn node(&self) -> usize {
        self.node
    }

    /// Number of hosts.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Number of the queue pair for a peer. Each host counts the other hosts, so both ends compute both numbers.
    pub fn pair_of(&self, peer: usize) -> u8 {
        number(self.node, peer)
    }

    /// The host at the other end of a connection.
    pub fn peer_of(&self, pair: u8) -> usize {
        let pair = usize::from(pair);
        if pair < self.node { pair } else { pair + 1 }
    }

    /// Counts of a queue pair.
    pub fn pair(&self, pair: u8) -> Pair {
        self.pairs.borrow()[usize::from(pair)]
    }

    /// Changes the counts of a queue pair.
    pub fn update(&self, pair: u8, change: impl FnOnce(&mut Pair)) {
        change(&mut self.pairs.borrow_mut()[usize::from(pair)]);
    }

    /// The row of a queue pair in the adapter.
    pub fn attributes(&self, pair: u8) -> Attributes {
        let common = Attributes {
            state: PairState::ReadyToSend.code(),
            domain: DOMAIN,
            mtu: MTU,
            send_log: RING_LOG,
            receive_log: RING_LOG,
            send_cq: COMPLETION_QUEUE,
            receive_cq: COMPLETION_QUEUE,
            send_base: layout::send_ring(pair),
            receive_base: layout::receive_ring(pair),
            q_key: Q_KEY,
            ..Attributes::default()
        };
        if pair == DATAGRAMS {
            return common;
        }
        let peer = self.peer_of(pair);
        Attributes {
            connected: true,
            retries: 7,
            rnr_retries: 7,
            timeout: TIMEOUT,
            rnr_timer: RNR_TIMER,
            reads: OUTSTANDING as u8,
            peer: number(peer, self.node).into(),
            peer_lid: lid(peer),
            ..common
        }
    }

    /// The row of the completion queue.
    pub fn queue() -> Queue {
        Queue { valid: true, log: COMPLETIONS_LOG, base: COMPLETIONS, ..Queue::default() }
    }

    /// The row of the key.
    pub fn key() -> Key {
        Key {
            valid: true,
            local_write: true,
            remote_write: true,
            remote_read: true,
            remote_atomic: true,
            domain: DOMAIN,
            variant: Key::variant_of(L_KEY),
            length: crate::bus::MEMORY_BYTES,
            ..Key::default()
        }
    }
}

/// The LID of a host.
pub fn lid(node: usize) -> u16 {
    use cluster::Machine;
    crate::Hca::address(node)
}

fn number(node: usize, peer: usize) -> u8 {
    (if peer < node { peer } else { peer - 1 }) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_connection_name_each_other() {
        for node in 0..MOST_HOSTS {
            let verbs = Verbs::new(node, MOST_HOSTS);
            for peer in (0..MOST_HOSTS).filter(|peer| *peer != node) {
                let (pair, other) = (verbs.pair_of(peer), Verbs::new(peer, MOST_HOSTS));
                let row = verbs.attributes(pair);
                assert_eq!((verbs.peer_of(pair), row.peer_lid), (peer, lid(peer)));
                assert_eq!(row.peer, u32::from(other.pair_of(node)));
                assert!(pair < DATAGRAMS && row.connected);
            }
        }
        assert!(!Verbs::new(0, 2).attributes(DATAGRAMS).connected);
    }
}
