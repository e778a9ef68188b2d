//! Kinds of work whose instructions are counted.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Context;
use clap::ValueEnum;
use hdl::{Device, Edges, Instants, MOST_WORDS, Model, Nic, Observed, Visibility};
use machine_api::Load;

use super::cachegrind::{self, Counts};
#[cfg(feature = "programs")]
use crate::bench::ping::Programs;
use crate::bench::recording::Recording;
use crate::bench::scale;
use crate::machines::{Built, Name, with_machine};
#[cfg(feature = "programs")]
use crate::mpirun::Network;
use crate::nic::{self, Board, Kind};

/// Work of a process of its own.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Work {
    /// Core cycles of the model under its busiest load.
    Model,
    /// Core cycles of the Verilated RTL.
    Rtl,
    /// Core cycles of both in lockstep.
    Lockstep,
    /// Microseconds of a cluster that sends few messages.
    Sparse,
}

/// Core cycles of the short and the long run after the start of a load.
const CYCLES: [u64; 2] = [1_000, 3_000];

/// Core cycles between two looks whether a load has started.
const LOOK: u64 = 1_000;

/// Core cycles after which a load must have started.
const LATEST_START: u64 = 100_000;

/// Nodes of the sparse cluster.
const NODES: usize = 16;

/// Microseconds of the sparse cluster in the short and the long run.
const MICROSECONDS: [u64; 2] = [20, 60];

/// Microseconds between two messages of a node.
const EVERY: u64 = 10;

/// Rounds of the MPI program in the short and the long run; a round has two messages.
#[cfg(feature = "programs")]
const ROUNDS: [u64; 2] = [10, 110];

/// Name of the MPI program's work.
#[cfg(feature = "programs")]
const MPI: &str = "mpi";

impl Work {
    fn name(self) -> &'static str {
        match self {
            Work::Model => "model",
            Work::Rtl => "rtl",
            Work::Lockstep => "lockstep",
            Work::Sparse => "sparse",
        }
    }

    /// Does an amount of this work.
    pub fn run(self, machine: Name, amount: u64) -> anyhow::Result<()> {
        let kind = match self {
            Work::Model => Kind::Model,
            Work::Rtl => Kind::Rtl,
            Work::Lockstep => Kind::Lockstep,
            Work::Sparse => return with_machine!(machine, M => scale::sparse_for::<M>(NODES, amount)),
        };
        with_machine!(machine, M => cycles::<M>(kind, amount))
    }
}

/// The busiest load of a machine.
fn busiest<M: Built>() -> anyhow::Result<Load<M>> {
    M::loads().into_iter().next().context("a machine has a load")
}

/// Plays the busiest load on an engine until these cycles after its start. Runs of any length record equally many.
fn cycles<M: Built>(kind: Kind, cycles: u64) -> anyhow::Result<()> {
    let start = start::<M>()?;
    let recording = Recording::of(start + CYCLES[1], &mut busiest::<M>()?);
    let mut board = Board::<M>::open_lean(kind, 0, "memonet bench --count")?.ahead();
    recording.play(&mut board, &mut recording.start(), start + cycles)?;
    board.check().map_err(|error| anyhow::anyhow!(error))
}

/// Core cycles until a word changes in most cycles: hosts first set up their connections, and the device sleeps.
fn start<M: Built>() -> anyhow::Result<u64> {
    let (mut load, mut model) = (busiest::<M>()?, Model::new(M::Device::default()));
    let (mut instants, mut sample) = (Instants::new(M::Device::CLOCKS), Box::new([0; MOST_WORDS]));
    for start in (0..LATEST_START).step_by(LOOK as usize) {
        let (mut cycles, mut changes) = (0, 0);
        while cycles < LOOK {
            let edges = instants.next_edges();
            let pins = (load.pins)(edges, model.outputs());
            model.edge(edges, &pins).expect("a model never fails");
            model.resample(edges, Visibility::Lean, &mut sample).for_each(|_| changes += 1);
            cycles += u64::from(edges.meets(Edges::FIRST));
        }
        if changes >= LOOK {
            return Ok(start);
        }
    }
    anyhow::bail!("the load does not start within {LATEST_START} cycles")
}

/// Work that is counted, as runs of two lengths.
pub struct Case {
    machine: String,
    work: &'static str,
    unit: &'static str,
    program: PathBuf,
    /// Arguments of the short and the long run.
    runs: [Vec<OsString>; 2],
    /// Units that the long run has more.
    units: f64,
}

impl Case {
    /// Name in files and options.
    pub fn name(&self) -> String {
        format!("{} {}", self.machine, self.work)
    }

    pub fn machine(&self) -> &str {
        &self.machine
    }

    pub fn work(&self) -> &'static str {
        self.work
    }

    /// Unit of the counts.
    pub fn unit(&self) -> &'static str {
        self.unit
    }

    /// Instructions of a unit.
    pub fn count(&self) -> anyhow::Result<Counts> {
        let count = |run: &[OsString]| {
            let arguments: Vec<_> = run.iter().map(OsString::as_os_str).collect();
            cachegrind::count(&self.program, &arguments)
        };
        let [short, long] = &self.runs;
        Ok(count(long)?.beyond(&count(short)?, self.units))
    }

    /// Messages of an MPI program over a network.
    #[cfg(feature = "programs")]
    fn of_mpi(network: Network, programs: &Programs, program: PathBuf) -> Self {
        let runs = ROUNDS.map(|rounds| {
            let words = ["mpirun", "-np", "2", "--machine", &network.name()].map(OsString::from);
            let ping = [programs.path("ping").into_os_string(), rounds.to_string().into()];
            words.into_iter().chain(ping).collect()
        });
        let units = 2.0 * (ROUNDS[1] - ROUNDS[0]) as f64;
        Case { machine: network.name(), work: MPI, unit: "message", program, runs, units }
    }

    /// Work on a machine.
    fn of(machine: Name, work: Work, program: PathBuf) -> Self {
        let (unit, amounts, units) = match work {
            Work::Sparse => {
                let [short, long] = MICROSECONDS;
                ("message", MICROSECONDS, (NODES as u64 * (long - short) / EVERY) as f64)
            }
            _ => ("core cycle", CYCLES, (CYCLES[1] - CYCLES[0]) as f64),
        };
        let runs = amounts.map(|amount| {
            let amount = amount.to_string();
            let words = ["bench", "--machine", machine.folder(), "--work", work.name(), "--cycles", &amount];
            words.map(OsString::from).to_vec()
        });
        Case { machine: machine.folder().to_owned(), work: work.name(), unit, program, runs, units }
    }
}

/// The work that this build can do.
pub struct Cases {
    pub cases: Vec<Case>,
    /// Names of what it cannot do.
    pub left_out: Vec<String>,
    /// The compiled MPI programs, which exist as long as this.
    #[cfg(feature = "programs")]
    _programs: Option<Programs>,
}

/// The work whose names are wanted.
pub fn all(wanted: impl Fn(&str) -> bool) -> anyhow::Result<Cases> {
    let program = std::env::current_exe().context("looking for this program")?;
    let (mut cases, mut left_out) = (Vec::new(), Vec::new());
    for &machine in Name::value_variants() {
        for work in Work::value_variants() {
            let case = Case::of(machine, *work, program.clone());
            let needs_rtl = matches!(work, Work::Rtl | Work::Lockstep);
            match wanted(&case.name()) {
                true if needs_rtl && !nic::has_rtl() => left_out.push(case.name()),
                true => cases.push(case),
                false => {}
            }
        }
    }
    #[cfg(feature = "programs")]
    let programs = {
        let of_mpi = |network: &Network| wanted(&format!("{} {MPI}", network.name()));
        let networks: Vec<_> = Network::value_variants().iter().copied().filter(of_mpi).collect();
        let programs = (!networks.is_empty()).then(Programs::compile).transpose()?;
        cases.extend(programs.iter().flat_map(|programs| {
            networks.iter().map(|network| Case::of_mpi(*network, programs, program.clone()))
        }));
        programs
    };
    Ok(Cases {
        cases,
        left_out,
        #[cfg(feature = "programs")]
        _programs: programs,
    })
}
