//! Virtual topologies of communicators.

use mpi::Cartesian;

use crate::types::*;

/// Virtual topology of a communicator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topology {
    /// `MPI_Cart_create`.
    Cartesian(Cartesian),
    /// `MPI_Graph_create`.
    Graph(Graph),
    /// `MPI_Dist_graph_create`.
    Distributed(DistributedGraph),
}

/// A graph that all ranks know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Number of edges up to and including each rank's.
    pub index: Vec<usize>,
    /// Neighbours of all ranks, one rank after the other.
    pub edges: Vec<usize>,
}

/// Neighbours of this rank in a distributed graph, with the weights of their edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistributedGraph {
    /// Ranks with an edge to this one.
    pub sources: Vec<(usize, c_int)>,
    /// Ranks to which this one has an edge.
    pub destinations: Vec<(usize, c_int)>,
    /// Whether the program has given weights.
    pub weighted: bool,
}

/// Neighbours of a rank in the order of buffers; none beyond the edge of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbours {
    /// Ranks that send to this one.
    pub sources: Vec<Option<usize>>,
    /// Ranks that receive from this one.
    pub destinations: Vec<Option<usize>>,
    /// Order of the messages: places in `destinations`.
    pub order: Vec<usize>,
}

impl Topology {
    /// Neighbours of a rank, which is this one in a distributed graph.
    pub fn neighbours(&self, rank: usize) -> Neighbours {
        match self {
            Topology::Cartesian(grid) => {
                let beside = |dimension| {
                    let (source, destination) =
                        grid.shift(rank, dimension, 1).expect("the rank is on the grid");
                    [source, destination]
                };
                let all: Vec<_> = (0..grid.dimensions.len()).flat_map(beside).collect();
                // A message in the positive direction arrives from the negative one. Both may be of one rank, so
                // messages go in the order in which their receivers expect them.
                let order = (0..all.len()).map(|place| place ^ 1).collect();
                Neighbours { sources: all.clone(), destinations: all, order }
            }
            Topology::Graph(graph) => {
                let all: Vec<_> = graph.neighbours(rank).iter().map(|rank| Some(*rank)).collect();
                Neighbours { order: (0..all.len()).collect(), sources: all.clone(), destinations: all }
            }
            Topology::Distributed(graph) => {
                let ranks = |edges: &[(usize, c_int)]| edges.iter().map(|(rank, _)| Some(*rank)).collect();
                let order = (0..graph.destinations.len()).collect();
                Neighbours { sources: ranks(&graph.sources), destinations: ranks(&graph.destinations), order }
            }
        }
    }
}

impl Graph {
    /// Ranks at the other ends of a rank's edges.
    pub fn neighbours(&self, rank: usize) -> &[usize] {
        let begin = if rank == 0 { 0 } else { self.index[rank - 1] };
        &self.edges[begin..self.index[rank]]
    }
}
