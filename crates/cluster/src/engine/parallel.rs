//! A cluster in parts, and all of them on threads.

use std::ops::Range;
use std::sync::Arc;

use hdl::NicError;

use super::cluster::{CargoOf, Cluster};
use super::epoch::{Exchange, Parcel, Report, run_part};
use super::error::RunError;
use super::meeting::{Meeting, Seat};
use crate::fabric::{Routes, Topology, TopologyError};
use crate::look::Fingerprint;
use crate::machine::{AnyNic, Machine};
use crate::{Duration, Time};

/// Fewest nodes of a part: the work of an epoch of fewer is less than a meeting costs (docs/performance.md).
const LEAST_NODES: usize = 16;

/// How a run in parts went.
#[derive(Debug)]
pub struct Ran<R> {
    /// When the last program was done.
    pub end: Time,
    /// Of the whole run: the same for any number of threads.
    pub fingerprint: Fingerprint,
    /// What each part brings, in the order of its nodes.
    pub parts: Vec<R>,
}

/// What a part brings when a run is over.
#[derive(Debug)]
pub struct Brought<R> {
    /// When the last program of the run was done.
    pub end: Time,
    /// Of each of its nodes.
    pub fingerprints: Vec<Fingerprint>,
    /// What it was asked to bring.
    pub result: R,
}

/// A cluster that runs in parts, for whoever has a thread or a process for each.
pub struct Parts<'a, M: Machine> {
    topology: Arc<Topology>,
    routes: Arc<Routes>,
    settings: &'a M::Settings,
    limit: Duration,
    /// The nodes of each part.
    nodes: Vec<Range<usize>>,
    /// The part that has each port.
    owner: Vec<usize>,
}

impl<'a, M: Machine> Parts<'a, M> {
    /// Cuts a cluster into so many parts, but no more than [it can be cut into](Topology::most_parts).
    pub fn new(
        topology: &Topology,
        settings: &'a M::Settings,
        parts: usize,
        limit: Duration,
    ) -> Result<Self, TopologyError> {
        topology.check(M::TITLE, M::MOST_NODES)?;
        let nodes = split(topology, parts);
        let owner = topology.owners(&nodes);
        let routes = Arc::new(topology.routes((0..topology.nodes()).map(M::address)));
        Ok(Parts { topology: Arc::new(topology.clone()), routes, settings, limit, nodes, owner })
    }

    /// How many parts there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Runs one part, while the others run elsewhere, until the programs of all are done. Whatever becomes of it, the others learn it
    /// where they meet.
    ///
    /// `nic` makes the network interface of a node, `begin` prepares the part, starts its programs and returns what `end` needs to bring
    /// their results.
    pub fn run<S, R>(
        &self,
        part: usize,
        exchange: &mut impl Exchange<CargoOf<M>>,
        nic: impl FnMut(usize) -> Result<Box<AnyNic<M>>, NicError>,
        begin: impl FnOnce(&mut Cluster<M>) -> S,
        end: impl FnOnce(&mut Cluster<M>, S) -> R,
    ) -> Result<Brought<R>, RunError> {
        let here = self.nodes[part].clone();
        let (topology, routes) = (self.topology.clone(), self.routes.clone());
        let built = Cluster::part(topology, routes, here, self.settings, nic);
        let mut cluster = match built {
            Ok(cluster) => cluster,
            Err(error) => {
                // A part that cannot begin must not let the others wait: it comes to the first meeting and says so.
                let nothing = (0..self.count()).map(|_| Parcel::new()).collect();
                // If the others cannot be told, they know already.
                let _ = exchange.meet(Report::FAILED, nothing);
                return Err(error);
            }
        };
        let begun = begin(&mut cluster);
        let ran = run_part(&mut cluster, &self.owner, exchange, self.limit);
        // What is compared only now comes first: a divergence explains all other failures.
        cluster.check_nodes()?;
        let time = ran?;
        let fingerprints = cluster.fingerprints()?;
        Ok(Brought { end: time, fingerprints, result: end(&mut cluster, begun) })
    }
}

/// Runs a cluster until all programs are done, on so many threads at most; small ones on fewer, where that is faster.
///
/// A part of the cluster lives and dies on its thread; `nic`, `begin` and `end` are those of [`Parts::run`].
pub fn run<M: Machine, S, R: Send>(
    topology: &Topology,
    settings: &M::Settings,
    threads: usize,
    limit: Duration,
    nic: impl Fn(usize) -> Result<Box<AnyNic<M>>, NicError> + Sync,
    begin: impl Fn(&mut Cluster<M>) -> S + Sync,
    end: impl Fn(&mut Cluster<M>, S) -> R + Sync,
) -> Result<Ran<R>, RunError> {
    let most = topology.nodes() / LEAST_NODES;
    let parts = Parts::<M>::new(topology, settings, threads.min(most), limit)
        .map_err(|error| RunError::Elsewhere(error.to_string()))?;
    let meeting = Meeting::new(parts.count());
    let work = |part: usize| {
        let mut seat = Seat { meeting: &meeting, part };
        parts.run(part, &mut seat, &nic, &begin, &end)
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (1..parts.count()).map(|part| scope.spawn(move || work(part))).collect();
        let first = work(0);
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        std::iter::once(first).chain(others.into_iter().map(join)).collect()
    });
    gather(results)
}

/// The whole out of what all parts bring, in their order. Of several failures the one is told that is not about others.
pub fn gather<R>(parts: impl IntoIterator<Item = Result<Brought<R>, RunError>>) -> Result<Ran<R>, RunError> {
    let (mut end, mut fingerprints, mut results, mut failure) = (Time::ZERO, Vec::new(), Vec::new(), None);
    for part in parts {
        match part {
            Ok(brought) => {
                end = end.max(brought.end);
                fingerprints.extend(brought.fingerprints);
                results.push(brought.result);
            }
            Err(error) => failure = Some(RunError::worse(failure, error)),
        }
    }
    match failure {
        Some(failure) => Err(failure),
        None => Ok(Ran { end, fingerprint: Fingerprint::of(fingerprints.into_iter()), parts: results }),
    }
}

/// Nodes in so many parts, as even as can be; one at least.
fn split(topology: &Topology, parts: usize) -> Vec<Range<usize>> {
    let (nodes, parts) = (topology.nodes(), parts.clamp(1, topology.most_parts()));
    (0..parts).map(|part| nodes * part / parts..nodes * (part + 1) / parts).collect()
}
