//! Datagrams that leave an endpoint.

use std::net::SocketAddr;

/// An outgoing datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmit<'a> {
    /// Destination address.
    pub to: SocketAddr,
    /// UDP payload.
    pub bytes: &'a [u8],
    /// Whether to send it as ECN-capable, with ECT(0) (RFC 3168), if the socket supports it.
    pub ecn: bool,
}
