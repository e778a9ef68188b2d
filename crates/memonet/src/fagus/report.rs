//! Report of `memonet fagus`.

use std::fmt;
use std::time::Duration;

use ::fagus::Stats;
use ::fagus::carrier::machine::Ended;
use ::fagus::programs::task::Answer;
use cluster::{Fingerprint, Time};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Args, ProblemSize, Program, value_name};
use crate::document::Head;
use crate::library_cost;
use crate::machines::{Built, Name};
use crate::numbers;
use crate::output::us;

fn ps(time: Duration) -> u64 {
    time.as_nanos() as u64 * 1000
}

/// Report of `memonet fagus`.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Number of nodes.
    nodes: u16,
    /// Fagus nodes on each host, of which the last one may have fewer; `null` for 1.
    per_node: Option<usize>,
    /// Carrier of the messages between nodes.
    carrier: &'static str,
    #[serde(flatten)]
    library: library_cost::Chosen,
    /// Program that ran.
    program: Program,
    /// Dimensions of the problem.
    size: ProblemSize,
    /// Iterations or time steps.
    iterations: u16,
    /// Share of frames lost on links.
    lose: String,
    /// Gosa of Himeno; for the other programs the sum of all elements.
    result: Option<f64>,
    /// All nodes have the same bits as a single computer.
    same: Option<bool>,
    /// Virtual time at which the last node's program ended.
    time_ps: u64,
    /// Latencies of calls; only of the program `latencies`.
    calls: Vec<Call>,
    /// Counters of each node.
    counts: Vec<Counters>,
}

/// Latency of a call.
#[derive(JsonSchema, Serialize)]
struct Call {
    /// Name of the call.
    name: &'static str,
    /// Duration of the call.
    took_ps: u64,
}

/// Counters of a node.
#[derive(JsonSchema, Serialize)]
struct Counters {
    /// Time that the program waited in calls.
    waited_ps: u64,
    /// Copies sent.
    copies: u64,
    /// Ownership transfers granted.
    grants: u64,
    /// Invalidations sent.
    invalidations: u64,
    /// Messages or datagram packets sent.
    packets_sent: u64,
    /// Messages or datagram packets received.
    packets_received: u64,
    /// Fragments retransmitted.
    resent: u64,
    /// Fragments received again.
    repeated: u64,
    /// Reads and writes of objects.
    accesses: u64,
    /// Locks acquired.
    locks: u64,
    /// Barriers, with those of declarations and of the end of the run.
    barriers: u64,
    /// Time of Fagus's own steps that have a cost.
    library_ps: u64,
}

impl Counters {
    fn of(stats: Stats, library_ps: u64) -> Self {
        Counters {
            waited_ps: ps(stats.waited),
            copies: stats.copies,
            grants: stats.grants,
            invalidations: stats.invalidations,
            packets_sent: stats.packets_sent,
            packets_received: stats.packets_received,
            resent: stats.comm.resent,
            repeated: stats.comm.repeated,
            accesses: stats.calls.accesses,
            locks: stats.calls.locks,
            barriers: stats.calls.barriers,
            library_ps,
        }
    }
}

impl Report {
    /// The report before the run.
    pub fn new<M: Built>(args: &Args, carrier: &'static str) -> Self {
        Report {
            head: Head::of_run::<M>("fagus", args.nic).seeded(args.seed),
            nodes: args.nodes,
            per_node: args.per_node.given(),
            carrier,
            library: library_cost::Chosen::of(args.way.library_cost(), true),
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

    /// Sets the results of all nodes and compares them with that of a single computer.
    pub fn set_results(&mut self, alone: Answer, nodes: &[Ended<Answer>]) {
        self.result = Some(nodes[0].value.number);
        self.same = Some(nodes.iter().all(|node| node.value.bits == alone.bits));
    }

    /// Sets the latencies of calls.
    pub fn set_latencies(&mut self, took: &[(&'static str, Duration)]) {
        self.calls = took.iter().map(|(name, time)| Call { name, took_ps: ps(*time) }).collect();
    }

    /// Sets the end time and the fingerprint.
    pub fn end<M: Built>(self, now: Time, fingerprint: Fingerprint) -> Self {
        Report { head: self.head.until::<M>(now).marked(fingerprint), ..self }
    }

    /// All results that were compared are correct.
    pub fn is_right(&self) -> bool {
        self.same != Some(false)
    }

    /// Sets the counters and the end time of all nodes.
    pub fn set_counters<R>(&mut self, nodes: &[Ended<R>]) {
        self.time_ps = nodes.iter().map(|node| ps(node.time)).max().unwrap_or(0);
        self.counts = nodes.iter().map(|node| Counters::of(node.stats, node.library_ps)).collect();
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { nodes, carrier, lose, .. } = self;
        let (machine, nic) = (self.head.machine.map_or("", Name::title), self.head.nic_name());
        let program = value_name(self.program);
        write!(f, "{program}")?;
        if self.program != Program::Latencies {
            write!(f, ", size {}, {} iterations", value_name(self.size), self.iterations)?;
        }
        let shared = match self.per_node {
            None | Some(1) => String::new(),
            Some(processes) => format!(", {processes} on each host,"),
        };
        writeln!(f, ", on {nodes} nodes of {machine}{shared} over {carrier}, nic {nic}, {lose} lost")?;
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
        let library: u64 = self.counts.iter().map(|counts| counts.library_ps).sum();
        let library = match self.library.is_given() {
            true => format!(", Fagus's library {} us of all nodes", us(library)),
            false => String::new(),
        };
        writeln!(f, "{} us{library}", us(self.time_ps))?;
        if let Some(comparison) = self.head.comparison() {
            writeln!(f, "{comparison}")?;
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
