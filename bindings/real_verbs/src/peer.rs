//! Other queue pairs, and what comes of them.

/// Where a queue pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Local identifier of its port; 0 on Ethernet.
    pub lid: u16,
    /// Global identifier of its port.
    pub gid: [u8; 16],
    /// Its number.
    pub pair: u32,
}

/// A packet that has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Queue pair that sent it.
    pub pair: u32,
    /// Local identifier of its port.
    pub lid: u16,
    /// Global identifier of its port, if the packet said so.
    pub gid: Option<[u8; 16]>,
    /// The packet.
    pub packet: Vec<u8>,
}

impl Peer {
    /// Whether it sent what has come.
    pub fn sent(&self, arrived: &Arrived) -> bool {
        let port = if self.lid == 0 { arrived.gid == Some(self.gid) } else { arrived.lid == self.lid };
        port && arrived.pair == self.pair
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sender_is_known_by_its_port_and_its_pair() {
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
