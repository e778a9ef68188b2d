//! Requirements of the kernel on its machine: the driver of a card, and a processor with its costs.

use std::future::Future;

use cluster::host::{Level, Preemption};
use cluster::{Cpu, Duration, NodeId};

/// Costs of the kernel's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Into the kernel and back.
    pub system_call: Duration,
    /// A turn of a loop: a compare and a branch.
    pub turn: Duration,
    /// A copy of a word of 4 bytes, with its checksum.
    pub copy: Duration,
    /// A copy of a cached word.
    pub copy_cached: Duration,
    /// A checksum over a word in memory.
    pub checksum: Duration,
    /// A packet through the protocols, up or down.
    pub packet: Duration,
}

/// A host as its programs see it.
pub trait Host: Clone + 'static {
    /// Processor on which the kernel and its programs run.
    fn processor(&self) -> &Cpu;

    /// Costs of the kernel's steps.
    fn kernel_costs(&self) -> Costs;
}

/// The driver of a card for ordinary frames, in the kernel of one host. A frame is header and payload, without check sequence.
pub trait Card: 'static {
    /// Host of the card.
    type Host: Host;

    /// Every node has one card.
    fn mac_address(node: NodeId) -> [u8; 6];

    /// Number of this node.
    fn node(&self) -> NodeId;

    /// Whether the network has another node of this number.
    fn reaches(&self, node: NodeId) -> bool;

    /// Gives the card a frame; returns false if it has no room.
    fn transmit(&self, host: &Self::Host, frame: &[u8]) -> impl Future<Output = bool>;

    /// The card had no room: lets time pass until it may have some.
    fn pause(&self, host: &Self::Host, preemption: &Preemption, level: Level) -> impl Future<Output = ()>;

    /// Waits for the next frame that arrives.
    fn next_frame(&self, host: &Self::Host) -> impl Future<Output = Vec<u8>>;
}
