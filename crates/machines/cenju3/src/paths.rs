//! The path of a message of MPI/DE and its stages, from the call that sends it to the end of the call that receives it.

use cenju3::registers::Register;
use cenju3::{receive_ring, send_dma};
use cluster::{Duration, Event, Observation, Place, StageError, Stages, Time, Watch, WatchError};
use hdl::StateMachineTable;
use machine_api::Parallel;
use machine_api::{
    Carrier, CarrierChoice, LIBRARY_STAGES, Nics, Path, Placement, TimeLine, Traced, Wait, observed_pair,
    stage, there_and_back,
};
use mpi::Options;
use mpi::programs::{Turn, ping, pong};
use waveform::Pick;

use crate::cost::Costs;
use crate::settings::PROTOCOL_SWITCH;
use crate::{Cenju3, Cluster, Node, Settings, shown};

static PATHS: [Path; 1] = [Path {
    name: "message",
    doc: "a message of MPI/DE below 128 bytes, through the network",
    bytes: 1..=PROTOCOL_SWITCH - 1,
    short: 8,
}];

impl Traced for Cenju3 {
    const PATHS: &'static [Path] = &PATHS;
    const LANES: &'static [&'static str] = &["host", "nif", "cable", "network"];
    const STAGES: &'static StateMachineTable = &STAGES;
    const SHOWN: &'static [Pick] = shown::SHOWN;

    /// A look at both rings.
    const POLL: Duration = Duration::from_ps(2 * Costs::PUBLISHED.poll().ps());

    fn transfer(
        _path: &'static Path,
        bytes: usize,
        phase: Duration,
        nics: &dyn Nics<Self>,
    ) -> anyhow::Result<TimeLine> {
        let mut cluster = observed_pair(nics, &nics.settings())?;
        let turns = turns(&mut cluster, nics.settings(), bytes, 2, phase)?;
        let mut line = round_trip(&cluster, &turns, bytes)?;
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
        stage(
            "start",
            "MPI/DE makes a message and an entry; with the old ROM it calls the kernel, which checks, translates and flushes.",
        ),
        stage("fetch", "The NIF fetches the entry, checks it, and reads the data."),
        stage("packet", "The first word of the packet is made and leaves."),
        stage("uplink", "It is on its way to the first stage of the network."),
        stage("network", "It goes through the stages of switches."),
        stage("downlink", "It is on its way to the receiver."),
        stage("arrival", "The packet comes in, a word of 8 bytes each 200 ns."),
        stage("ring", "The NIF writes data, then the header, then moves the position."),
        stage("notice", "The receiver has not seen the position yet: it polls, or sleeps until the event."),
        stage(LIBRARY_STAGES[1].0, LIBRARY_STAGES[1].1),
        stage(LIBRARY_STAGES[2].0, LIBRARY_STAGES[2].1),
        stage(LIBRARY_STAGES[3].0, LIBRARY_STAGES[3].1),
    ],
};

const BEGUN: &str = "header of a packet made";
const ARRIVED: &str = "position of ring 0 moved";

/// Sets watches on the points of a NIF that a message passes.
pub(crate) fn watch(node: &mut Node) -> Result<(), WatchError> {
    watches().into_iter().try_for_each(|watch| node.watch(watch))
}

/// Watches on the points of a NIF that a message passes.
pub(crate) fn watches() -> [Watch; 2] {
    [
        Watch::state(BEGUN, "send_dma", send_dma::State::Begin),
        Watch::state(ARRIVED, "receive_ring_0", receive_ring::State::Move),
    ]
}

/// The stages of a message from PE to PE: from MPI/DE's call until a look has found its header.
pub(crate) fn way(stages: Stages<'_>, from: usize, to: usize) -> Result<Stages<'_>, StageError> {
    let (sender, receiver) = (Place::Node(from), Place::Node(to));
    let is = |wanted: Event| move |event| event == wanted;
    let watched = |name| move |event| event == Event::Watch(name);
    let started = Event::Beat { address: Register::QueueWrite1.info().offset.into(), write: true };
    stages
        .until("start", "host", sender, is(started))?
        .until("fetch", "nif", sender, watched(BEGUN))?
        .until("packet", "nif", sender, is(Event::TransmitFirst))?
        .until("uplink", "cable", Place::Switch(from), is(Event::SwitchFirstIn))?
        .until("network", "network", Place::Switch(to), is(Event::SwitchFirstOut))?
        .until("downlink", "cable", receiver, is(Event::ReceiveFirst))?
        .until("arrival", "cable", receiver, is(Event::ReceiveLast))?
        .until("ring", "nif", receiver, watched(ARRIVED))?
        .until("notice", "host", receiver, is(Event::Mark("header")))
}

/// Limit of a program; none takes a tenth of it.
const LIMIT: Duration = Duration::from_us(10_000_000);

/// Runs `rounds` messages of MPI from PE 0 to PE 1 and back; the last one begins later by `phase`.
pub(crate) fn turns(
    cluster: &mut Cluster,
    settings: Settings,
    bytes: usize,
    rounds: usize,
    phase: Duration,
) -> anyhow::Result<Vec<Turn>> {
    let carrier: &'static Carrier<Cenju3> = &Cenju3::CARRIERS[0];
    let wait: Wait = settings.wait;
    let way = CarrierChoice { wait, ..CarrierChoice::over(carrier) };
    let sent = Cenju3::spawn_rank(cluster, 0, "ping", way, Options::default(), move |world, _| async move {
        let mut turns = ping(&world, 1, bytes, rounds - 1).await?;
        world.compute(phase).await;
        turns.extend(ping(&world, 1, bytes, 1).await?);
        anyhow::Ok(turns)
    });
    let answered =
        Cenju3::spawn_rank(cluster, 1, "pong", way, Options::default(), move |world, _| async move {
            pong(&world, 0, bytes, rounds - 1).await?;
            pong(&world, 0, bytes, 1).await?;
            anyhow::Ok(())
        });
    let ran = cluster.run(LIMIT);
    machine_api::check(cluster, ran)?;
    answered.take().expect("the program is done")?;
    sent.take().expect("the program is done")
}

/// The stages of the last round trip.
pub(crate) fn round_trip(cluster: &Cluster, turns: &[Turn], bytes: usize) -> anyhow::Result<TimeLine> {
    let begin = turns.last().map_or(Time::ZERO, |turn| turn.begin);
    let observations: Vec<Observation> = cluster.observations();
    Ok(there_and_back::<Cenju3>(&observations, begin, bytes, Placement::new(2, 1))?.line)
}
