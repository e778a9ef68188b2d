//! Peers, and datagrams received from them.

/// Address of a queue pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// LID of its port; 0 on Ethernet.
    pub lid: u16,
    /// GID of its port.
    pub gid: [u8; 16],
    /// Queue pair number, 24 bits.
    pub pair: u32,
}

/// A received datagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Number of the sender's queue pair.
    pub pair: u32,
    /// LID of the sender's port; 0 on Ethernet.
    pub lid: u16,
    /// GID of the sender's port, if the datagram has a header.
    pub gid: Option<[u8; 16]>,
    /// Payload, without the 40 bytes of the header.
    pub packet: Vec<u8>,
}

impl Peer {
    /// Whether the datagram is from this peer.
    pub fn sent(&self, arrived: &Arrived) -> bool {
        let port = if self.lid == 0 { arrived.gid == Some(self.gid) } else { arrived.lid == self.lid };
        port && arrived.pair == self.pair
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sender_is_identified_by_port_and_queue_pair() {
        let arrived = |pair, lid, gid| Arrived { pair, lid, gid, packet: vec![] };
        let ethernet = Peer { lid: 0, gid: [7; 16], pair: 17 };
        assert!(ethernet.sent(&arrived(17, 0, Some([7; 16]))));
        for other in [arrived(18, 0, Some([7; 16])), arrived(17, 0, Some([8; 16])), arrived(17, 0, None)] {
            assert!(!ethernet.sent(&other), "{other:?}");
        }
        let infiniband = Peer { lid: 5, ..ethernet };
        assert!(infiniband.sent(&arrived(17, 5, None)));
        assert!(!infiniband.sent(&arrived(17, 6, Some([7; 16]))));
    }
}
