//! Sets of nodes.

/// A set of nodes as a bit mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nodes(u64);

impl Nodes {
    /// Maximum number of nodes in a run.
    pub const MOST: usize = 64;

    /// The empty set.
    pub const NONE: Nodes = Nodes(0);

    /// Nodes 0 to `count - 1`.
    pub fn first(count: usize) -> Nodes {
        assert!(count <= Nodes::MOST, "a run has at most {} nodes", Nodes::MOST);
        Nodes((0..count).fold(0, |bits, node| bits | 1 << node))
    }

    /// Node numbers of 64 and above have no effect.
    pub fn insert(&mut self, node: u16) {
        self.0 |= Self::bit(node);
    }

    /// Removes a node. Returns whether it was in the set.
    pub fn remove(&mut self, node: u16) -> bool {
        let was = self.contains(node);
        self.0 &= !Self::bit(node);
        was
    }

    /// The set without a node.
    pub fn without(mut self, node: u16) -> Nodes {
        self.remove(node);
        self
    }

    /// Whether a node is in the set.
    pub fn contains(self, node: u16) -> bool {
        self.0 & Self::bit(node) != 0
    }

    /// Whether the set has no node.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Nodes in increasing order.
    pub fn iter(self) -> impl Iterator<Item = u16> {
        (0..Nodes::MOST as u16).filter(move |node| self.contains(*node))
    }

    fn bit(node: u16) -> u64 {
        1u64.checked_shl(node.into()).unwrap_or(0)
    }
}
