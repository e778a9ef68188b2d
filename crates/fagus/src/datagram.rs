//! Datagram interface of the paper: `sendto` and `recvfrom` of its libComm (section 3.2).

/// A network of unreliable packets, which may be lost, duplicated or reordered.
pub trait Datagram {
    /// Sends a packet of at most [`reassembly::PACKET`](crate::reassembly::PACKET) bytes to a node.
    fn send_to(&mut self, to: u16, packet: &[u8]);

    /// Takes a received packet. Returns its sender and bytes.
    fn receive_from(&mut self) -> Option<(u16, Vec<u8>)>;
}
