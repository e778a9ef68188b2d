//! The path of a message of PM and its stages, from the sender's call until the receiver's poll sees the data.

use anyhow::Context;
use cluster::{Duration, Event, Observation, Place, StageError, Stages, Time, Watch, WatchError};
use gigae_pm::firmware::{receive_frame, send_message};
use gigae_pm::memory_map::{MTU, send_descriptor};
use gigae_pm::pci_dma;
use hdl::StateMachineTable;
use machine_api::{Nics, Path, TimeLine, Traced, observed_pair, stage};
use pm::programs::{message, ping, pong};
use pm::{Channel, Endpoint, NodeId};
use waveform::Pick;

use crate::cost::Costs;
use crate::measure::{MeasureError, round_trips};
use crate::port::{CALLED, RECEIVED};
use crate::{Cluster, GigaePm, Node, Port, shown};

static PATHS: [Path; 1] =
    [Path { name: "pm", doc: "a message of PM, through the switch", bytes: 1..=MTU as usize, short: 4 }];

impl Traced for GigaePm {
    const PATHS: &'static [Path] = &PATHS;
    const LANES: &'static [&'static str] = &["host", "bus", "firmware", "cable", "switch", "network"];
    const STAGES: &'static StateMachineTable = &STAGES;
    const SHOWN: &'static [Pick] = shown::SHOWN;

    const POLL: Duration = Costs::PUBLISHED.poll();

    fn transfer(
        _path: &'static Path,
        bytes: usize,
        phase: Duration,
        nics: &dyn Nics<Self>,
    ) -> anyhow::Result<TimeLine> {
        let mut cluster = observed_pair(nics, &nics.settings())?;
        let sent = cluster.spawn(0, "send", move |port| send(port, bytes, phase));
        let received = cluster.spawn(1, "receive", move |port| receive(port, bytes));
        let ran = cluster.run(LIMIT);
        machine_api::check(&mut cluster, ran)?;
        sent.take().expect("the program is done")?;
        received.take().expect("the program is done")?;
        let observations = cluster.observations();
        let sends = |o: &&Observation| o.place == Place::Node(0) && mark("send")(o.event);
        let begin = observations.iter().rfind(sends).context("no message was sent")?.time;
        let observed = &observations[observations.partition_point(|o| o.time < begin)..];
        let stages = way(Stages::begin(observed, Place::Node(0), mark("send"))?, 0, 1)?;
        Ok(TimeLine { stages: stages.stages().to_vec() })
    }
}

/// Stages of a message in their order; steps of PM have the names of the paper (section 4.5).
static STAGES: StateMachineTable = StateMachineTable {
    name: "Stage",
    package: "message",
    doc: "Where a message is.",
    states: &[
        stage("none", "No message is looked at."),
        stage("sc1", "The sender builds the message in its send area."),
        stage("sc2", "It calls the system."),
        stage("sc3", "The driver writes descriptor and flag to the card."),
        stage("descriptor", "The firmware looks at the descriptor."),
        stage("sd1", "PCI DMA brings the message to the card."),
        stage("header", "The firmware makes the header (S1)."),
        stage("uplink", "The frame is on its way to the switch."),
        stage("switch", "The switch stores the frame and sends it on."),
        stage("downlink", "It is on its way to the receiver."),
        stage("frame", "It comes in, byte by byte."),
        stage("mac", "MAC and network DMA put its end into NIC memory."),
        stage("acknowledge", "The firmware looks at it and answers with an ACK."),
        stage("rd1", "PCI DMA stores the message in the receive area."),
        stage("flag", "The firmware writes the arrival flag."),
        stage("rc1", "The receiver has not seen the flag yet."),
        stage("rc2", "It reads the descriptor."),
        stage("library", "Instructions of PM's library."),
    ],
};

const LOOKED: &str = "descriptor looked at";
const MOVED: &str = "PCI DMA done";
const WAITS: &str = "frame in NIC memory";
const PLACED: &str = "frame looked at";
pub(crate) const TOLD: &str = "arrival flag written";

/// The channel of a transfer.
const CHANNEL: Channel = Channel::new(0).expect("there are four");
/// Round trips before the one that is explained.
const BEFORE: u32 = 3;
/// Limit of a transfer; none takes a tenth of it.
const LIMIT: Duration = Duration::from_us(10_000);

async fn send(mut port: Port, bytes: usize, phase: Duration) -> anyhow::Result<()> {
    port.open(CHANNEL, 1).await.context("opening the channel")?;
    ping(&mut port, CHANNEL, NodeId(1), bytes, BEFORE, |_| ()).await?;
    if phase > Duration::ZERO {
        port.host().processor().compute(phase).await;
    }
    port.send(CHANNEL, NodeId(1), &message(port.node(), BEFORE, bytes)).await?;
    Ok(())
}

async fn receive(mut port: Port, bytes: usize) -> anyhow::Result<()> {
    port.open(CHANNEL, 1).await.context("opening the channel")?;
    pong(&mut port, CHANNEL, NodeId(0), bytes, BEFORE).await?;
    let got = port.next(CHANNEL).await;
    anyhow::ensure!(*got == message(NodeId(0), BEFORE, bytes), "the message arrived with other bytes");
    Ok(())
}

/// Exchanges `rounds` messages of `bytes` bytes; returns the arrival time of each answer.
pub(crate) fn trips(cluster: &mut Cluster, bytes: usize, rounds: u32) -> anyhow::Result<Vec<Time>> {
    let ran: Result<_, MeasureError> = round_trips(cluster, bytes, rounds);
    machine_api::check(cluster, ran)
}

/// Sets watches on the points of a card that a message passes.
pub(crate) fn watch(node: &mut Node) -> Result<(), WatchError> {
    watches().into_iter().try_for_each(|watch| node.watch(watch))
}

/// Watches on the points of a card that a message passes.
pub(crate) fn watches() -> [Watch; 5] {
    [
        Watch::state(LOOKED, "firmware.send_message", send_message::State::Copy),
        Watch::state(MOVED, "pci_dma", pci_dma::State::Done),
        Watch::state(WAITS, "firmware.receive_frame", receive_frame::State::Load),
        Watch::state(PLACED, "firmware.receive_frame", receive_frame::State::Copy),
        Watch::state(TOLD, "firmware.receive_frame", receive_frame::State::Done),
    ]
}

/// The stages of the round trip that begins at `begin`: those there, and the same back.
pub(crate) fn round_trip(observations: &[Observation], begin: Time) -> Result<TimeLine, StageError> {
    let observed = &observations[observations.partition_point(|o| o.time < begin)..];
    let mut stages = Stages::begin(observed, Place::Node(0), mark("send"))?;
    for [from, to] in [[0, 1], [1, 0]] {
        stages = way(stages, from, to)?;
    }
    Ok(TimeLine { stages: stages.stages().to_vec() })
}

/// The stages of a message from node to node. Those of the library are there if its instructions are counted.
pub(crate) fn way(mut stages: Stages<'_>, from: usize, to: usize) -> Result<Stages<'_>, StageError> {
    let (sender, receiver) = (Place::Node(from), Place::Node(to));
    let is = |wanted: Event| move |event| event == wanted;
    let watched = |name| move |event| event == Event::Watch(name);
    let is_counted = stages.has(sender, mark(CALLED));
    if is_counted {
        stages = stages.until("library", "host", sender, mark(CALLED))?;
    }
    stages = stages
        .until("sc1", "host", sender, mark("sc1"))?
        .until("sc2", "host", sender, mark("sc2"))?
        .until("sc3", "bus", sender, flagged)?
        .until("descriptor", "firmware", sender, watched(LOOKED))?
        .until("sd1", "bus", sender, watched(MOVED))?
        .until("header", "firmware", sender, is(Event::TransmitFirst))?
        .until("uplink", "cable", Place::Switch(from), is(Event::SwitchFirstIn))?
        .until("switch", "switch", Place::Switch(to), is(Event::SwitchFirstOut))?
        .until("downlink", "cable", receiver, is(Event::ReceiveFirst))?
        .until("frame", "cable", receiver, is(Event::ReceiveLast))?
        .until("mac", "network", receiver, watched(WAITS))?
        .until("acknowledge", "firmware", receiver, watched(PLACED))?
        .until("rd1", "bus", receiver, watched(MOVED))?
        .until("flag", "firmware", receiver, watched(TOLD))?
        .until("rc1", "host", receiver, mark("rc1"))?
        .until("rc2", "host", receiver, mark("rc2"))?;
    if is_counted { stages.until("library", "host", receiver, mark(RECEIVED)) } else { Ok(stages) }
}

fn mark(name: &'static str) -> impl Fn(Event) -> bool {
    move |event| event == Event::Mark(name)
}

/// Whether an access writes the flag of a send descriptor of channel 0, in the driver's page.
pub(crate) fn flagged(event: Event) -> bool {
    let first = 0x2000 + 4 * send_descriptor(0, 0);
    let ring = first..first + 4 * 64;
    matches!(event, Event::Beat { address, write: true } if ring.contains(&address) && address & 0xf == 0xc)
}
