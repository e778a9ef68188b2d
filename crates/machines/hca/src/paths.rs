//! The paths of a message and its stages, from the call that posts it until the receiver's poll finds its completion.

use std::ops::Range;

use cluster::{Duration, Event, Observation, Place, StageError, Stages, Time, Watch, WatchError};
use hca::completion;
use hca::registers::Doorbell;
use hdl::StateMachineTable;
use machine_api::{LIBRARY_STAGES, Nics, Path, TimeLine, Traced, observed_pair, stage};
use waveform::Pick;

use crate::cost::Costs;
use crate::host::DOORBELLS;
use crate::library_cost::{CALLED, TAKEN};
use crate::port::{LONGEST_DATAGRAM, Service};
use crate::programs::turns;
use crate::{Cluster, Hca, Node, shown};

static PATHS: [Path; 2] = [
    Path {
        name: "rc",
        doc: "a SEND of a reliable connection, in one packet",
        bytes: 1..=LONGEST_DATAGRAM,
        short: 4,
    },
    Path { name: "ud", doc: "a datagram", bytes: 1..=LONGEST_DATAGRAM, short: 4 },
];

impl Traced for Hca {
    const PATHS: &'static [Path] = &PATHS;
    const LANES: &'static [&'static str] = &["host", "adapter", "cable", "switch"];
    const STAGES: &'static StateMachineTable = &STAGES;
    const SHOWN: &'static [Pick] = shown::SHOWN;

    const POLL: Duration = Costs::PUBLISHED.turn;

    fn transfer(
        path: &'static Path,
        bytes: usize,
        phase: Duration,
        nics: &dyn Nics<Self>,
    ) -> anyhow::Result<TimeLine> {
        let service = if path.name == "rc" { Service::Connection } else { Service::Datagram };
        let mut cluster = observed_pair(nics, &nics.settings())?;
        let turns = turns(&mut cluster, service, bytes, 2, phase)?;
        let mut line = round_trip(&cluster, &turns)?;
        line.stages.truncate(line.stages.len() / 2);
        Ok(line)
    }
}

/// Stages of a message in their order.
static STAGES: StateMachineTable = StateMachineTable {
    name: "Stage",
    package: "message",
    doc: "Where a message is.",
    states: &[
        stage("none", "No message is looked at."),
        stage(LIBRARY_STAGES[0].0, LIBRARY_STAGES[0].1),
        stage("post", "The host writes a WQE and rings the doorbell, which goes its way into the adapter."),
        stage(
            "fetch",
            "The adapter fetches the WQE, checks it and its key, reads the data and writes the headers.",
        ),
        stage("uplink", "The packet is on its way to the switch."),
        stage("switch", "It crosses the switch."),
        stage("downlink", "It is on its way to the receiver."),
        stage("arrival", "It comes in, a word of 8 bytes each 8 ns, and its ICRC is checked."),
        stage("deliver", "The adapter takes a receive WQE and writes the data."),
        stage("notice", "The adapter writes the CQE, whose last word the receiver polls."),
        stage(LIBRARY_STAGES[1].0, LIBRARY_STAGES[1].1),
        stage(LIBRARY_STAGES[2].0, LIBRARY_STAGES[2].1),
        stage(LIBRARY_STAGES[3].0, LIBRARY_STAGES[3].1),
        stage("library", "Instructions of the verbs library that post the WQE, or take the completion."),
    ],
};

const DELIVERED: &str = "data written, CQE begins";

/// Sets the watch on the point of an adapter that a message passes.
pub(crate) fn watch(node: &mut Node) -> Result<(), WatchError> {
    watches().into_iter().try_for_each(|watch| node.watch(watch))
}

/// The watch on the point of an adapter that a message passes.
pub(crate) fn watches() -> [Watch; 1] {
    [Watch::state(DELIVERED, "completion", completion::State::Copy)]
}

/// The doorbell of a send ring.
pub(crate) fn bell() -> Event {
    Event::Beat { address: u32::from(DOORBELLS + Doorbell::SendBell.info().offset), write: true }
}

/// The stages of a message from host to host: from the call of verbs until a look has found its CQE.
pub(crate) fn way(stages: Stages<'_>, from: usize, to: usize) -> Result<Stages<'_>, StageError> {
    let (sender, receiver) = (Place::Node(from), Place::Node(to));
    let is = |wanted: Event| move |event| event == wanted;
    let stages = match stages.has(sender, is(Event::Mark(CALLED))) {
        true => stages.until("library", "host", sender, is(Event::Mark(CALLED)))?,
        false => stages,
    };
    stages
        .until("post", "host", sender, is(bell()))?
        .until("fetch", "adapter", sender, is(Event::TransmitFirst))?
        .until("uplink", "cable", Place::Switch(from), is(Event::SwitchFirstIn))?
        .until("switch", "switch", Place::Switch(to), is(Event::SwitchFirstOut))?
        .until("downlink", "cable", receiver, is(Event::ReceiveFirst))?
        .until("arrival", "cable", receiver, is(Event::ReceiveLast))?
        .until("deliver", "adapter", receiver, is(Event::Watch(DELIVERED)))?
        .until("notice", "host", receiver, is(Event::Mark("completion")))
}

/// The stage of the library that takes a completion, if its instructions are counted.
fn completed(stages: Stages<'_>, node: usize) -> Result<Stages<'_>, StageError> {
    let mark = |event| event == Event::Mark(TAKEN);
    match stages.has(Place::Node(node), mark) {
        true => stages.until("library", "host", Place::Node(node), mark),
        false => Ok(stages),
    }
}

/// The stages of the last round trip; both ways have the same.
pub(crate) fn round_trip(cluster: &Cluster, turns: &[Range<Time>]) -> anyhow::Result<TimeLine> {
    let begin = turns.last().map_or(Time::ZERO, |turn| turn.start);
    let observations: Vec<Observation> = cluster.observations();
    let observed = &observations[observations.partition_point(|o| o.time < begin)..];
    let mark = |name: &'static str| move |event| event == Event::Mark(name);
    let take = LIBRARY_STAGES[1].0;
    let stages = Stages::begin(observed, Place::Node(0), mark("send"))?;
    let stages = completed(way(stages, 0, 1)?, 1)?.until(take, "host", Place::Node(1), mark("answer"))?;
    let stages = completed(way(stages, 1, 0)?, 0)?.until(take, "host", Place::Node(0), mark("message"))?;
    Ok(TimeLine { stages: stages.stages().to_vec() })
}
