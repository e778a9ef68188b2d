//! What `memonet tap` says at its end.

use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;

use cluster::{Duration, LinkCounters};
use serde::Serialize;

use super::bridge::Counts;
use super::traffic::Program;
use crate::machines::ethernet::{CardCounters, Cluster, Driver, Programs};
use crate::nic::Kind;

/// How it went.
#[derive(Serialize)]
pub struct Report {
    pub nic: Kind,
    pub seed: u64,
    pub pm: Program,
    pub pm_bytes: usize,
    /// Messages of PM that arrived, each once and in order; of a ping-pong the answers.
    pub pm_messages: u64,
    /// Nothing was compared if there is no number.
    pub divergences: Option<u32>,
    pub nodes: Vec<NodeReport>,
    /// Frames that the switch forwarded, and those it had no port or no room for.
    pub switch_forwarded: u64,
    pub switch_discarded: u64,
    /// Virtual microseconds, real seconds, and of these the ones in which nothing was under way.
    pub simulated_us: String,
    pub real_s: f64,
    pub idle_s: f64,
    pub pcapng: Option<File>,
}

/// A file of frames.
#[derive(Serialize)]
pub struct File {
    pub path: PathBuf,
    pub frames: u64,
}

/// What passed at one node.
#[derive(Serialize)]
pub struct NodeReport {
    pub name: String,
    pub mac: String,
    #[serde(flatten)]
    pub counts: Counts,
    /// Frames on the wire from the node, and what befell them there.
    pub wire_frames: u64,
    pub wire_lost: u64,
    pub wire_repeated: u64,
    pub wire_reordered: u64,
    pub wire_damaged: u64,
    pub card: Card,
}

impl NodeReport {
    pub fn new(name: &str, mac: String, counts: Counts, wire: LinkCounters, card: Card) -> Self {
        let LinkCounters { frames, lost, repeated, delayed, damaged, .. } = wire;
        NodeReport {
            name: name.to_owned(),
            mac,
            counts,
            wire_frames: frames,
            wire_lost: lost,
            wire_repeated: repeated,
            wire_reordered: delayed,
            wire_damaged: damaged,
            card,
        }
    }
}

/// Counters of a card; they wrap after 65,535.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Card {
    good: u32,
    /// Dropped: a wrong check sequence, for another card, no room in the FIFO, no room in a ring or refused by PM's rules.
    fcs_errors: u32,
    foreign: u32,
    missed: u32,
    discarded: u32,
}

impl From<CardCounters> for Card {
    fn from(counters: CardCounters) -> Self {
        let CardCounters { good, fcs_errors, foreign, missed, discarded } = counters;
        Card { good, fcs_errors, foreign, missed, discarded }
    }
}

/// Reads the counters of all cards, which takes some virtual time.
pub fn cards(cluster: &mut Cluster) -> anyhow::Result<Vec<Card>> {
    let count = cluster.nodes().len();
    let mut outputs = Vec::new();
    for node in 0..count {
        let read = |host, driver: Rc<Driver>| async move { driver.counters(&host).await };
        outputs.push(cluster.spawn_kernel(node, "counters", read));
    }
    // Reads need a few microseconds, and longer where PM's programs keep the bus busy.
    cluster.run_until(cluster.now() + Duration::from_us(1_000))?;
    outputs
        .iter()
        .map(|output| output.take().map(Card::from).ok_or_else(|| anyhow::anyhow!("a card does not answer")))
        .collect()
}

impl Report {
    fn wires(&self, of: impl Fn(&NodeReport) -> u64) -> u64 {
        self.nodes.iter().map(of).sum()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { nic, simulated_us, real_s, idle_s, .. } = self;
        writeln!(f, "{} nodes on a switch, nic {}", self.nodes.len(), nic.name())?;
        writeln!(
            f,
            "{simulated_us} us of virtual time in {real_s:.1} s, of which {idle_s:.1} s nothing was under way"
        )?;
        writeln!(
            f,
            "  {:17}{:17}  {:>9}{:>13}  {:>9}{:>13}",
            "", "", "into card", "bytes", "out of it", "bytes"
        )?;
        for NodeReport { name, mac, counts, .. } in &self.nodes {
            let Counts { sent, received, refused, not_taken } = counts;
            writeln!(
                f,
                "  {name:17}{mac}  {:>9}{:>13}  {:>9}{:>13}",
                sent.frames, sent.bytes, received.frames, received.bytes
            )?;
            if refused + not_taken > 0 {
                writeln!(f, "    {refused} refused as no Ethernet frames, {not_taken} not taken by {name}")?;
            }
        }
        match self.pm {
            Program::None => writeln!(f, "PM: none")?,
            pm => writeln!(
                f,
                "PM: {} of {} bytes, {} messages, each once and in order",
                pm.name(),
                self.pm_bytes,
                self.pm_messages
            )?,
        }
        writeln!(
            f,
            "wires: {} frames, {} lost, {} repeated, {} late, {} damaged",
            self.wires(|node| node.wire_frames),
            self.wires(|node| node.wire_lost),
            self.wires(|node| node.wire_repeated),
            self.wires(|node| node.wire_reordered),
            self.wires(|node| node.wire_damaged)
        )?;
        writeln!(f, "switch: {} forwarded, {} discarded", self.switch_forwarded, self.switch_discarded)?;
        let card =
            |of: fn(&Card) -> u32| self.nodes.iter().map(|node| u64::from(of(&node.card))).sum::<u64>();
        write!(
            f,
            "cards: {} damaged frames dropped, {} for others, {} without room, {} discarded",
            card(|card| card.fcs_errors),
            card(|card| card.foreign),
            card(|card| card.missed),
            card(|card| card.discarded)
        )?;
        if let Some(divergences) = self.divergences {
            write!(f, "\n{divergences} divergences")?;
        }
        if let Some(File { path, frames }) = &self.pcapng {
            write!(f, "\nwrote {}, {frames} frames", path.display())?;
        }
        Ok(())
    }
}
