//! `memonet bench`: speed of model, RTL and lockstep on the same stimulus.
//!
//! The stimulus is recorded once, with the model in the loop, and replayed from memory on all three engines
//! in alternating slices, so that other load on the computer affects all of them. Medians of slices are
//! compared as ratios; the absolute numbers depend on the computer and the moment.
//!
//! Times are processor time of the whole process. Other processes do not count; both threads of a lockstep
//! pair do.

mod count;
#[cfg(feature = "programs")]
mod ping;
mod processor;
mod recording;
mod scale;

pub use count::Report as Count;
#[cfg(feature = "programs")]
pub use ping::Report as Ping;
pub use scale::Report as Scale;

use std::fmt;

use hdl::{Device, Visibility};
use machine_api::{Load, ProgressBar};
use recording::Recording;
use rustix::time::ClockId;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;
#[cfg(not(feature = "programs"))]
use crate::left_out;
use crate::machines::{Built, Name, with_machine};
use crate::nic::{self, Board, Kind};
use crate::numbers;
use crate::output::{self, Outcome};
use crate::usage;

/// Measure the speed of model, RTL and lockstep.
///
/// Speeds are core cycles per second of processor time. Each machine has loads of its own, the busiest first;
/// the report describes them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet bench
  memonet bench --slices 30 --json
  memonet bench --nodes 2,16,128,1024,3071
  memonet bench --mpi
  memonet bench --count --against docs/figures/counts.tsv

Run all but --count from a release build: cargo run --release -- bench")]
pub struct Args {
    /// Machine to measure.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Slices of each engine.
    #[arg(long, default_value_t = 15, value_parser = numbers::within::<u16>(1..=65_535, "the number of slices"))]
    slices: u16,
    /// Core cycles of a slice.
    #[arg(long, default_value_t = 20_000, value_parser = numbers::positive)]
    cycles: u64,
    /// Measure clusters of these sizes instead: their speed under saturated, sparse and idle load, and on two
    /// threads.
    #[arg(long, value_delimiter = ',', value_parser = numbers::count, conflicts_with_all = ["slices", "cycles"])]
    nodes: Vec<usize>,
    /// Measure small MPI messages and one-sided accesses over each network instead: processor time of each,
    /// including the ranks.
    #[arg(long, conflicts_with_all = ["machine", "cycles", "nodes"])]
    mpi: bool,
    /// Messages of a slice, with --mpi; ten times as many on the network of constant delay, and a quarter for accesses.
    #[arg(long, default_value_t = 10_000, requires = "mpi", value_parser = numbers::within::<u32>(1..=100_000_000, "the number of messages"))]
    messages: u32,
    #[command(flatten)]
    count: count::Args,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Core cycles per second of processor time, over the slices of one engine.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct Speed {
    /// Median of the slices.
    median: f64,
    /// Slowest slice.
    min: f64,
    /// Fastest slice.
    max: f64,
}

/// Speeds of the engines under one load.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct LoadSpeeds {
    /// Name of the load.
    load: &'static str,
    /// Description of the load.
    about: &'static str,
    /// Core cycles per second of processor time of the Rust model.
    model: Speed,
    /// Speed of the Verilated RTL as lockstep of long runs has it: without the pins of blocks, if the build has such
    /// RTL.
    rtl: Speed,
    /// Speed of lockstep in long runs, with the time of both threads.
    lockstep: Speed,
    /// Speed of the RTL with the pins of all blocks; `null` if `rtl` has them.
    rtl_with_pins: Option<Speed>,
    /// Speed of lockstep with the pins of all blocks; `null` if `lockstep` compares them.
    lockstep_with_pins: Option<Speed>,
    /// Share of the model's signals that change in a core cycle, in 64-bit words.
    activity: f64,
    /// Core cycles from one change of a state machine's state to the next, on average; `null` if none changes.
    cycles_per_state: Option<f64>,
    /// Speed of the model relative to the RTL.
    ratio_model_rtl: f64,
    /// Speed of lockstep relative to the RTL.
    ratio_lockstep_rtl: f64,
    /// Speed of the model relative to the real device.
    model_real_time: f64,
}

/// Report of `memonet bench`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Slices of each engine.
    slices: usize,
    /// Core cycles of a slice.
    cycles_per_slice: u64,
    /// Speeds under each load, the busiest first.
    loads: Vec<LoadSpeeds>,
}

/// Measures and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(work) = args.count.work() {
        work.run(args.machine, args.cycles)?;
        return Ok(Outcome::Success);
    }
    if args.count.wanted() {
        return count::run(&args.count, args.json);
    }
    if !args.nodes.is_empty() {
        let most = with_machine!(args.machine, M => most_nodes::<M>());
        if let Some(nodes) = args.nodes.iter().find(|nodes| !(2..=most).contains(*nodes)) {
            let reason = format!("the number of nodes on {} is 2 to {most}", args.machine.title());
            return Err(usage::invalid("--nodes <NODES>", nodes, reason));
        }
        output::print(&scale::measure(args.machine, &args.nodes)?, args.json)?;
        return Ok(Outcome::Success);
    }
    if args.mpi {
        #[cfg(feature = "programs")]
        output::print(&ping::measure(args.slices, args.messages)?, args.json)?;
        #[cfg(not(feature = "programs"))]
        return Err(usage::refused(left_out::sentence("`memonet mpirun`, which --mpi measures")));
        #[cfg(feature = "programs")]
        return Ok(Outcome::Success);
    }
    if cfg!(debug_assertions) {
        output::aside("memonet: this build has debug assertions; its ratios are meaningless");
    }
    let report = with_machine!(args.machine, M => report::<M>(args)?);
    output::print(&report, args.json)?;
    Ok(Outcome::Success)
}

fn most_nodes<M: Built>() -> usize {
    M::MOST_NODES
}

fn report<M: Built>(args: &Args) -> anyhow::Result<Report> {
    let loads = M::loads();
    let slices = loads.len() as u64 * (u64::from(args.slices) + 1);
    let progress = machine_api::progress("bench", slices, "slices");
    let loads = loads.into_iter().map(|load| {
        progress.set_message(format!("bench, {}", load.name));
        measure(args, load, &progress)
    });
    let loads = loads.collect::<anyhow::Result<_>>()?;
    progress.finish_and_clear();
    let head = Head::on("bench", M::WHICH);
    Ok(Report { head, slices: args.slices.into(), cycles_per_slice: args.cycles, loads })
}

/// Plays a load on the engines, slice by slice, and restarts it at its end.
fn measure<M: Built>(args: &Args, mut load: Load<M>, progress: &ProgressBar) -> anyhow::Result<LoadSpeeds> {
    let slices = if load.steady { 1 } else { u64::from(args.slices) + 1 };
    let recording = Recording::of(args.cycles * slices, &mut load);
    let lean = nic::of_long_runs();
    let mut kinds = vec![(Kind::Model, lean), (Kind::Rtl, lean), (Kind::Lockstep, lean)];
    if lean != Visibility::Full {
        kinds.extend([(Kind::Rtl, Visibility::Full), (Kind::Lockstep, Visibility::Full)]);
    }
    let mut engines = Vec::new();
    for (kind, visibility) in kinds {
        let board = Board::<M>::with(visibility, kind, 0, "memonet bench")?.ahead();
        engines.push((board, Vec::new(), recording.start()));
    }
    // The first slice of each engine warms up the caches.
    for slice in 0..=args.slices {
        for (board, speeds, at) in &mut engines {
            let from = processor::seconds(ClockId::ProcessCPUTime);
            recording.play(board, at, args.cycles)?;
            let seconds = processor::seconds(ClockId::ProcessCPUTime) - from;
            if slice > 0 {
                speeds.push(args.cycles as f64 / seconds);
            }
        }
        progress.inc(1);
    }
    let mut speeds = engines.into_iter().map(|(_, mut speeds, _)| {
        speeds.sort_by(f64::total_cmp);
        Speed { median: speeds[speeds.len() / 2], min: speeds[0], max: speeds[speeds.len() - 1] }
    });
    let mut next = || speeds.next().expect("there are three engines");
    let (model, rtl, lockstep) = (next(), next(), next());
    let (rtl_with_pins, lockstep_with_pins) = (speeds.next(), speeds.next());
    let (activity, cycles_per_state) = recording.activity();
    Ok(LoadSpeeds {
        load: load.name,
        about: load.doc,
        model,
        rtl,
        lockstep,
        rtl_with_pins,
        lockstep_with_pins,
        activity,
        cycles_per_state,
        ratio_model_rtl: model.median / rtl.median,
        ratio_lockstep_rtl: lockstep.median / rtl.median,
        model_real_time: model.median * M::Device::CLOCKS[0].period_ps as f64 / 1e12,
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "core cycles per second of processor time, median of {} slices of {} cycles (min to max)",
            self.slices, self.cycles_per_slice
        )?;
        for load in &self.loads {
            let engines = [
                ("model", Some(load.model)),
                ("rtl", Some(load.rtl)),
                ("rtl, with pins", load.rtl_with_pins),
                ("lockstep", Some(load.lockstep)),
                ("lockstep, with pins", load.lockstep_with_pins),
            ];
            for (engine, Speed { median, min, max }) in
                engines.into_iter().filter_map(|(name, speed)| Some((name, speed?)))
            {
                let [median, min, max] = [median, min, max].map(millions);
                write!(f, "\n  {:6} {engine:20} {median:>12} ({min} to {max})", load.load)?;
            }
        }
        for load in &self.loads {
            let activity = 100.0 * load.activity;
            write!(f, "\n{}: {}; {activity:.1} % of all signals change in a cycle", load.load, load.about)?;
            if let Some(cycles) = load.cycles_per_state {
                write!(f, ", and a state machine changes its state every {cycles:.1} cycles")?;
            }
        }
        for load in &self.loads {
            write!(f, "\n{:5} model : rtl {:8.2}", load.load, load.ratio_model_rtl)?;
            write!(f, "   lockstep : rtl {:5.2}", load.ratio_lockstep_rtl)?;
            write!(f, "   model : device {:6.3}", load.model_real_time)?;
        }
        Ok(())
    }
}

fn millions(cycles_per_second: f64) -> String {
    format!("{:.2} M", cycles_per_second / 1e6)
}
