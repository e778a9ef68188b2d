//! A cluster in parts on threads.

use std::ops::Range;
use std::sync::Arc;

use hdl::NicError;

use super::cluster::Cluster;
use super::epoch::run_part;
use super::error::RunError;
use super::meeting::{Meeting, Seat};
use crate::fabric::Topology;
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

/// Runs a cluster until all programs are done, on so many threads at most; small ones on fewer, where that is faster.
///
/// A part of the cluster lives and dies on its thread. `nic` makes the network interface of a node there, `begin` prepares a part,
/// starts its programs and returns what `end` needs to bring their results.
pub fn run<M: Machine, S, R: Send>(
    topology: &Topology,
    settings: &M::Settings,
    threads: usize,
    limit: Duration,
    nic: impl Fn(usize) -> Result<Box<AnyNic<M>>, NicError> + Sync,
    begin: impl Fn(&mut Cluster<M>) -> S + Sync,
    end: impl Fn(&mut Cluster<M>, S) -> R + Sync,
) -> Result<Ran<R>, RunError> {
    topology.check(M::TITLE, M::MOST_NODES).map_err(|error| RunError::Elsewhere(error.to_string()))?;
    let parts = split(topology, threads.min(topology.nodes() / LEAST_NODES));
    let owner = topology.owners(&parts);
    let routes = Arc::new(topology.routes((0..topology.nodes()).map(M::address)));
    let topology = Arc::new(topology.clone());
    let meeting = Meeting::new(parts.len());
    let work = |part: usize| -> Result<(Time, Vec<Fingerprint>, R), RunError> {
        let mut seat = Seat { meeting: &meeting, part };
        let here = parts[part].clone();
        let first = here.start;
        let stopped = |node, time| move |source| RunError::Nic { node, time, source };
        // A part that cannot begin must not let the others wait: it comes to the first meeting and says so.
        let built = Cluster::part(topology.clone(), routes.clone(), here, settings, &nic);
        let mut cluster = match built {
            Ok(cluster) => cluster,
            Err(source) => {
                meeting.break_up();
                return Err(stopped(first, Time::ZERO)(source));
            }
        };
        let begun = begin(&mut cluster);
        let ran = run_part(&mut cluster, &owner, &mut seat, limit);
        // What is compared only now comes first: a divergence explains all other failures.
        cluster.check().map_err(stopped(first, cluster.now()))?;
        let time = ran?;
        let fingerprints = cluster.fingerprints()?;
        Ok((time, fingerprints, end(&mut cluster, begun)))
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (1..parts.len()).map(|part| scope.spawn(move || work(part))).collect();
        let first = work(0);
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        std::iter::once(first).chain(others.into_iter().map(join)).collect()
    });
    gather(results)
}

/// The whole out of its parts. Of several failures the one is told that is not about others.
fn gather<R>(results: Vec<Result<(Time, Vec<Fingerprint>, R), RunError>>) -> Result<Ran<R>, RunError> {
    let (mut end, mut fingerprints, mut parts, mut failure) = (Time::ZERO, Vec::new(), Vec::new(), None);
    for result in results {
        match result {
            Ok((time, of_nodes, result)) => {
                end = end.max(time);
                fingerprints.extend(of_nodes);
                parts.push(result);
            }
            Err(error) => failure = Some(RunError::worse(failure, error)),
        }
    }
    match failure {
        Some(failure) => Err(failure),
        None => Ok(Ran { end, fingerprint: Fingerprint::of(fingerprints.into_iter()), parts }),
    }
}

/// Nodes in so many parts, as even as can be; one at least.
pub(crate) fn split(topology: &Topology, parts: usize) -> Vec<Range<usize>> {
    let (nodes, parts) = (topology.nodes(), parts.max(1));
    (0..parts).map(|part| nodes * part / parts..nodes * (part + 1) / parts).collect()
}
