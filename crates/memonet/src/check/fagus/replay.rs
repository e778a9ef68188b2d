//! `memonet check fagus --replay`: a finding, played by nodes of the library on a machine.

use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use ::fagus::Config;
use checker::core::Wrong as _;
use checker::fagus::Wrong;
use checker::fagus::replay::{Filter, Flight, Log, NodeEnding, Script, play};
use cluster::Cluster;
use machine_api::{Medium, Nics, pace, share_through};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::replay as text;
use crate::carrier_options;
use crate::machines::{Built, Name, with_machine};
use crate::nic::{ComparedCycles, Kind, Maker};

/// Width of the column of the checker.
const COLUMN: usize = 44;
/// How often a library looks at the network while its program waits for its time.
const PERIOD: cluster::Duration = cluster::Duration::from_us(20);
/// How long after the script programs may still run: without a repair they may never end.
const LONGER: Duration = Duration::from_millis(20);

/// A replay as nodes played it.
#[derive(JsonSchema, Serialize)]
pub struct Replayed {
    /// The machine that carries the messages.
    machine: Name,
    /// The implementation of its boards; the head of the document has it too.
    #[serde(skip)]
    nic: Kind,
    /// Cycles of its boards in lockstep; the head of the document has them too.
    #[serde(skip)]
    compared: Option<ComparedCycles>,
    /// The expected finding.
    finding: String,
    /// The events, in order.
    steps: Vec<Step>,
    /// Each node at the end; empty if programs do not end.
    nodes: Vec<Node>,
    /// The reason why programs do not end, if they do not.
    stands: Option<String>,
    /// Writes of all programs, each of which adds one to the object; 0 for packets.
    written: u32,
    /// The world is one of packets for one host, not of programs of many.
    #[serde(skip)]
    packets: bool,
    /// After every step the same messages were in flight as in the checker.
    agrees: bool,
    /// The expected finding occurred.
    shows: bool,
    /// Fingerprint of the run, which the document has too.
    #[serde(skip)]
    pub fingerprint: cluster::Fingerprint,
}

/// An event.
#[derive(JsonSchema, Serialize)]
pub struct Step {
    /// The event in words.
    pub happens: String,
    /// Time since the beginning of the run.
    pub at_us: u64,
    /// Messages in flight before the next step, by the checker; of packets, the contents of the ring.
    pub checker: Vec<String>,
    /// The same, between the hosts or in memory.
    pub nodes: Vec<String>,
}

/// A node at the end.
#[derive(JsonSchema, Serialize)]
struct Node {
    /// It owned the object after the last step.
    owned: bool,
    /// The value that it read when all programs had ended.
    read: u32,
}

fn words(flights: &[Flight]) -> Vec<String> {
    flights.iter().map(|(from, to, name)| format!("{name} {from}-{to}")).collect()
}

/// Plays a finding on a machine.
pub fn replay(
    script: Script,
    machine: Name,
    way: &carrier_options::Args,
    nic: Kind,
    command: &str,
) -> anyhow::Result<Replayed> {
    with_machine!(machine, M => on::<M>(script, way, nic, command))
}

fn on<M: Built>(
    script: Script,
    way: &carrier_options::Args,
    nic: Kind,
    command: &str,
) -> anyhow::Result<Replayed> {
    let settings = way.settings::<M>()?;
    let medium = Medium::Messages(way.of::<M>()?);
    let boards = Maker::<M>::new(nic, 0, command).open(script.programs.len())?;
    let mut cluster = Cluster::<M>::new(M::topology(script.programs.len()), boards, &settings)?;
    let config = Config { rules: script.rules, limit: script.end() + LONGER, ..Config::default() };
    let (script, log) = (Rc::new(script), Rc::new(Log::default()));
    let between = {
        let (script, log) = (script.clone(), log.clone());
        Rc::new(move |node: u16, station| Box::new(Filter::new(station, node, &script, log.clone())) as _)
    };
    let program = {
        let (script, log) = (script.clone(), log.clone());
        async move |dsm| play(dsm, &script, log.clone()).await
    };
    let ran =
        share_through(&mut cluster, medium, config, pace::<M>(&settings, medium, PERIOD), between, program);
    let (ended, stands) = match ran {
        Ok(nodes) => (nodes.into_iter().map(|node| node.value).collect(), None),
        Err(error) => (Vec::<NodeEnding>::new(), Some(error.to_string())),
    };
    let played = log.played(&script);
    let shows = match script.finding {
        Wrong::LostUpdate => log.has_lost(&script),
        Wrong::TwoOwners => ended.iter().filter(|node| node.owned).count() > 1,
        Wrong::Stale => ended.iter().any(|node| node.read != log.written()),
        _ => false,
    };
    // The fingerprint executes the last edges, which count as compared.
    let fingerprint = cluster.fingerprint()?;
    Ok(Replayed {
        machine: M::WHICH,
        nic,
        compared: nic.compared(),
        finding: script.finding.description().into(),
        agrees: played.iter().all(|step| step.checker == step.nodes),
        steps: played
            .into_iter()
            .map(|step| Step {
                happens: step.happens,
                at_us: step.at.as_micros() as u64,
                checker: words(&step.checker),
                nodes: words(&step.nodes),
            })
            .collect(),
        nodes: ended.iter().map(|NodeEnding { owned, read }| Node { owned: *owned, read: *read }).collect(),
        stands,
        written: log.written(),
        packets: false,
        shows,
        fingerprint,
    })
}

impl Replayed {
    /// A replay of packets for a host with an adapter.
    pub fn of_packets(
        nic: Kind,
        finding: String,
        steps: Vec<Step>,
        shows: bool,
        fingerprint: cluster::Fingerprint,
    ) -> Replayed {
        Replayed {
            machine: Name::Hca,
            nic,
            compared: nic.compared(),
            finding,
            agrees: steps.iter().all(|step| step.checker == step.nodes),
            steps,
            nodes: Vec::new(),
            stands: None,
            written: 0,
            packets: true,
            shows,
            fingerprint,
        }
    }

    /// The replay went as the checker says.
    pub fn is_good(&self) -> bool {
        self.agrees && self.shows
    }
}

impl fmt::Display for Replayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (title, nic) = (self.machine.title(), self.nic.name());
        let what = if self.packets {
            "slots (sender:m_ID.packet) and completions to pull"
        } else {
            "what is on the way"
        };
        writeln!(f, "Replay on hosts of {title}, nic {nic}; {what} after each step:\n")?;
        writeln!(f, "   us    {:COLUMN$} | hosts", "checker")?;
        for (number, step) in self.steps.iter().enumerate() {
            writeln!(f, "{:5}  {}", number + 1, step.happens)?;
            let join = |words: &[String]| if words.is_empty() { "-".to_string() } else { words.join(", ") };
            writeln!(f, "{:7}  {:COLUMN$} | {}", step.at_us, join(&step.checker), join(&step.nodes))?;
        }
        writeln!(f)?;
        if !self.packets {
            writeln!(f, "And then all messages come.\n")?;
            for (number, node) in self.nodes.iter().enumerate() {
                let owned = if node.owned { ", owned it after the last step" } else { "" };
                writeln!(f, "node {number}     reads {} after {} writes{owned}", node.read, self.written)?;
            }
        }
        if let Some(why) = &self.stands {
            writeln!(f, "programs do not end any more: {why}")?;
        }
        if let Some(cycles) = self.compared {
            writeln!(f, "0 divergences; {cycles}")?;
        }
        writeln!(f, "fingerprint {}", self.fingerprint)?;
        text::conclusion(f, "the hosts", (self.agrees, self.shows), Some(&self.finding))
    }
}
