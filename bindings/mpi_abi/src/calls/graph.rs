//! Graph topologies: the graph is stored here, the simulator has an ordinary communicator. Ranks keep their order.

use processes::mpi::call::{Answer, Call, Collective};

use super::communicator::{ask, set};
use crate::arguments::{List, Number, Numbers, Out, OutNumbers, Weights};
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Communicator, DistributedGraph, Graph, Topology, communicator};
use crate::types::*;

fn no_topology(on: MPI_Comm, kind: &str) -> Fault {
    Fault::new(MPI_ERR_TOPOLOGY, format!("the communicator has no {kind}")).on(on)
}

fn graph(on: MPI_Comm) -> Outcome<Graph> {
    match communicator(on)?.topology {
        Some(Topology::Graph(graph)) => Ok(graph),
        _ => Err(no_topology(on, "graph")),
    }
}

fn distributed(on: MPI_Comm) -> Outcome<DistributedGraph> {
    match communicator(on)?.topology {
        Some(Topology::Distributed(graph)) => Ok(graph),
        _ => Err(no_topology(on, "distributed graph")),
    }
}

/// The graph of these arguments.
fn read(on: MPI_Comm, own: &Communicator, nodes: Number, index: Numbers, edges: Numbers) -> Outcome<Graph> {
    let wrong = |why: String| Fault::new(MPI_ERR_ARG, why).on(on);
    let nodes = usize::try_from(nodes.0).ok().filter(|nodes| *nodes <= own.size());
    let nodes =
        nodes.ok_or_else(|| wrong(format!("a graph has at most as many nodes as {} ranks", own.size())))?;
    let index = index.counts(nodes).map_err(|fault| fault.on(on))?;
    if index.windows(2).any(|pair| pair[0] > pair[1]) {
        return Err(wrong("the numbers of edges up to each node increase".to_owned()));
    }
    let node = |edge: i64| match usize::try_from(edge) {
        Ok(node) if node < nodes => Ok(node),
        _ => Err(wrong(format!("an edge leads to {edge}, which is no node of {nodes}"))),
    };
    let edges = edges.list(index.last().copied().unwrap_or(0))?;
    Ok(Graph { edges: edges.into_iter().map(node).collect::<Outcome<_>>()?, index })
}

/// `MPI_Graph_create`.
pub fn graph_create(
    on: MPI_Comm,
    nodes: Number,
    index: Numbers,
    edges: Numbers,
    _reorder: c_int,
    new: Out<MPI_Comm>,
) -> Outcome {
    let old = communicator(on)?;
    let graph = read(on, &old, nodes, index, edges)?;
    let color = (old.rank < graph.index.len()).then_some(0);
    let mut made = ask(on, Call::Split { communicator: old.number, color, key: 0 })?;
    if let Some(made) = &mut made {
        made.topology = Some(Topology::Graph(graph));
    }
    set(new, made)
}

/// `MPI_Graph_map`: this rank, or none beyond the graph.
pub fn graph_map(on: MPI_Comm, nodes: Number, index: Numbers, edges: Numbers, rank: Out<c_int>) -> Outcome {
    let own = communicator(on)?;
    let nodes = read(on, &own, nodes, index, edges)?.index.len();
    rank.set(if own.rank < nodes { own.rank as c_int } else { MPI_UNDEFINED })
}

/// `MPI_Graphdims_get`.
pub fn graphdims_get(on: MPI_Comm, nodes: Out<c_int>, edges: Out<c_int>) -> Outcome {
    let graph = graph(on)?;
    nodes.set(graph.index.len() as c_int)?;
    edges.set(graph.edges.len() as c_int)
}

/// `MPI_Graph_get`.
pub fn graph_get(
    on: MPI_Comm,
    most_nodes: Number,
    most_edges: Number,
    index: OutNumbers,
    edges: OutNumbers,
) -> Outcome {
    let graph = graph(on)?;
    index.set(graph.index.iter().take(most_nodes.count()?).map(|edges| *edges as i64))?;
    edges.set(graph.edges.iter().take(most_edges.count()?).map(|node| *node as i64))
}

/// Neighbours of a rank of a graph.
fn neighbours(on: MPI_Comm, rank: c_int) -> Outcome<Vec<usize>> {
    let graph = graph(on)?;
    let rank = communicator(on)?.check(rank, MPI_ERR_RANK).map_err(|fault| fault.on(on))?;
    Ok(graph.neighbours(rank as usize).to_vec())
}

/// `MPI_Graph_neighbors_count`.
pub fn graph_neighbors_count(on: MPI_Comm, rank: c_int, count: Out<c_int>) -> Outcome {
    count.set(neighbours(on, rank)?.len() as c_int)
}

/// `MPI_Graph_neighbors`.
pub fn graph_neighbors(on: MPI_Comm, rank: c_int, most: Number, to: OutNumbers) -> Outcome {
    let found = neighbours(on, rank)?;
    to.set(found.into_iter().take(most.count()?).map(|rank| rank as i64))
}

/// Ranks with the weights of their edges; 1 without weights.
fn edges(
    own: &Communicator,
    on: MPI_Comm,
    degree: Number,
    ranks: List<c_int>,
    weights: Weights,
) -> Outcome<Vec<(usize, c_int)>> {
    let read = || {
        let degree = degree.count()?;
        let ranks = ranks.list(degree)?.into_iter().map(|rank| Ok(own.check(rank, MPI_ERR_RANK)? as usize));
        let ranks = ranks.collect::<Outcome<Vec<_>>>()?;
        let weights = weights.list(degree)?.unwrap_or_else(|| vec![1; degree]);
        if let Some(weight) = weights.iter().find(|weight| **weight < 0) {
            return Err(Fault::new(MPI_ERR_ARG, format!("an edge has a weight of {weight}")));
        }
        Ok(ranks.into_iter().zip(weights).collect())
    };
    read().map_err(|fault| fault.on(on))
}

fn add(on: MPI_Comm, old: &Communicator, graph: DistributedGraph, new: Out<MPI_Comm>) -> Outcome {
    let mut made = ask(on, Call::Duplicate(old.number))?;
    if let Some(made) = &mut made {
        made.topology = Some(Topology::Distributed(graph));
    }
    set(new, made)
}

/// `MPI_Dist_graph_create_adjacent`.
#[allow(clippy::too_many_arguments)]
pub fn dist_graph_create_adjacent(
    on: MPI_Comm,
    in_degree: Number,
    sources: List<c_int>,
    source_weights: Weights,
    out_degree: Number,
    destinations: List<c_int>,
    destination_weights: Weights,
    _info: MPI_Info,
    _reorder: c_int,
    new: Out<MPI_Comm>,
) -> Outcome {
    let old = communicator(on)?;
    let weighted = source_weights.is_weighted() && destination_weights.is_weighted();
    let sources = edges(&old, on, in_degree, sources, source_weights)?;
    let destinations = edges(&old, on, out_degree, destinations, destination_weights)?;
    add(on, &old, DistributedGraph { sources, destinations, weighted }, new)
}

/// `MPI_Dist_graph_create`. Each rank gets the edges of all ranks, and keeps its own in the order of the ranks that gave
/// them.
#[allow(clippy::too_many_arguments)]
pub fn dist_graph_create(
    on: MPI_Comm,
    count: Number,
    sources: List<c_int>,
    degrees: Numbers,
    destinations: List<c_int>,
    weights: Weights,
    _info: MPI_Info,
    _reorder: c_int,
    new: Out<MPI_Comm>,
) -> Outcome {
    let old = communicator(on)?;
    let weighted = weights.is_weighted();
    let read = || {
        let count = count.count()?;
        let degrees = degrees.counts(count)?;
        let all = degrees.iter().try_fold(0i64, |all, degree| all.checked_add(*degree as i64));
        let all = all.ok_or_else(|| Fault::new(MPI_ERR_ARG, "degrees are more than memory holds"))?;
        let destinations = edges(&old, on, Number(all), destinations, weights)?;
        let sources = sources.list(count)?.into_iter().zip(degrees).map(|(source, degree)| {
            Ok(std::iter::repeat_n(old.check(source, MPI_ERR_RANK)? as usize, degree))
        });
        let sources = sources.collect::<Outcome<Vec<_>>>()?.into_iter().flatten();
        Ok(sources
            .zip(destinations)
            .map(|(from, (to, weight))| [from as u32, to as u32, weight as u32])
            .collect())
    };
    let given: Vec<[u32; 3]> = read().map_err(|fault: Fault| fault.on(on))?;
    let all = gather_all(&old, &given).map_err(|fault| fault.on(on))?;
    let own = old.rank as u32;
    let of = |end: usize| {
        let mine = all.iter().filter(move |edge| edge[end] == own);
        mine.map(|edge| (edge[1 - end] as usize, edge[2] as c_int)).collect::<Vec<_>>()
    };
    add(on, &old, DistributedGraph { sources: of(1), destinations: of(0), weighted }, new)
}

/// Edges of all ranks, in the order of ranks.
fn gather_all(own: &Communicator, given: &[[u32; 3]]) -> Outcome<Vec<[u32; 3]>> {
    let collect = |bytes: Vec<u8>, lengths| {
        let operation = Collective::Allgather { bytes: bytes.into(), lengths };
        match link::ask(Call::Collective { communicator: own.number, operation, nonblocking: false })? {
            Answer::Completed(mut ends) if ends.len() == 1 => Ok(ends.remove(0).1.bytes.into_vec()),
            answer => Err(link::other(answer)),
        }
    };
    let bytes: Vec<u8> = given.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    let lengths = collect((bytes.len() as u64).to_le_bytes().to_vec(), None)?;
    let lengths = lengths.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
    let all = collect(bytes, Some(lengths))?;
    let numbers: Vec<_> = all.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    Ok(numbers.as_chunks().0.to_vec())
}

/// `MPI_Dist_graph_neighbors_count`.
pub fn dist_graph_neighbors_count(
    on: MPI_Comm,
    in_degree: Out<c_int>,
    out_degree: Out<c_int>,
    weighted: Out<c_int>,
) -> Outcome {
    let graph = distributed(on)?;
    in_degree.set(graph.sources.len() as c_int)?;
    out_degree.set(graph.destinations.len() as c_int)?;
    weighted.set(graph.weighted.into())
}

/// `MPI_Dist_graph_neighbors`.
pub fn dist_graph_neighbors(
    on: MPI_Comm,
    most_sources: Number,
    sources: OutNumbers,
    source_weights: Weights,
    most_destinations: Number,
    destinations: OutNumbers,
    destination_weights: Weights,
) -> Outcome {
    let graph = distributed(on)?;
    let give = |edges: &[(usize, c_int)], most: Number, ranks: OutNumbers, weights: Weights| {
        let edges = &edges[..edges.len().min(most.count()?)];
        ranks.set(edges.iter().map(|(rank, _)| *rank as i64))?;
        match graph.weighted {
            true => weights.set(edges.iter().map(|(_, weight)| *weight)),
            false => Ok(()),
        }
    };
    give(&graph.sources, most_sources, sources, source_weights)?;
    give(&graph.destinations, most_destinations, destinations, destination_weights)
}
