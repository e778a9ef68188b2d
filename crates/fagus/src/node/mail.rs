//! Message transport of a node: over datagrams made reliable, or over a reliable network.

use std::collections::VecDeque;
use std::time::Duration;

use crate::comm::{Comm, Counts, mix};
use crate::config::{Config, Delivery};
use crate::reassembly::{self, Malformed, Reassembly};

/// Layer between a node and its network.
pub enum Mail {
    /// Datagrams as in the paper: acknowledged, retransmitted and divided into packets.
    Datagrams {
        comm: Comm,
        reassembly: Reassembly,
        /// Largest packet in bytes.
        packet: usize,
        /// Number of the last message divided into packets.
        id: u16,
        /// Packets of the message that have not been sent.
        packets: VecDeque<(u16, Vec<u8>)>,
    },
    /// Messages are passed to the network unchanged.
    Messages(VecDeque<(u16, Vec<u8>)>),
}

impl Mail {
    pub fn new(me: u16, nodes: usize, config: &Config) -> Mail {
        match config.delivery {
            Delivery::Datagrams(packet) => Mail::Datagrams {
                comm: Comm::new(nodes, config.timers, mix(config.seed ^ u64::from(me))),
                reassembly: Reassembly::new(packet),
                packet,
                id: 0,
                packets: VecDeque::new(),
            },
            Delivery::Messages => Mail::Messages(VecDeque::new()),
        }
    }

    /// Queues a message.
    pub fn send(&mut self, to: u16, message: Vec<u8>) {
        match self {
            Mail::Datagrams { comm, .. } => comm.send(to, &message),
            Mail::Messages(queue) => queue.push_back((to, message)),
        }
    }

    /// Handles a received packet and returns the messages that it completes.
    pub fn hear(&mut self, now: Duration, from: u16, packet: Vec<u8>) -> Result<Vec<Vec<u8>>, Malformed> {
        match self {
            Mail::Datagrams { comm, reassembly, .. } => {
                let whole = reassembly.hear(now, from, &packet)?;
                Ok(whole.map_or_else(Vec::new, |bytes| comm.hear(now, from, &bytes)))
            }
            Mail::Messages(_) => Ok(vec![packet]),
        }
    }

    /// Next packet to send, and its receiver.
    pub fn next(&mut self, now: Duration) -> Option<(u16, Vec<u8>)> {
        match self {
            Mail::Datagrams { comm, packet, id, packets, .. } => {
                if packets.is_empty() {
                    let (to, message) = comm.next(now)?;
                    *id = id.wrapping_add(1);
                    packets.extend(reassembly::split(*id, &message, *packet).map(|packet| (to, packet)));
                }
                packets.pop_front()
            }
            Mail::Messages(queue) => queue.pop_front(),
        }
    }

    /// Time of the next retransmission.
    pub fn wakes(&self) -> Option<Duration> {
        match self {
            Mail::Datagrams { comm, .. } => comm.wakes(),
            Mail::Messages(_) => None,
        }
    }

    /// A node that has acknowledged nothing for too long. A reliable network reports dead nodes itself.
    pub fn dead(&self, now: Duration) -> Option<u16> {
        match self {
            Mail::Datagrams { comm, .. } => comm.dead(now),
            Mail::Messages(_) => None,
        }
    }

    /// Whether a node has been silent for `patience`, so that it is worth a ping.
    pub fn is_silent(&self, node: u16, now: Duration, patience: Duration) -> bool {
        match self {
            Mail::Datagrams { comm, .. } => comm.heard(node) + patience <= now,
            Mail::Messages(_) => false,
        }
    }

    /// Whether all packets sent have been acknowledged.
    pub fn is_quiet(&self) -> bool {
        match self {
            Mail::Datagrams { comm, packets, .. } => comm.is_quiet() && packets.is_empty(),
            Mail::Messages(queue) => queue.is_empty(),
        }
    }

    /// Counters of the retransmission protocol.
    pub fn counts(&self) -> Counts {
        match self {
            Mail::Datagrams { comm, .. } => comm.counts,
            Mail::Messages(_) => Counts::default(),
        }
    }
}
