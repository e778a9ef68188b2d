//! `memonet run --machine gigae_pm`: PM between two hosts, a message back and forth.

use std::fmt;
use std::path::{Path, PathBuf};

use cluster::{Event, Observation, Place, StageError, Stages, Time, Watch, WatchError};
use gigae_pm::GigaePm;
use gigae_pm::firmware::{receive_frame, send_message};
use gigae_pm::memory_map::send_descriptor;
use gigae_pm::pci_dma;
use gigae_pm_machine::measure::{self, WARM_UP, period};
use gigae_pm_machine::{AnyNic, Cluster, Node, Settings};
use serde::Serialize;

use crate::figures::gigae_pm::compare;
use crate::figures::published::{self, Row};
use crate::nic::{Board, Kind};
use crate::output::us;
use crate::pcapng::Capture;

/// Round trips: the warm-up, and as many as a mean needs.
const ROUNDS: u32 = WARM_UP as u32 + 20;

const LOOKED: &str = "descriptor looked at";
const MOVED: &str = "PCI DMA done";
const WAITS: &str = "frame in NIC memory";
const PLACED: &str = "frame looked at";
const TOLD: &str = "arrival flag written";

/// How the ping-pong went.
#[derive(Serialize)]
pub struct Report {
    nic: Kind,
    bytes: usize,
    divergences: u32,
    /// Of the run through the switch, as are the stages.
    fingerprint: String,
    /// One round trip in picoseconds, and its stages on the way there and back.
    total_ps: u64,
    stages: Vec<Stage>,
    /// Means without and with the switch, in microseconds.
    pub direct_us: f64,
    switched_us: f64,
    /// Published numbers beside ours.
    pub rows: Vec<Row>,
    simulated_us: String,
    /// File with the frames of the run through the switch.
    pcapng: Option<PathBuf>,
}

#[derive(Serialize)]
struct Stage {
    name: &'static str,
    there_ps: u64,
    back_ps: u64,
}

/// Two cards of a kind.
pub fn cards(kind: Kind, command: &str) -> anyhow::Result<[Box<AnyNic>; 2]> {
    let card = || Ok(Box::new(Board::<GigaePm>::open(kind, 0, command)?.ahead()) as Box<AnyNic>);
    let [first, second]: [anyhow::Result<_>; 2] = [card(), card()];
    Ok([first?, second?])
}

/// Runs the benchmark on one cable and through the switch, whose frames go into a file if there is a name for it.
pub fn run(bytes: usize, nic: Kind, pcapng: Option<&Path>) -> anyhow::Result<Report> {
    let capture = pcapng.map(|path| Capture::create(path, 2)).transpose()?;
    let command = format!("memonet run --machine gigae_pm --bytes {bytes}");
    let settings = Settings::default();
    let mut direct = Cluster::back_to_back(cards(nic, &command)?, &settings);
    let direct_us = period(&trips(&mut direct, bytes)?);

    let mut switched = Cluster::with_switch(cards(nic, &command)?.into(), &settings);
    switched.observe();
    if capture.is_some() {
        switched.capture();
    }
    for node in 0..2 {
        watch(switched.node_mut(node))?;
    }
    let turns = trips(&mut switched, bytes)?;
    let switched_us = period(&turns);
    if let Some(mut capture) = capture {
        capture.write(&switched.take_captured())?;
        capture.finish()?;
    }

    let observations = switched.observations();
    let begin = turns[WARM_UP];
    let observed = &observations[observations.partition_point(|o| o.time < begin)..];
    let round_trip = stages(observed)?;
    let half = round_trip.stages().len() / 2;
    let (there, back) = round_trip.stages().split_at(half);
    let mut rows = Vec::new();
    if bytes == 4 {
        rows.push(compare("E1", direct_us));
        rows.push(compare("E2", switched_us));
        rows.push(compare("E3", (switched_us - direct_us) / 2.0));
    }
    Ok(Report {
        nic,
        bytes,
        divergences: 0,
        fingerprint: switched.fingerprint()?.to_string(),
        total_ps: round_trip.total().ps(),
        stages: there
            .iter()
            .zip(back)
            .map(|(there, back)| Stage {
                name: there.name,
                there_ps: there.duration.ps(),
                back_ps: back.duration.ps(),
            })
            .collect(),
        direct_us,
        switched_us,
        rows,
        simulated_us: us(switched.now().ps()),
        pcapng: pcapng.map(Path::to_owned),
    })
}

/// When each answer was there; what is compared only at the end comes first, for a divergence explains all other failures.
fn trips(cluster: &mut Cluster, bytes: usize) -> anyhow::Result<Vec<Time>> {
    let ran = measure::round_trips(cluster, bytes, ROUNDS);
    cluster.check().map_err(|error| anyhow::anyhow!(error))?;
    Ok(ran?)
}

/// Sets the watches on the inner points of a card.
fn watch(node: &mut Node) -> Result<(), WatchError> {
    node.watch(Watch::state(LOOKED, "firmware.send_message", send_message::State::Copy))?;
    node.watch(Watch::state(MOVED, "pci_dma", pci_dma::State::Done))?;
    node.watch(Watch::state(WAITS, "firmware.receive_frame", receive_frame::State::Load))?;
    node.watch(Watch::state(PLACED, "firmware.receive_frame", receive_frame::State::Copy))?;
    node.watch(Watch::state(TOLD, "firmware.receive_frame", receive_frame::State::Done))
}

/// Takes a round trip apart; `observations` begin with it.
fn stages(observations: &[Observation]) -> Result<Stages<'_>, StageError> {
    let mut stages = Stages::begin(observations, Place::Node(0), mark("send"))?;
    for [from, to] in [[0, 1], [1, 0]] {
        stages = way(stages, from, to)?;
    }
    Ok(stages)
}

/// The stages of a message from node to node.
fn way(stages: Stages<'_>, from: usize, to: usize) -> Result<Stages<'_>, StageError> {
    let (sender, receiver) = (Place::Node(from), Place::Node(to));
    let is = |wanted: Event| move |event| event == wanted;
    let watched = |name| move |event| event == Event::Watch(name);
    stages
        .until("sc1 build message", "host", sender, mark("sc1"))?
        .until("sc2 system call", "host", sender, mark("sc2"))?
        .until("sc3 descriptor, flag", "bus", sender, flagged)?
        .until("firmware: descriptor", "firmware", sender, watched(LOOKED))?
        .until("sd1 PCI DMA", "bus", sender, watched(MOVED))?
        .until("firmware: S1, header", "firmware", sender, is(Event::TransmitFirst))?
        .until("cable", "cable", Place::Switch(from), is(Event::SwitchFirstIn))?
        .until("frame, switch", "switch", Place::Switch(to), is(Event::SwitchFirstOut))?
        .until("cable", "cable", receiver, is(Event::ReceiveFirst))?
        .until("frame", "cable", receiver, is(Event::ReceiveLast))?
        .until("MAC, network DMA", "network", receiver, watched(WAITS))?
        .until("firmware: frame, ACK", "firmware", receiver, watched(PLACED))?
        .until("rd1 PCI DMA", "bus", receiver, watched(MOVED))?
        .until("firmware: flag", "firmware", receiver, watched(TOLD))?
        .until("rc1 poll", "host", receiver, mark("rc1"))?
        .until("rc2 descriptor", "host", receiver, mark("rc2"))
}

fn mark(name: &'static str) -> impl Fn(Event) -> bool {
    move |event| event == Event::Mark(name)
}

/// A word is written that is the flag of a send descriptor of channel 0, in the page that the driver keeps.
fn flagged(event: Event) -> bool {
    let first = 0x2000 + 4 * send_descriptor(0, 0);
    let ring = first..first + 4 * 64;
    matches!(event, Event::Beat { address, write: true } if ring.contains(&address) && address & 0xf == 0xc)
}

impl Report {
    /// Microseconds of a stage on the way there.
    pub fn stage(&self, name: &str) -> f64 {
        self.stages.iter().filter(|stage| stage.name == name).map(|stage| stage.there_ps as f64 / 1e6).sum()
    }

    /// Microseconds of a stage in the whole round trip.
    pub fn both_ways(&self, name: &str) -> f64 {
        let stages = self.stages.iter().filter(|stage| stage.name == name);
        stages.map(|stage| (stage.there_ps + stage.back_ps) as f64 / 1e6).sum()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { bytes, nic, .. } = self;
        writeln!(f, "PM over GigaE PM, {bytes} bytes, host 0 to host 1 and back, nic {}", nic.name())?;
        writeln!(f, "  {:22}{:>14}   {:>14}", "through the switch", "there", "back")?;
        for Stage { name, there_ps, back_ps } in &self.stages {
            writeln!(f, "  {name:22}{:>14}   {:>14} us", us(*there_ps), us(*back_ps))?;
        }
        let sum = |part: fn(&Stage) -> u64| us(self.stages.iter().map(part).sum());
        let (there, back) = (sum(|stage| stage.there_ps), sum(|stage| stage.back_ps));
        writeln!(f, "  {:22}{there:>14} + {back:>14} us = {} us", "total", us(self.total_ps))?;
        writeln!(f, "mean of {} round trips: {:.3} us", ROUNDS as usize - WARM_UP - 1, self.switched_us)?;
        writeln!(f, "without the switch:     {:.3} us", self.direct_us)?;
        if !self.rows.is_empty() {
            writeln!(f)?;
            published::heads(f)?;
        }
        for row in &self.rows {
            writeln!(f, "{row}")?;
        }
        writeln!(f)?;
        if let Some(path) = &self.pcapng {
            writeln!(f, "wrote {}", path.display())?;
        }
        if self.nic == Kind::Lockstep {
            writeln!(f, "{} divergences", self.divergences)?;
        }
        write!(f, "fingerprint {}", self.fingerprint)
    }
}
