//! The seam that the paper has: `sendto` and `recvfrom` of its libComm (section 3.2).

/// Carries packets between nodes, or loses, repeats and reorders them.
pub trait Datagram {
    /// Sends a packet of at most [`reassembly::PACKET`](crate::reassembly::PACKET) bytes to a node.
    fn send_to(&mut self, to: u16, packet: &[u8]);

    /// A packet that has come, and who sent it.
    fn receive_from(&mut self) -> Option<(u16, Vec<u8>)>;
}
