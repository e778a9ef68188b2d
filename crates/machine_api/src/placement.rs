//! Placement of ranks on nodes.

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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_fill_one_node_after_the_other() {
        let placement = Placement::new(5, 2);
        let places: Vec<_> = (0..5).map(|rank| (placement.node(rank), placement.slot(rank))).collect();
        assert_eq!(places, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]);
        assert_eq!(
            (placement.nodes(), Placement::new(4, 2).nodes(), Placement::new(4, 1).nodes()),
            (3, 2, 4)
        );
    }
}
