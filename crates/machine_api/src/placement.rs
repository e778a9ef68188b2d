//! Placement of ranks on nodes.

use evaluation::counted;

/// A process among those of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessSlot {
    /// Number of the node.
    pub node: usize,
    /// Number of the process on its node, from 0.
    pub slot: usize,
}

/// Ranks on nodes, by block: the first ranks are on node 0, the next ones on node 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    ranks: usize,
    per_node: usize,
}

impl Placement {
    /// Places for `ranks` ranks, `per_node` on each node; the last node may have fewer.
    pub const fn new(ranks: usize, per_node: usize) -> Placement {
        assert!(per_node > 0, "a node has a rank at least");
        Placement { ranks, per_node }
    }

    /// Number of ranks.
    pub const fn ranks(self) -> usize {
        self.ranks
    }

    /// Most ranks on a node.
    pub const fn per_node(self) -> usize {
        self.per_node
    }

    /// Whether nodes have several ranks.
    pub const fn shares_nodes(self) -> bool {
        self.per_node > 1
    }

    /// Number of nodes.
    pub const fn nodes(self) -> usize {
        self.ranks.div_ceil(self.per_node)
    }

    /// Node of a rank, from 0; the rank may be beyond the last one.
    pub const fn node(self, rank: usize) -> usize {
        rank / self.per_node
    }

    /// Number of a rank on its node, from 0.
    pub const fn slot(self, rank: usize) -> usize {
        rank % self.per_node
    }

    /// Node and slot of a rank.
    pub const fn process(self, rank: usize) -> ProcessSlot {
        ProcessSlot { node: self.node(rank), slot: self.slot(rank) }
    }

    /// The rank at this place; the inverse of [`Placement::process`].
    pub const fn rank(self, process: ProcessSlot) -> usize {
        process.node * self.per_node + process.slot
    }

    /// Numbers of ranks and hosts in words: `4 hosts`, or `4 ranks of 2 hosts`.
    pub fn describe(self) -> String {
        let hosts = counted(self.nodes(), "host");
        match self.per_node {
            1 => hosts,
            _ => format!("{} of {hosts}", counted(self.ranks, "rank")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_fill_one_node_after_the_other() {
        let placement = Placement::new(5, 2);
        let places: Vec<_> = (0..5).map(|rank| placement.process(rank)).collect();
        let expected = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)];
        assert_eq!(places, expected.map(|(node, slot)| ProcessSlot { node, slot }));
        assert!(places.iter().map(|place| placement.rank(*place)).eq(0..5));
        assert_eq!(
            (placement.nodes(), Placement::new(4, 2).nodes(), Placement::new(4, 1).nodes()),
            (3, 2, 4)
        );
    }

    #[test]
    fn ranks_are_named_where_they_share_hosts() {
        let words = |ranks, per_node| Placement::new(ranks, per_node).describe();
        assert_eq!([words(4, 1), words(5, 2)], ["4 hosts", "5 ranks of 3 hosts"]);
        assert_eq!(words(2, 2), "2 ranks of 1 host");
    }
}
