//! A cluster divided into parts that run on threads.

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

/// Fewest nodes of a part: with fewer, an epoch costs less than a meeting (docs/performance.md).
const LEAST_NODES: usize = 16;

/// Result of a run in parts.
#[derive(Debug)]
pub struct Ran<R> {
    /// Time at which the last program finished.
    pub end: Time,
    /// Fingerprint of the whole run; the same for any number of threads.
    pub fingerprint: Fingerprint,
    /// Result of each part, in the order of its nodes.
    pub parts: Vec<R>,
}

/// Result of one part.
#[derive(Debug)]
pub struct Brought<R> {
    /// Time at which the last program of the run finished.
    pub end: Time,
    /// Fingerprint of each of its nodes.
    pub fingerprints: Vec<Fingerprint>,
    /// Value returned by the part's `end` function.
    pub result: R,
}

/// A cluster divided into parts; the caller provides a thread or a process for each.
pub struct Parts<'a, M: Machine> {
    topology: Arc<Topology>,
    routes: Arc<Routes>,
    settings: &'a M::Settings,
    limit: Duration,
    /// Nodes of each part.
    nodes: Vec<Range<usize>>,
    /// Part of each port.
    owner: Vec<usize>,
}

impl<'a, M: Machine> Parts<'a, M> {
    /// Divides a cluster into `parts`, but at most into [as many as possible](Topology::most_parts).
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

    /// Number of parts.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Runs one part, while the others run elsewhere, until the programs of all are finished. Any failure is
    /// reported to the others at the next meeting.
    ///
    /// `nic` creates the network interface of a node. `begin` prepares the part, starts its programs and
    /// returns what `end` needs to collect their results.
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
                // A part that cannot start must not block the others: it reports its failure at the first
                // meeting.
                let nothing = (0..self.count()).map(|_| Parcel::new()).collect();
                // If the report fails, the others have failed already.
                let _ = exchange.meet(Report::FAILED, nothing);
                return Err(error);
            }
        };
        let begun = begin(&mut cluster);
        let ran = run_part(&mut cluster, &self.owner, exchange, self.limit);
        // The deferred comparison takes precedence: a divergence explains all other failures.
        cluster.check_nodes()?;
        let time = ran?;
        let fingerprints = cluster.fingerprints()?;
        Ok(Brought { end: time, fingerprints, result: end(&mut cluster, begun) })
    }
}

/// Runs a cluster until all programs are finished, on at most `threads` threads; small clusters use fewer,
/// because that is faster.
///
/// Each part of the cluster stays on its thread; `nic`, `begin` and `end` are those of [`Parts::run`].
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

/// Combines the results of all parts, in their order. Of several failures, one that does not merely report
/// another part's failure is returned.
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

/// Divides nodes into `parts` ranges, at least one, of sizes that differ by at most one.
fn split(topology: &Topology, parts: usize) -> Vec<Range<usize>> {
    let (nodes, parts) = (topology.nodes(), parts.clamp(1, topology.most_parts()));
    (0..parts).map(|part| nodes * part / parts..nodes * (part + 1) / parts).collect()
}
