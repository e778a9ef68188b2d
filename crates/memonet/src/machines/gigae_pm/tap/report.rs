//! What `memonet tap` says at its end.

use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;

use cluster::{Duration, LinkCounters};
use schemars::JsonSchema;
use serde::Serialize;

use super::bridge::Counts;
use super::traffic::Program;
use crate::document::Head;
use gigae_pm_machine::{CardCounters, Cluster, Driver, Programs};

/// How it went.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub head: Head,
    /// What PM did meanwhile.
    pub pm: Program,
    /// Bytes of a message of PM.
    pub pm_bytes: usize,
    /// Messages of PM that arrived, each once and in order; of a ping-pong the answers.
    pub pm_messages: u64,
    /// Each node.
    pub nodes: Vec<NodeReport>,
    /// Frames that the switch forwarded.
    pub switch_forwarded: u64,
    /// Those it had no port or no room for.
    pub switch_discarded: u64,
    /// Real time.
    pub real_s: f64,
    /// Of this, while nothing was under way.
    pub idle_s: f64,
    /// File with the frames.
    pub pcapng: Option<File>,
}

/// A file of frames.
#[derive(JsonSchema, Serialize)]
pub struct File {
    /// Its path.
    pub path: PathBuf,
    /// Frames in it.
    pub frames: u64,
}

/// What passed at one node.
#[derive(JsonSchema, Serialize)]
pub struct NodeReport {
    /// Its device.
    pub name: String,
    /// MAC address of its card.
    pub mac: String,
    #[serde(flatten)]
    pub counts: Counts,
    /// Frames on the wire from the node.
    pub wire_frames: u64,
    /// Lost there.
    pub wire_lost: u64,
    /// Repeated there.
    pub wire_repeated: u64,
    /// Overtaken there by the next.
    pub wire_reordered: u64,
    /// Damaged there.
    pub wire_damaged: u64,
    /// Counters of its card; they wrap after 65,535.
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
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct Card {
    /// Good frames received.
    good: u32,
    /// Dropped: a wrong check sequence.
    fcs_errors: u32,
    /// Dropped: for another card.
    foreign: u32,
    /// Dropped: no room in the FIFO.
    missed: u32,
    /// Dropped: no room in a ring, or refused by PM's rules.
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

    fn write_nodes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { head, real_s, idle_s, .. } = self;
        let simulated_us = head.simulated_us();
        writeln!(f, "{} nodes on a switch, nic {}", self.nodes.len(), head.nic_name())?;
        writeln!(
            f,
            "{simulated_us} us of virtual time in {real_s:.1} s, of which {idle_s:.1} s nothing was under way"
        )?;
        self.write_nodes(f)?;
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
        if let Some(divergences) = self.head.divergences {
            write!(f, "\n{divergences} divergences")?;
        }
        if let Some(File { path, frames }) = &self.pcapng {
            write!(f, "\nwrote {}, {frames} frames", path.display())?;
        }
        Ok(())
    }
}
