//! Addresses of the nodes of a run.

use std::net::SocketAddr;

use crate::error::Error;
use crate::protocol::Nodes;

/// Nodes of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peers {
    /// Number of this node, an index of `addresses`.
    pub node: usize,
    /// Addresses of all nodes, this one included.
    pub addresses: Vec<SocketAddr>,
    /// Key of the run, the same at all nodes.
    pub key: u64,
}

impl Peers {
    /// Number of this node and number of nodes, if both are valid.
    pub(super) fn seated(&self) -> Result<(u16, usize), Error> {
        let (me, nodes) = (self.node, self.addresses.len());
        if nodes > Nodes::MOST {
            return Err(Error::NoSuch { what: "run of nodes", number: nodes, count: Nodes::MOST });
        }
        if me >= nodes {
            return Err(Error::NoSuch { what: "node", number: me, count: nodes });
        }
        Ok((me as u16, nodes))
    }
}
