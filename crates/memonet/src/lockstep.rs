//! `memonet lockstep`: random traffic on one board, model against RTL.

use std::fmt;
use std::path::PathBuf;

use cluster::{AnyNic, FingerprintRecorder, Time};
use hdl::{Device, Edges, Instants, Nic};
use serde::Serialize;
use waveform::View;

use crate::machines::{Built, Name, other, with_machine};
use crate::nic::{Board, Kind};
use crate::output::{self, Outcome};
use crate::recorded::{self, Recording};
use crate::usage;

/// Random traffic with random stalls on every ready, model against RTL.
///
/// What the traffic is depends on the machine; the report says it. Every register and every pin of every block is compared
/// after every clock edge; the arcs that the state machines walk are counted and compared with the declared ones.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  memonet lockstep --cycles 5000000 --seed 1
  memonet lockstep --machine ", other!(), " --cycles 1000000
  memonet lockstep --cycles 81234 --seed 7 --waves waveforms/out --from 81034   # the last 200 cycles
  memonet lockstep --nic model --json                             # the model alone: the same fingerprint"))]
pub struct Args {
    /// What is compared.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Core clock cycles (10 ns each on DIMMnet-2, 30 ns on GigaE PM).
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    cycles: u64,
    /// Seed of the traffic.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What stands behind the pins.
    #[arg(long, value_enum, default_value_t)]
    nic: Kind,
    /// Folder for waveforms (VCD and FST): a million cycles are gigabytes, so see --from.
    #[arg(long, value_name = "FOLDER")]
    waves: Option<PathBuf>,
    /// Core clock cycle at which the waveforms begin.
    #[arg(long, value_name = "CYCLE", requires = "waves", default_value_t = 0)]
    from: u64,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
struct Report {
    machine: Name,
    /// What the traffic was.
    traffic: &'static str,
    nic: Kind,
    seed: u64,
    cycles: u64,
    divergences: u32,
    divergence: Option<String>,
    fingerprint: Option<String>,
    registers: usize,
    pins: usize,
    state_machines: Vec<StateMachine>,
    waves: Vec<PathBuf>,
}

#[derive(Serialize)]
struct StateMachine {
    path: String,
    declared: usize,
    walked: usize,
    missing: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.from > args.cycles {
        let reason = format!("it is after the end of the run: --cycles {}", args.cycles);
        return Err(usage::invalid("--from <CYCLE>", args.from, reason));
    }
    with_machine!(args.machine, M => compare::<M>(args))
}

fn compare<M: Built>(args: &Args) -> anyhow::Result<Outcome> {
    let (machine, seed) = (M::NAME, args.seed);
    let command = format!(
        "memonet lockstep --machine {machine} --cycles {{cycle}} --seed {seed} --waves waveforms/out --from {{from}}"
    );
    let board = Board::<M>::open(args.nic, args.seed, &command)?;
    let mut report = Report {
        machine: M::WHICH,
        traffic: M::TRAFFIC,
        nic: args.nic,
        seed: args.seed,
        cycles: args.cycles,
        divergences: 0,
        divergence: None,
        fingerprint: None,
        registers: board.signals().iter().filter(|s| matches!(s.role, hdl::SignalRole::Register(_))).count(),
        pins: board.signals().iter().filter(|s| matches!(s.role, hdl::SignalRole::Pins(..))).count(),
        state_machines: Vec::new(),
        waves: Vec::new(),
    };

    if let Some(folder) = &args.waves {
        // The end of a run is where a failure is.
        let period = M::Device::CLOCKS[0].period_ps;
        let shown = (args.cycles - args.from).min(30);
        let view = View { start_ps: (args.cycles - shown) * period, length_ps: shown * period };
        let recording = Recording::new(folder, "lockstep", args.from, view);
        let (waves, mut boards) = recorded::record(&recording, vec![board])?;
        let ran = drive::<M>(&mut boards[0], args);
        report.waves = waves.finish()?;
        note(&mut report, ran);
        finish(&mut report, boards[0].board());
    } else {
        let mut board = board.ahead();
        let ran = drive::<M>(&mut board, args);
        note(&mut report, ran);
        finish(&mut report, &mut board);
    }
    output::print(&report, args.json)?;
    Ok(Outcome::from(report.divergences == 0))
}

/// Walks the edges; the fingerprint of the run.
fn drive<M: Built>(board: &mut AnyNic<M>, args: &Args) -> anyhow::Result<String> {
    let mut instants = Instants::new(M::Device::CLOCKS);
    let mut traffic = M::traffic(args.seed);
    let mut fingerprint = FingerprintRecorder::new(board.signals());
    let progress = lab::progress(args.cycles, "cycles");
    let mut cycles = 0;
    while cycles < args.cycles {
        let edges = instants.next_edges();
        let out = *board.outputs();
        board.edge(edges, M::next_pins(&mut traffic, edges, &out)).map_err(|error| anyhow::anyhow!(error))?;
        if edges.meets(Edges::FIRST) {
            cycles += 1;
            if cycles % cluster::SAMPLE_CYCLES == 0 {
                fingerprint.sample(Time::from_ps(instants.now), board);
                progress.set_position(cycles);
            }
        }
    }
    progress.finish_and_clear();
    Ok(fingerprint.finish(Time::from_ps(instants.now), board, |_| ()).to_string())
}

fn note(report: &mut Report, ran: anyhow::Result<String>) {
    match ran {
        Ok(fingerprint) => report.fingerprint = Some(fingerprint),
        Err(error) => {
            report.divergences = 1;
            report.divergence = Some(format!("{error:#}"));
        }
    }
}

/// Memories and arcs, which only a pair can compare.
#[cfg(feature = "rtl")]
fn finish<M: Built>(report: &mut Report, board: &mut Board<M>) {
    let Some(lockstep) = board.lockstep() else { return };
    if report.divergences == 0
        && let Err(divergence) = lockstep.compare_memories()
    {
        report.divergences = 1;
        report.divergence = Some(divergence.to_string());
    }
    report.state_machines = lockstep
        .coverage()
        .machines()
        .iter()
        .map(|machine| StateMachine {
            path: machine.path.clone(),
            declared: machine.table.arcs().count(),
            walked: machine.table.arcs().count() - machine.missing().len(),
            missing: machine.missing().into_iter().map(|arc| machine.show(arc)).collect(),
        })
        .collect();
    if let Err(illegal) = lockstep.coverage().check() {
        report.divergences += 1;
        report.divergence.get_or_insert(illegal.to_string());
    }
}

#[cfg(not(feature = "rtl"))]
fn finish<M: Built>(_report: &mut Report, _board: &mut Board<M>) {}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for machine in &self.state_machines {
            let StateMachine { path, declared, walked, missing } = machine;
            write!(f, "  {path:60} {walked:3} of {declared:3} arcs")?;
            writeln!(
                f,
                "{}",
                if missing.is_empty() {
                    String::new()
                } else {
                    format!("; not walked: {}", missing.join(", "))
                }
            )?;
        }
        writeln!(f, "traffic: {}", self.traffic)?;
        if let Some(divergence) = &self.divergence {
            writeln!(f, "{divergence}")?;
        }
        for path in &self.waves {
            writeln!(f, "wrote {}", path.display())?;
        }
        writeln!(
            f,
            "{} core cycles, seed {}, nic {}: {} registers and {} pin bundles compared",
            self.cycles,
            self.seed,
            self.nic.name(),
            self.registers,
            self.pins
        )?;
        if let Some(fingerprint) = &self.fingerprint {
            writeln!(f, "fingerprint {fingerprint}")?;
        }
        write!(f, "{} divergences", self.divergences)
    }
}
