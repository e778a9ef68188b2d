//! Stages of an MPI message from the send call to the end of the receive call, and of its answer.
//!
//! The stages of the library are the same over all carriers; those between them belong to the machine.

use cluster::{Cluster, Event, Observation, Place, StageError, Stages, Time, WatchError};
use hdl::StateInfo;
use mpi::marks;

use crate::{Nics, Parallel, Placement, TimeLine};

/// Stages of an MPI message and its answer.
#[derive(Clone, Debug)]
pub struct Traveled {
    /// Length of the message in bytes.
    pub bytes: usize,
    /// The same stages for each of [`WAYS`].
    pub line: TimeLine,
}

/// Directions of a message and its answer.
pub const WAYS: &[&str] = &["there", "back"];

/// Stages of the library with descriptions. Those of the machine follow the first one.
pub const LIBRARY_STAGES: [(&str, &str); 4] = [CALL, TAKE, MATCH, RETURN];

const CALL: (&str, &str) =
    ("call", "MPI_Send is called; the library makes an envelope and hands the packet to its carrier.");
const TAKE: (&str, &str) =
    ("take", "The carrier reads the packet, frees its place and hands it to the library.");
const MATCH: (&str, &str) =
    ("match", "The library finds the receive that waits for it, and copies the data.");
const RETURN: (&str, &str) = ("return", "MPI_Recv returns.");

/// Two nodes behind a switch with all observations that stages need.
pub fn observed_pair<M: Parallel>(nics: &dyn Nics<M>, settings: &M::Settings) -> anyhow::Result<Cluster<M>> {
    let mut cluster = Cluster::with_switch(nics.open(2)?, settings);
    look(&mut cluster)?;
    Ok(cluster)
}

/// A stage in the table of a machine's stages.
pub const fn stage(name: &'static str, doc: &'static str) -> StateInfo {
    StateInfo { name, doc, next: &[] }
}

/// Observes all points that a message of MPI passes, from now on.
pub(crate) fn look<M: Parallel>(cluster: &mut Cluster<M>) -> Result<(), WatchError> {
    cluster.observe();
    (0..cluster.nodes().len()).try_for_each(|node| M::watch(cluster.node_mut(node)))
}

/// Stages of a message that leaves rank 0 at `begin`, and of the answer of rank 1.
pub fn there_and_back<M: Parallel>(
    observations: &[Observation],
    begin: Time,
    bytes: usize,
    placement: Placement,
) -> Result<Traveled, StageError> {
    let observed = &observations[observations.partition_point(|o| o.time < begin)..];
    let mut stages = Stages::begin(observed, Place::Node(0), mark(marks::SEND))?;
    for ([from, to], end) in [([0, 1], marks::RECEIVED), ([1, 0], marks::ANSWERED)] {
        let [from, to] = [from, to].map(|rank| placement.process(rank));
        let (sender, receiver) = (Place::Node(from.node), Place::Node(to.node));
        stages = stages.until(CALL.0, "host", sender, mark(marks::HANDED))?;
        stages = M::way(stages, from, to)?
            .until(TAKE.0, "host", receiver, mark(marks::TAKEN))?
            .until(MATCH.0, "host", receiver, mark(marks::MATCHED))?
            .until(RETURN.0, "host", receiver, mark(end))?;
    }
    Ok(Traveled { bytes, line: TimeLine { stages: stages.stages().to_vec() } })
}

fn mark(name: &'static str) -> impl Fn(Event) -> bool {
    move |event| event == Event::Mark(name)
}
