//! Processor time of small MPI messages and one-sided accesses, simulator and ranks together.
//!
//! A ping-pong of 4 bytes, and accesses of 4 bytes with a flush each, run under `memonet mpirun` over each
//! network. The measure is the processor time of all processes, minus that of a run of one round, which removes
//! their start. The network of constant delay costs almost nothing to simulate, so its time is that of ranks, shared memory and
//! library; the additional time on the other networks is the model's.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;
use tempfile::TempDir;

use crate::document::Head;
use crate::mpirun::{Abi, Library, Network};

/// The programs and their header.
const SOURCES: [(&str, &str); 3] = [
    ("ping.c", include_str!("../../../../testbench/mpi/ping.c")),
    ("one_sided.c", include_str!("../../../../testbench/mpi/one_sided.c")),
    ("check.h", include_str!("../../../../testbench/mpi/check.h")),
];

/// Factor for the number on the network of constant delay, where messages are much cheaper.
const MORE_IN_MEMORY: u64 = 10;

/// Divisor of the number for one-sided accesses, which take a round trip each.
const FEWER_ACCESSES: u64 = 4;

/// A measured operation.
#[derive(Clone, Copy, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Operation {
    /// `MPI_Send` and `MPI_Recv`.
    Send,
    /// `MPI_Put` and `MPI_Win_flush`.
    Put,
    /// `MPI_Get` and `MPI_Win_flush`.
    Get,
    /// `MPI_Fetch_and_op` and `MPI_Win_flush`.
    FetchAndOp,
}

impl Operation {
    const ALL: [Operation; 4] = [Operation::Send, Operation::Put, Operation::Get, Operation::FetchAndOp];

    /// Name in the table, and argument of the program.
    fn name(self) -> &'static str {
        match self {
            Operation::Send => "send",
            Operation::Put => "put",
            Operation::Get => "get",
            Operation::FetchAndOp => "fetch_and_op",
        }
    }

    /// Operations of a round of the program.
    fn per_round(self) -> u64 {
        if self == Operation::Send { 2 } else { 1 }
    }

    /// Rounds of a slice of `messages` messages.
    fn rounds(self, network: Network, messages: u32) -> u64 {
        let more = if network == Network::Memory { MORE_IN_MEMORY } else { 1 };
        let fewer = if self == Operation::Send { 1 } else { FEWER_ACCESSES };
        (u64::from(messages) * more).div_ceil(fewer * self.per_round())
    }

    /// The command line of the program without its folder, for a number of rounds.
    fn words(self, rounds: u64) -> Vec<String> {
        match self {
            Operation::Send => vec!["ping".to_owned(), rounds.to_string()],
            _ => vec!["one_sided".to_owned(), self.name().to_owned(), rounds.to_string()],
        }
    }
}

/// Cost of an operation over one network.
#[derive(JsonSchema, Serialize)]
struct Row {
    /// Name of the network, as for `memonet mpirun --machine`.
    network: String,
    /// The operation; each one-sided access has a flush.
    operation: Operation,
    /// Messages or accesses of a slice.
    messages: u64,
    /// Processor time of a message, simulator and ranks: the median of the slices.
    message_us: f64,
    /// Processor time of a message in the cheapest slice.
    least_us: f64,
    /// Processor time of a message in the dearest slice.
    most_us: f64,
    /// Messages per second of processor time, by the median.
    messages_per_second: f64,
    /// The model's share of a message's cost: the excess over the network of constant delay; `null` for that
    /// network.
    model_share: Option<f64>,
}

/// Cost of a small message and of a one-sided access over each network.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Bytes of a message.
    bytes: u64,
    /// Slices of each network.
    slices: u64,
    /// The networks, that of constant delay first.
    rows: Vec<Row>,
}

/// Measures all networks and operations in alternating slices of `messages` messages.
pub fn measure(slices: u16, messages: u32) -> anyhow::Result<Report> {
    let programs = Programs::compile()?;
    let cases: Vec<_> = Network::value_variants()
        .iter()
        .flat_map(|network| Operation::ALL.map(|operation| (*network, operation)))
        .collect();
    let progress = machine_api::progress("bench", u64::from(slices) * cases.len() as u64, "slices");
    let mut costs = vec![Vec::new(); cases.len()];
    for _ in 0..slices {
        for ((network, operation), costs) in cases.iter().zip(&mut costs) {
            progress.set_message(format!("bench, {}, {}", network.title(), operation.name()));
            costs.push(programs.operation_us(*network, *operation, operation.rounds(*network, messages))?);
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    let mut rows: Vec<Row> = Vec::new();
    for ((network, operation), mut costs) in cases.into_iter().zip(costs) {
        costs.sort_by(f64::total_cmp);
        let message_us = costs[costs.len() / 2];
        if message_us == 0.0 {
            bail!("the messages took no measurable time; increase --messages");
        }
        let wires = rows.iter().find(|row| row.operation == operation);
        rows.push(Row {
            network: network.name(),
            operation,
            messages: operation.per_round() * operation.rounds(network, messages),
            message_us,
            least_us: costs[0],
            most_us: costs[costs.len() - 1],
            messages_per_second: 1e6 / message_us,
            model_share: wires.map(|wires| 1.0 - wires.message_us / message_us),
        });
    }
    Ok(Report { head: Head::new("bench_mpi"), bytes: 4, slices: slices.into(), rows })
}

/// The compiled programs.
pub struct Programs {
    memonet: PathBuf,
    folder: TempDir,
}

impl Programs {
    /// Compiles the programs into a folder that exists as long as this.
    pub fn compile() -> anyhow::Result<Self> {
        // Reports a missing library before compiling.
        Library::find(Abi::Standard)?;
        let memonet = std::env::current_exe().context("looking for this program")?;
        let folder = TempDir::new().context("creating a folder for the measured program")?;
        for (name, text) in SOURCES {
            crate::output::write(&folder.path().join(name), text.as_bytes())?;
        }
        let programs = Programs { memonet, folder };
        for name in ["ping", "one_sided"] {
            let (source, program) = (programs.path(&format!("{name}.c")), programs.path(name));
            let words = ["mpicc".as_ref(), "-O2".as_ref(), source.as_ref(), "-o".as_ref(), program.as_ref()];
            programs.run(&words).context("compiling the measured program")?;
        }
        Ok(programs)
    }

    /// Path of a program.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Processor time of an operation, in a run of `rounds` + 1 rounds minus a run of one.
    fn operation_us(&self, network: Network, operation: Operation, rounds: u64) -> anyhow::Result<f64> {
        let start = self.seconds(network, operation, 1)?;
        let all = self.seconds(network, operation, rounds + 1)?;
        Ok((all - start).max(0.0) * 1e6 / (operation.per_round() * rounds) as f64)
    }

    /// Processor time of all processes of a run.
    fn seconds(&self, network: Network, operation: Operation, rounds: u64) -> anyhow::Result<f64> {
        let before = children_seconds()?;
        let network = network.name();
        let typed = operation.words(rounds);
        let (program, arguments) = typed.split_first().context("a program has a name")?;
        let program = self.path(program);
        let words = ["mpirun", "-np", "2", "--machine", &network].map(OsStr::new);
        let arguments = arguments.iter().map(OsStr::new);
        let words: Vec<_> = words.into_iter().chain([program.as_os_str()]).chain(arguments).collect();
        self.run(&words).with_context(|| format!("running it on {network}"))?;
        Ok(children_seconds()? - before)
    }

    fn run(&self, words: &[&OsStr]) -> anyhow::Result<()> {
        let output = Command::new(&self.memonet).args(words).stdin(Stdio::null()).output()?;
        if !output.status.success() {
            let told = String::from_utf8_lossy(&output.stderr);
            bail!("{}", told.trim_end().trim_start_matches("memonet: "));
        }
        Ok(())
    }
}

/// Seconds of processor time of all ended children and their descendants: fields 16 and 17 of
/// `/proc/self/stat`, in clock ticks.
fn children_seconds() -> anyhow::Result<f64> {
    let stat =
        std::fs::read_to_string(Path::new("/proc/self/stat")).context("reading the times of this process")?;
    // The program name in field 2 is in parentheses and may contain any character.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(13);
    let ticks: Vec<u64> = fields.take(2).filter_map(|field| field.parse().ok()).collect();
    let [user, system] = ticks[..] else { bail!("no times in /proc/self/stat") };
    Ok((user + system) as f64 / rustix::param::clock_ticks_per_second() as f64)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "messages of {} bytes, and accesses with a flush, under memonet mpirun, processor time of simulator and \
             ranks, medians of {} slices",
            self.bytes, self.slices
        )?;
        write!(
            f,
            "\n{:10}{:14}{:>12}{:>20}{:>14}{:>18}",
            "network", "operation", "us each", "(min to max)", "a second", "the model's share"
        )?;
        for row in &self.rows {
            let span = format!("({:.1} to {:.1})", row.least_us, row.most_us);
            let share = row.model_share.map_or("-".to_owned(), |share| format!("{:.0} %", share * 100.0));
            write!(
                f,
                "\n{:10}{:14}{:>12.2}{span:>20}{:>14.0}{share:>18}",
                row.network,
                row.operation.name(),
                row.message_us,
                row.messages_per_second
            )?;
        }
        Ok(())
    }
}
