//! Sets of nodes.

/// A set of nodes, as bits of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nodes(u64);

impl Nodes {
    /// Most nodes of a run.
    pub const MOST: usize = 64;

    /// Nobody.
    pub const NONE: Nodes = Nodes(0);

    /// The first so many.
    pub fn first(count: usize) -> Nodes {
        assert!(count <= Nodes::MOST, "a run has at most {} nodes", Nodes::MOST);
        Nodes((0..count).fold(0, |bits, node| bits | 1 << node))
    }

    /// Adds a node.
    pub fn insert(&mut self, node: u16) {
        self.0 |= Self::bit(node);
    }

    /// Takes a node out; whether it was there.
    pub fn remove(&mut self, node: u16) -> bool {
        let was = self.contains(node);
        self.0 &= !Self::bit(node);
        was
    }

    /// These without one of them.
    pub fn without(mut self, node: u16) -> Nodes {
        self.remove(node);
        self
    }

    /// Whether a node is among them.
    pub fn contains(self, node: u16) -> bool {
        self.0 & Self::bit(node) != 0
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// One after the other.
    pub fn iter(self) -> impl Iterator<Item = u16> {
        (0..Nodes::MOST as u16).filter(move |node| self.contains(*node))
    }

    fn bit(node: u16) -> u64 {
        1u64.checked_shl(node.into()).unwrap_or(0)
    }
}
