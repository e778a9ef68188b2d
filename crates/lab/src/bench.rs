//! `memonet bench`: model, RTL and lockstep on the same stimulus, in one run.
//!
//! The stimulus is recorded once, with the model in the loop, and played from memory to all three in slices
//! that take turns, so that whatever else the machine does falls on all of them. Medians of slices are
//! compared as ratios; the absolute numbers are of the machine and the moment.

use std::fmt;
use std::time::Instant;

use cluster::{Clocks, Time};
use dimmnet2::Dimmnet2;
use dimmnet2::pins::In;
use dimmnet2::traffic::{BackToBack, Mixed};
use hdl::{Edges, Model, Nic};
use serde::Serialize;

use crate::nic::{Board, Kind};
use crate::output::{self, Outcome};

/// Cycles per second of model, RTL and lockstep, and their ratios.
///
/// Busy: 512-byte BOTFs back to back, looped back to the board, so that it sends and receives all the time.
/// Mixed: BOTF, VS, RVS, VL, RVL and messages into a ring by turns, looped back in the same way.
/// Idle: clocks and nothing else.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet bench
  memonet bench --slices 30 --json

Run it from a release build: cargo run --release -p lab -- bench")]
pub struct Args {
    /// Slices per engine.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    slices: u16,
    /// Core cycles per slice.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    cycles: u64,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Core cycles per second over the slices of one engine.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Speed {
    median: f64,
    min: f64,
    max: f64,
}

#[derive(Default, Serialize)]
struct Load {
    model: Speed,
    rtl: Speed,
    lockstep: Speed,
}

#[derive(Serialize)]
struct Report {
    ratio_model_rtl_busy: f64,
    ratio_model_rtl_idle: f64,
    ratio_model_rtl_mixed: f64,
    ratio_lockstep_rtl_busy: f64,
    ratio_lockstep_rtl_idle: f64,
    ratio_lockstep_rtl_mixed: f64,
    /// The 100 MHz of the board are 1.
    model_busy_real_time: f64,
    /// The same under the mixed load.
    model_mixed_real_time: f64,
    slices: usize,
    cycles_per_slice: u64,
    cycles_per_second_busy: Load,
    cycles_per_second_idle: Load,
    cycles_per_second_mixed: Load,
}

/// Pins for every instant at which a clock rises.
type Stimulus = Vec<(Edges, In)>;

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if cfg!(debug_assertions) {
        eprintln!("memonet: this is a build with debug assertions; the ratios mean nothing");
    }
    let all = args.cycles * (u64::from(args.slices) + 1);
    let (mut back_to_back, mut mixed) = (BackToBack::new(), Mixed::new());
    let busy = measure(args, &record(all, |edges, out| *back_to_back.pins(edges, out)))?;
    let mixed = measure(args, &record(all, |edges, out| *mixed.pins(edges, out)))?;
    let idle = measure(args, &record_idle(args.cycles))?;
    let report = Report {
        ratio_model_rtl_busy: busy.model.median / busy.rtl.median,
        ratio_model_rtl_idle: idle.model.median / idle.rtl.median,
        ratio_model_rtl_mixed: mixed.model.median / mixed.rtl.median,
        ratio_lockstep_rtl_busy: busy.lockstep.median / busy.rtl.median,
        ratio_lockstep_rtl_idle: idle.lockstep.median / idle.rtl.median,
        ratio_lockstep_rtl_mixed: mixed.lockstep.median / mixed.rtl.median,
        model_busy_real_time: busy.model.median / 100e6,
        model_mixed_real_time: mixed.model.median / 100e6,
        slices: args.slices.into(),
        cycles_per_slice: args.cycles,
        cycles_per_second_busy: busy,
        cycles_per_second_idle: idle,
        cycles_per_second_mixed: mixed,
    };
    output::print(&report, args.json)?;
    Ok(Outcome::Success)
}

fn record_idle(cycles: u64) -> Stimulus {
    let pins =
        In { network: dimmnet2::pins::NetworkIn { tx_ready: true, ..Default::default() }, ..In::default() };
    record(cycles, |_, _| pins)
}

fn record(cycles: u64, mut pins: impl FnMut(Edges, &dimmnet2::pins::Out) -> In) -> Stimulus {
    let clocks = Clocks::DIMMNET2;
    let mut model = Model::new(Dimmnet2::default());
    let (mut now, mut done, mut stimulus) = (Time::ZERO, 0, Vec::new());
    while done < cycles {
        now = clocks.next_after(now);
        let edges = clocks.edges_at(now);
        let pins = pins(edges, model.outputs());
        model.edge(edges, &pins).expect("a model never fails");
        stimulus.push((edges, pins));
        done += edges.core as u64;
    }
    stimulus
}

/// Plays the stimulus to the three engines, slice by slice, beginning anew where it ends.
fn measure(args: &Args, stimulus: &Stimulus) -> anyhow::Result<Load> {
    let mut engines = Vec::new();
    for kind in [Kind::Model, Kind::Rtl, Kind::Lockstep] {
        engines.push((Board::open(kind, 0, "memonet bench")?.ahead(), Vec::new(), 0));
    }
    // The first slice of each warms up.
    for slice in 0..=args.slices {
        for (board, speeds, at) in &mut engines {
            let start = Instant::now();
            play(board, stimulus, at, args.cycles)?;
            let seconds = start.elapsed().as_secs_f64();
            if slice > 0 {
                speeds.push(args.cycles as f64 / seconds);
            }
        }
    }
    let mut speeds = engines.into_iter().map(|(_, mut speeds, _)| {
        speeds.sort_by(f64::total_cmp);
        Speed { median: speeds[speeds.len() / 2], min: speeds[0], max: speeds[speeds.len() - 1] }
    });
    let mut next = || speeds.next().expect("there are three engines");
    Ok(Load { model: next(), rtl: next(), lockstep: next() })
}

fn play(board: &mut Board, stimulus: &Stimulus, at: &mut usize, cycles: u64) -> anyhow::Result<()> {
    // One match outside the loop: what is measured is the engine, not the choice of it.
    match board {
        Board::Model(nic) => play_on(&mut **nic, stimulus, at, cycles),
        #[cfg(feature = "rtl")]
        Board::Rtl(nic) => play_on(&mut **nic, stimulus, at, cycles),
        #[cfg(feature = "rtl")]
        Board::Lockstep(nic) => play_on(&mut **nic, stimulus, at, cycles),
    }
}

fn play_on<N: Nic<In = In>>(
    nic: &mut N,
    stimulus: &Stimulus,
    at: &mut usize,
    cycles: u64,
) -> anyhow::Result<()> {
    let mut left = cycles;
    while left > 0 {
        let (edges, pins) = &stimulus[*at];
        nic.edge(*edges, pins).map_err(|error| anyhow::anyhow!(error))?;
        left -= edges.core as u64;
        *at = (*at + 1) % stimulus.len();
    }
    Ok(())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "core cycles per second, median of {} slices of {} cycles (min to max)",
            self.slices, self.cycles_per_slice
        )?;
        let loads = [
            ("busy", &self.cycles_per_second_busy),
            ("mixed", &self.cycles_per_second_mixed),
            ("idle", &self.cycles_per_second_idle),
        ];
        for (name, load) in loads {
            for (engine, speed) in [("model", load.model), ("rtl", load.rtl), ("lockstep", load.lockstep)] {
                let Speed { median, min, max } = speed;
                writeln!(
                    f,
                    "  {name:5} {engine:9} {:12} ({} to {})",
                    millions(median),
                    millions(min),
                    millions(max)
                )?;
            }
        }
        for (name, ratio) in [
            ("model : rtl busy", self.ratio_model_rtl_busy),
            ("model : rtl mixed", self.ratio_model_rtl_mixed),
            ("model : rtl idle", self.ratio_model_rtl_idle),
            ("lockstep : rtl busy", self.ratio_lockstep_rtl_busy),
            ("lockstep : rtl mixed", self.ratio_lockstep_rtl_mixed),
            ("lockstep : rtl idle", self.ratio_lockstep_rtl_idle),
        ] {
            writeln!(f, "{name:20} {ratio:8.2}")?;
        }
        writeln!(f, "model busy against the board's 100 MHz   {:.2}", self.model_busy_real_time)?;
        write!(f, "model mixed against the board's 100 MHz  {:.2}", self.model_mixed_real_time)
    }
}

fn millions(cycles_per_second: f64) -> String {
    format!("{:.2} M", cycles_per_second / 1e6)
}
