//! What `memonet fagus` tells of a run.

use std::fmt;
use std::time::Duration;

use ::fagus::Stats;
use ::fagus::carrier::machine::Ended;
use ::fagus::programs::task::Answer;
use cluster::{Fingerprint, Time};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Args, Extent, Program, typed};
use crate::document::Head;
use crate::machines::{Built, Name};
use crate::numbers;
use crate::output::us;

fn ps(time: Duration) -> u64 {
    time.as_nanos() as u64 * 1000
}

/// How a run went.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Nodes.
    nodes: u16,
    /// What carried what they told each other.
    carrier: &'static str,
    /// What they computed.
    program: Program,
    /// How much of it.
    size: Extent,
    /// How often.
    iterations: u16,
    /// Frames that links lost.
    lose: String,
    /// Himeno's Gosa, of others the sum of all elements.
    result: Option<f64>,
    /// All nodes have the bits that one computer alone has.
    same: Option<bool>,
    /// When the last program ended.
    time_ps: u64,
    /// What calls took, of the program that is for that.
    calls: Vec<Call>,
    /// What each node counted.
    counts: Vec<Counts>,
}

/// A call.
#[derive(JsonSchema, Serialize)]
struct Call {
    /// What it was.
    name: &'static str,
    /// From the call to its end.
    took_ps: u64,
}

/// What a node counted.
#[derive(JsonSchema, Serialize)]
struct Counts {
    /// How long its program waited in calls.
    waited_ps: u64,
    /// Copies that it sent.
    copies: u64,
    /// Times that it gave ownership away.
    grants: u64,
    /// Invalidations that it sent.
    invalidations: u64,
    /// Messages, or packets of datagrams, that left.
    packets_sent: u64,
    /// Those that came.
    packets_received: u64,
    /// Pieces that were sent again.
    resent: u64,
    /// Pieces that came once more.
    repeated: u64,
}

impl From<Stats> for Counts {
    fn from(stats: Stats) -> Self {
        Counts {
            waited_ps: ps(stats.waited),
            copies: stats.copies,
            grants: stats.grants,
            invalidations: stats.invalidations,
            packets_sent: stats.packets_sent,
            packets_received: stats.packets_received,
            resent: stats.comm.resent,
            repeated: stats.comm.repeated,
        }
    }
}

impl Report {
    /// Before anything has run.
    pub fn new<M: Built>(args: &Args, carrier: &'static str) -> Self {
        Report {
            head: Head::of_run::<M>("fagus", args.nic).seeded(args.seed),
            nodes: args.nodes,
            carrier,
            program: args.program,
            size: args.size,
            iterations: args.iterations,
            lose: numbers::percent(args.lose.unwrap_or(0)),
            result: None,
            same: None,
            time_ps: 0,
            calls: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// The results of all nodes, beside that of one computer.
    pub fn answer(&mut self, alone: Answer, nodes: &[Ended<Answer>]) {
        self.result = Some(nodes[0].value.number);
        self.same = Some(nodes.iter().all(|node| node.value.bits == alone.bits));
    }

    /// What calls took.
    pub fn call(&mut self, took: &[(&'static str, Duration)]) {
        self.calls = took.iter().map(|(name, time)| Call { name, took_ps: ps(*time) }).collect();
    }

    /// The run is over.
    pub fn end<M: Built>(self, now: Time, fingerprint: Fingerprint) -> Self {
        Report { head: self.head.until::<M>(now).marked(fingerprint), ..self }
    }

    /// Nothing is other than it should be.
    pub fn is_right(&self) -> bool {
        self.same != Some(false)
    }

    /// What all nodes have counted.
    pub fn count<R>(&mut self, nodes: &[Ended<R>]) {
        self.time_ps = nodes.iter().map(|node| ps(node.time)).max().unwrap_or(0);
        self.counts = nodes.iter().map(|node| node.stats.into()).collect();
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { nodes, carrier, lose, .. } = self;
        let (machine, nic) = (self.head.machine.map_or("", Name::title), self.head.nic_name());
        let program = typed(self.program);
        write!(f, "{program}")?;
        if self.program != Program::Latencies {
            write!(f, ", size {}, {} iterations", typed(self.size), self.iterations)?;
        }
        writeln!(f, ", on {nodes} nodes of {machine} over {carrier}, nic {nic}, {lose} lost")?;
        for Call { name, took_ps } in &self.calls {
            writeln!(f, "  {name:24}{:>14} us", us(*took_ps))?;
        }
        writeln!(
            f,
            "{:>6}{:>16}{:>8}{:>8}{:>8}{:>10}{:>10}{:>8}",
            "node", "waited us", "copies", "grants", "inv", "sent", "received", "again"
        )?;
        for (node, counts) in self.counts.iter().enumerate() {
            writeln!(
                f,
                "{node:>6}{:>16}{:>8}{:>8}{:>8}{:>10}{:>10}{:>8}",
                us(counts.waited_ps),
                counts.copies,
                counts.grants,
                counts.invalidations,
                counts.packets_sent,
                counts.packets_received,
                counts.resent
            )?;
        }
        writeln!(f, "{} us", us(self.time_ps))?;
        if let Some(divergences) = self.head.divergences {
            writeln!(f, "{divergences} divergences")?;
        }
        if let (Some(result), Some(same)) = (self.result, self.same) {
            // Gosa has 32 bits.
            let number = if self.program == Program::Himeno {
                format!("Gosa {:e}", result as f32)
            } else {
                format!("sum {result:e}")
            };
            let same =
                if same { "bit-equal to one computer alone" } else { "NOT what one computer alone has" };
            writeln!(f, "{number}, {same}")?;
        }
        write!(f, "fingerprint {}", self.head.fingerprint())
    }
}
