//! `memonet lockstep`: random traffic on one board, model against RTL.

mod window;

use std::fmt;
use std::path::PathBuf;

use clap::ValueEnum;
use cluster::{AnyNic, FingerprintRecorder, Time};
use hdl::{Device, Edges, Instants, SignalRole};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;
use crate::interrupt::Interrupt;
use crate::machines::{Built, Name, with_machine};
use crate::nic::{self, Board, Kind};
use crate::numbers;
use crate::output::{self, Outcome};
use crate::recorded;
use crate::usage;

/// Compare model and RTL under random traffic.
///
/// The traffic depends on the machine and stalls every ready signal at random; the report describes it. Every
/// register and every pin of the device is compared after every clock edge; the pins of every block are compared
/// too with --waves, and when the run is repeated after a difference. Transitions of the state
/// machines are counted and compared with the declared ones.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet lockstep --cycles 5000000 --seed 1
  memonet lockstep --cycles 81182 --seed 7 --waves waveforms/out --from 80982   # the last 200 cycles
  memonet lockstep --waves waveforms/out --from 5e5 --waves-cycles 2000 --waves-format fst
  memonet lockstep --alone model --json                           # the model alone: the same fingerprint")]
pub struct Args {
    /// Machine whose device is compared.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Core clock cycles (10 ns each on DIMMnet-2, 30 ns on GigaE PM).
    #[arg(long, default_value_t = 1_000_000, value_parser = numbers::positive)]
    cycles: u64,
    /// Seed of the traffic.
    #[arg(long, default_value_t = 1, value_parser = numbers::number)]
    seed: u64,
    /// Implementation of the board; only lockstep compares.
    #[arg(long, value_enum, default_value_t, conflicts_with = "alone")]
    nic: Kind,
    /// Run one side without comparing, for its fingerprint or waveforms.
    #[arg(long, value_enum, value_name = "SIDE")]
    alone: Option<Side>,
    #[command(flatten)]
    recorded: window::Args,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// One side of the comparison.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    Model,
    Rtl,
}

/// Report of `memonet lockstep`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Description of the traffic.
    traffic: &'static str,
    /// A signal or Ctrl-C ended the run.
    interrupted: bool,
    /// Description of the first difference between model and RTL.
    divergence: Option<String>,
    /// Registers compared after every edge.
    registers: Option<usize>,
    /// Bundles of pins compared after every edge.
    pins: Option<usize>,
    /// Transitions of the state machines; empty without a comparison.
    state_machines: Vec<StateMachine>,
    /// Files of waveforms and their layouts.
    #[serde(serialize_with = "crate::shell_words::paths")]
    waves: Vec<PathBuf>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct StateMachine {
    /// Path of the state machine on the board.
    path: String,
    /// Transitions that the table declares.
    declared: usize,
    /// Declared transitions that were taken.
    walked: usize,
    /// Declared transitions that were not taken.
    missing: Vec<String>,
}

/// Runs the traffic and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    args.recorded.check(args.cycles)?;
    if args.nic != Kind::Lockstep {
        let reason = "lockstep compares model and RTL; `--alone` runs one of them";
        return Err(usage::invalid("--nic <NIC>", args.nic.name(), reason));
    }
    with_machine!(args.machine, M => compare::<M>(args))
}

fn compare<M: Built>(args: &Args) -> anyhow::Result<Outcome> {
    let (machine, seed) = (M::NAME, args.seed);
    let command = format!(
        "memonet lockstep --machine {machine} --cycles {{cycle}} --seed {seed} --waves waveforms/out --from {{from}}"
    );
    let kind = match args.alone {
        None => Kind::Lockstep,
        Some(Side::Model) => Kind::Model,
        Some(Side::Rtl) => Kind::Rtl,
    };
    // Recorded pins are compared too.
    let open: fn(Kind, u64, &str) -> anyhow::Result<Board<M>> =
        if args.recorded.waves.is_some() { Board::open } else { Board::open_lean };
    let board = open(kind, args.seed, &command)?;
    let compared = |is: fn(&SignalRole) -> bool| {
        let count = board.compared().filter(|signal| is(&signal.role)).count();
        (kind == Kind::Lockstep).then_some(count)
    };
    let mut report = Report {
        head: Head::of_run::<M>("lockstep", kind).seeded(args.seed),
        traffic: M::TRAFFIC,
        interrupted: false,
        divergence: None,
        registers: compared(|role| matches!(role, SignalRole::Register(_))),
        pins: compared(|role| matches!(role, SignalRole::Pins(..))),
        state_machines: Vec::new(),
        waves: Vec::new(),
    };

    let interrupt = Interrupt::listen()?;
    if let Some(folder) = &args.recorded.waves {
        let window = args.recorded.window(args.cycles);
        let recording = args.recorded.recording::<M>(folder, window);
        let estimate = window.estimate::<M>(kind, args.seed, &recording)?;
        output::aside(format_args!("memonet lockstep: {estimate}"));
        let (waves, mut boards) = recorded::record(&recording, vec![board])?;
        drive::<M>(&mut boards[0], args, &interrupt, &mut report)?;
        // The run may have ended early.
        waves.show(window.view::<M>(report.head.cycles.unwrap_or_default()))?;
        report.waves = waves.finish()?;
        finish(&mut report, boards[0].board());
    } else {
        let mut board = board.ahead();
        drive::<M>(&mut board, args, &interrupt, &mut report)?;
        finish(&mut report, &mut board);
    }
    if nic::repeats_with_pins() {
        return compare::<M>(args);
    }
    output::print(&report, args.json)?;
    Ok(match () {
        () if report.divergence.is_some() => Outcome::Failure,
        () if report.interrupted => Outcome::Interrupted,
        () => Outcome::Success,
    })
}

/// Simulates until the last edge, a divergence or an interruption.
fn drive<M: Built>(
    board: &mut AnyNic<M>,
    args: &Args,
    interrupt: &Interrupt,
    report: &mut Report,
) -> anyhow::Result<()> {
    let mut instants = Instants::new(M::Device::CLOCKS);
    let mut traffic = M::traffic(args.seed);
    let mut fingerprint = FingerprintRecorder::new(board.signals());
    let progress = machine_api::progress("lockstep", args.cycles, "cycles");
    let mut cycles = 0;
    while cycles < args.cycles && !report.interrupted {
        let edges = instants.next_edges();
        let out = *board.outputs();
        if let Err(error) = board.edge(edges, M::next_pins(&mut traffic, edges, &out)) {
            progress.finish_and_clear();
            report.differs(error.to_string());
            report.reached(cycles, instants.now);
            return Ok(());
        }
        if edges.meets(Edges::FIRST) {
            cycles += 1;
            if cycles.is_multiple_of(cluster::SAMPLE_CYCLES) {
                fingerprint.sample(Time::from_ps(instants.now), board);
                progress.set_position(cycles);
                report.interrupted = interrupt.came();
            }
        }
    }
    progress.finish_and_clear();
    report.reached(cycles, instants.now);
    let fingerprint = fingerprint.finish(Time::from_ps(instants.now), board, |_| ());
    report.head.fingerprint = Some(fingerprint.to_string());
    Ok(())
}

impl Report {
    /// Counts a divergence, or a side that cannot continue. The report keeps the first description.
    fn differs(&mut self, error: String) {
        self.head.divergences = self.head.divergences.map(|count| count + 1);
        self.divergence.get_or_insert(error);
    }

    /// Records the cycles and the virtual time simulated so far.
    fn reached(&mut self, cycles: u64, now: u64) {
        (self.head.cycles, self.head.simulated_ps) = (Some(cycles), Some(now));
        // The pair never rests here: each cycle is executed on both sides.
        self.head.cycles_compared = self.head.divergences.map(|_| cycles);
        self.head.cycles_skipped = self.head.divergences.map(|_| 0);
    }
}

/// Compares memories and collects the transitions, which exist in lockstep only.
#[cfg(feature = "rtl")]
fn finish<M: Built>(report: &mut Report, board: &mut Board<M>) {
    let Some(lockstep) = board.lockstep() else { return };
    if report.divergence.is_none()
        && let Err(divergence) = lockstep.compare_memories()
    {
        report.differs(divergence.to_string());
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
        report.differs(illegal.to_string());
    }
}

#[cfg(not(feature = "rtl"))]
fn finish<M: Built>(_report: &mut Report, _board: &mut Board<M>) {}

/// Transitions of the state machine at `path` as a tree: each source state with its targets.
fn branches<'a>(path: &str, arcs: &'a [String]) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut branches: Vec<(&str, Vec<&str>)> = Vec::new();
    for arc in arcs {
        let arc = arc.strip_prefix(path).and_then(|arc| arc.strip_prefix(": ")).unwrap_or(arc);
        let (from, to) = arc.split_once(" -> ").unwrap_or((arc, ""));
        match branches.last_mut() {
            Some((last, all)) if *last == from => all.push(to),
            _ => branches.push((from, vec![to])),
        }
    }
    branches
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for machine in &self.state_machines {
            let StateMachine { path, declared, walked, missing } = machine;
            let missed = if missing.is_empty() { "" } else { ", not walked:" };
            writeln!(f, "  {path:60} {walked:3} of {declared:3} arcs{missed}")?;
            for (from, to) in branches(path, missing) {
                writeln!(f, "    {from} -> {}", to.join(", "))?;
            }
        }
        writeln!(f, "traffic: {}", self.traffic)?;
        if let Some(divergence) = &self.divergence {
            writeln!(f, "{divergence}")?;
        }
        for path in &self.waves {
            writeln!(f, "wrote {}", path.display())?;
        }
        let ended = if self.interrupted { ", ended from outside" } else { "" };
        let Head { seed, cycles, .. } = self.head;
        let [cycles, seed] = [cycles, seed].map(Option::unwrap_or_default);
        write!(f, "{cycles} core cycles, seed {seed}, nic {}{ended}: ", self.head.nic_name())?;
        match self.registers.zip(self.pins) {
            Some((registers, pins)) => writeln!(f, "{registers} registers and {pins} pin bundles compared")?,
            None => writeln!(f, "nothing compared")?,
        }
        if let Some(fingerprint) = &self.head.fingerprint {
            write!(f, "fingerprint {fingerprint}")?;
        }
        match self.head.divergences {
            Some(divergences) => write!(f, "\n{divergences} divergences"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transitions_are_grouped_by_source_state() {
        let arcs = ["a.b.state: Prim -> Wait", "a.b.state: Prim -> Done", "a.b.state: Wait -> Prim"];
        let arcs = arcs.map(String::from);
        let tree = branches("a.b.state", &arcs);
        assert_eq!(tree, [("Prim", vec!["Wait", "Done"]), ("Wait", vec!["Prim"])]);
    }
}
