//! How messages of a node leave and come: as datagrams that are made reliable, or as they are.

use std::collections::VecDeque;
use std::time::Duration;

use crate::comm::{Comm, Counts, mix};
use crate::config::{Config, Delivery};
use crate::reassembly::{self, Malformed, Reassembly};

/// What a node has above its network.
pub enum Mail {
    /// The paper's: acknowledged, sent again, divided into packets.
    Datagrams {
        comm: Comm,
        reassembly: Reassembly,
        /// Bytes of a packet at most.
        packet: usize,
        /// Number of the last message that was divided.
        id: u16,
        /// Packets of it that have not left.
        packets: VecDeque<(u16, Vec<u8>)>,
    },
    /// A message is one for the network, too.
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

    /// A message is to leave.
    pub fn send(&mut self, to: u16, message: Vec<u8>) {
        match self {
            Mail::Datagrams { comm, .. } => comm.send(to, &message),
            Mail::Messages(queue) => queue.push_back((to, message)),
        }
    }

    /// Takes what came; the messages that are whole by it.
    pub fn hear(&mut self, now: Duration, from: u16, packet: Vec<u8>) -> Result<Vec<Vec<u8>>, Malformed> {
        match self {
            Mail::Datagrams { comm, reassembly, .. } => {
                let whole = reassembly.hear(now, from, &packet)?;
                Ok(whole.map_or_else(Vec::new, |bytes| comm.hear(now, from, &bytes)))
            }
            Mail::Messages(_) => Ok(vec![packet]),
        }
    }

    /// What is to be sent now, and to whom.
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

    /// When something is to be sent again.
    pub fn wakes(&self) -> Option<Duration> {
        match self {
            Mail::Datagrams { comm, .. } => comm.wakes(),
            Mail::Messages(_) => None,
        }
    }

    /// A node that has not acknowledged anything for too long. A network of messages says by itself whom it has given up.
    pub fn dead(&self, now: Duration) -> Option<u16> {
        match self {
            Mail::Datagrams { comm, .. } => comm.dead(now),
            Mail::Messages(_) => None,
        }
    }

    /// Whether nothing was heard of a node for so long that it is worth a question.
    pub fn is_silent(&self, node: u16, now: Duration, patience: Duration) -> bool {
        match self {
            Mail::Datagrams { comm, .. } => comm.heard(node) + patience <= now,
            Mail::Messages(_) => false,
        }
    }

    /// All that was sent has come, as far as can be known here.
    pub fn is_quiet(&self) -> bool {
        match self {
            Mail::Datagrams { comm, packets, .. } => comm.is_quiet() && packets.is_empty(),
            Mail::Messages(queue) => queue.is_empty(),
        }
    }

    /// What sending again counted.
    pub fn counts(&self) -> Counts {
        match self {
            Mail::Datagrams { comm, .. } => comm.counts,
            Mail::Messages(_) => Counts::default(),
        }
    }
}
