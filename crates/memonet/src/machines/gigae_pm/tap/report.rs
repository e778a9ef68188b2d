//! Report of `memonet tap`.

use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;

use cluster::{Duration, LinkCounters};
use schemars::JsonSchema;
use serde::Serialize;

use super::bridge::NodeCounters;
use super::traffic::Program;
use crate::document::Head;
use gigae_pm_machine::{CardCounters, Cluster, Driver, Programs};

/// Report of `memonet tap`.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub head: Head,
    /// PM program that ran at the same time.
    pub pm: Program,
    /// Bytes of a PM message.
    pub pm_bytes: usize,
    /// PM messages that arrived, each once and in order; for a ping-pong the answers.
    pub pm_messages: u64,
    /// Counters of each node.
    pub nodes: Vec<NodeReport>,
    /// Frames that the switch forwarded.
    pub switch_forwarded: u64,
    /// Frames that the switch discarded, without a port or space for them.
    pub switch_discarded: u64,
    /// Real time in seconds.
    pub real_s: f64,
    /// Part of the real time during which the cluster was idle.
    pub idle_s: f64,
    /// Capture file.
    pub pcapng: Option<File>,
}

/// A capture file.
#[derive(JsonSchema, Serialize)]
pub struct File {
    /// Path of the file.
    #[serde(serialize_with = "crate::shell_words::path")]
    pub path: PathBuf,
    /// Frames in the file.
    pub frames: u64,
}

/// Traffic of one node.
#[derive(JsonSchema, Serialize)]
pub struct NodeReport {
    /// Name of the TAP device.
    pub name: String,
    /// MAC address of the card.
    pub mac: String,
    #[serde(flatten)]
    pub counts: NodeCounters,
    /// Frames on the wire from the node.
    pub wire_frames: u64,
    /// Frames lost on this wire.
    pub wire_lost: u64,
    /// Frames duplicated on this wire.
    pub wire_repeated: u64,
    /// Frames reordered on this wire.
    pub wire_reordered: u64,
    /// Frames corrupted on this wire.
    pub wire_damaged: u64,
    /// Counters of the card; they wrap after 65,535.
    pub card: Card,
}

impl NodeReport {
    pub fn new(name: &str, mac: String, counts: NodeCounters, wire: LinkCounters, card: Card) -> Self {
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
    /// Valid frames received.
    good: u32,
    /// Frames dropped for a wrong check sequence.
    fcs_errors: u32,
    /// Frames dropped because they are for another card.
    foreign: u32,
    /// Frames dropped because the FIFO was full.
    missed: u32,
    /// Frames dropped because a ring was full or PM's rules refused them.
    discarded: u32,
}

impl From<CardCounters> for Card {
    fn from(counters: CardCounters) -> Self {
        let CardCounters { good, fcs_errors, foreign, missed, discarded } = counters;
        Card { good, fcs_errors, foreign, missed, discarded }
    }
}

/// Reads the counters of all cards, which takes virtual time.
pub fn cards(cluster: &mut Cluster) -> anyhow::Result<Vec<Card>> {
    let count = cluster.nodes().len();
    let mut outputs = Vec::new();
    for node in 0..count {
        let read = |host, driver: Rc<Driver>| async move { driver.counters(&host).await };
        outputs.push(cluster.spawn_kernel(node, "counters", read));
    }
    // A read takes a few microseconds, and longer while PM programs keep the bus busy.
    cluster.run_until(cluster.now() + Duration::from_us(1_000))?;
    outputs
        .iter()
        .map(|output| {
            output.take().map(Card::from).ok_or_else(|| anyhow::anyhow!("a card did not return its counters"))
        })
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
            let NodeCounters { sent, received, refused, not_taken } = counts;
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
        if let Some(comparison) = self.head.comparison() {
            write!(f, "\n{comparison}")?;
        }
        if let Some(File { path, frames }) = &self.pcapng {
            write!(f, "\nwrote {}, {frames} frames", path.display())?;
        }
        Ok(())
    }
}
