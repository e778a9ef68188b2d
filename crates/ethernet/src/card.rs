//! What a kernel needs of the machine that it runs on: a card's driver, and a processor with its costs.

use std::future::Future;

use cluster::host::{Level, Preemption};
use cluster::{Cpu, Duration, NodeId};

/// What steps of the kernel cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Into the kernel and back.
    pub system_call: Duration,
    /// A turn of a loop: a compare and a branch.
    pub turn: Duration,
    /// A copy of a word of 4 bytes, with a checksum made as it passes.
    pub copy: Duration,
    /// A copy of a word that is in the cache.
    pub copy_cached: Duration,
    /// A checksum over a word that has come into memory.
    pub checksum: Duration,
    /// A packet on its way through the protocols, up or down.
    pub packet: Duration,
}

/// A host as its programs have it.
pub trait Host: Clone + 'static {
    /// The processor.
    fn processor(&self) -> &Cpu;

    /// What the kernel's steps cost.
    fn kernel_costs(&self) -> Costs;
}

/// The driver of a card for ordinary frames, in the kernel of one host. A frame is header and payload, without check sequence.
pub trait Card: 'static {
    /// What its programs have.
    type Host: Host;

    /// The MAC address of a node.
    fn mac_address(node: NodeId) -> [u8; 6];

    /// Number of this node.
    fn node(&self) -> NodeId;

    /// Whether the network has another node of this number.
    fn reaches(&self, node: NodeId) -> bool;

    /// Gives the card a frame; false if it has no room for it.
    fn transmit(&self, host: &Self::Host, frame: &[u8]) -> impl Future<Output = bool>;

    /// There was no room: lets time pass until there may be some.
    fn pause(&self, host: &Self::Host, preemption: &Preemption, level: Level) -> impl Future<Output = ()>;

    /// Waits for the next frame that arrives.
    fn next_frame(&self, host: &Self::Host) -> impl Future<Output = Vec<u8>>;
}
