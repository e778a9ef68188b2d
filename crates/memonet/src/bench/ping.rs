//! Processor time of small MPI messages, simulator and ranks together.
//!
//! A ping-pong of 4 bytes runs under `memonet mpirun` over each network. The measure is the processor time of
//! all its processes, minus that of a run of one round, which removes the start of the processes. The network
//! of constant delay costs almost nothing to simulate, so its time is that of ranks, shared memory and
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

/// The program and its header.
const SOURCES: [(&str, &str); 2] = [
    ("ping.c", include_str!("../../../../testbench/mpi/ping.c")),
    ("check.h", include_str!("../../../../testbench/mpi/check.h")),
];

/// Factor for the number of messages on the network of constant delay, where they are much cheaper.
const MORE_IN_MEMORY: u64 = 10;

/// Cost of a message over one network.
#[derive(JsonSchema, Serialize)]
struct Row {
    /// Name of the network, as for `memonet mpirun --machine`.
    network: String,
    /// Messages of a slice.
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

/// Cost of a small message over each network.
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

/// Measures all networks in alternating slices of `messages` messages.
pub fn measure(slices: u16, messages: u32) -> anyhow::Result<Report> {
    let ping = Ping::compile()?;
    let networks = Network::value_variants();
    let progress = machine_api::progress("bench", u64::from(slices) * networks.len() as u64, "slices");
    let mut costs = vec![Vec::new(); networks.len()];
    for _ in 0..slices {
        for (network, costs) in networks.iter().zip(&mut costs) {
            progress.set_message(format!("bench, {}", network.title()));
            costs.push(ping.message_us(*network, rounds(*network, messages))?);
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    let mut rows: Vec<Row> = Vec::new();
    for (network, mut costs) in networks.iter().zip(costs) {
        costs.sort_by(f64::total_cmp);
        let message_us = costs[costs.len() / 2];
        if message_us == 0.0 {
            bail!("the messages took no measurable time; increase --messages");
        }
        rows.push(Row {
            network: network.name(),
            messages: 2 * rounds(*network, messages),
            message_us,
            least_us: costs[0],
            most_us: costs[costs.len() - 1],
            messages_per_second: 1e6 / message_us,
            model_share: rows.first().map(|wires| 1.0 - wires.message_us / message_us),
        });
    }
    Ok(Report { head: Head::new("bench_mpi"), bytes: 4, slices: slices.into(), rows })
}

fn rounds(network: Network, messages: u32) -> u64 {
    let more = if network == Network::Memory { MORE_IN_MEMORY } else { 1 };
    (u64::from(messages) * more).div_ceil(2)
}

/// The compiled program.
struct Ping {
    memonet: PathBuf,
    folder: TempDir,
}

impl Ping {
    fn compile() -> anyhow::Result<Self> {
        // Reports a missing library before compiling.
        Library::find(Abi::Standard)?;
        let memonet = std::env::current_exe().context("looking for this program")?;
        let folder = TempDir::new().context("creating a folder for the measured program")?;
        for (name, text) in SOURCES {
            crate::output::write(&folder.path().join(name), text.as_bytes())?;
        }
        let ping = Ping { memonet, folder };
        let source = ping.folder.path().join("ping.c");
        ping.run(&[
            "mpicc".as_ref(),
            "-O2".as_ref(),
            source.as_ref(),
            "-o".as_ref(),
            ping.program().as_ref(),
        ])
        .context("compiling the measured program")?;
        Ok(ping)
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("ping")
    }

    /// Processor time of a message, in a run of `rounds` + 1 rounds minus a run of one.
    fn message_us(&self, network: Network, rounds: u64) -> anyhow::Result<f64> {
        let start = self.seconds(network, 1)?;
        let all = self.seconds(network, rounds + 1)?;
        Ok((all - start).max(0.0) * 1e6 / (2 * rounds) as f64)
    }

    /// Processor time of all processes of a run.
    fn seconds(&self, network: Network, rounds: u64) -> anyhow::Result<f64> {
        let before = children_seconds()?;
        let (network, rounds) = (network.name(), rounds.to_string());
        let program = self.program();
        let words: [&OsStr; 7] = [
            "mpirun".as_ref(),
            "-np".as_ref(),
            "2".as_ref(),
            "--machine".as_ref(),
            network.as_ref(),
            program.as_ref(),
            rounds.as_ref(),
        ];
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
            "messages of {} bytes under memonet mpirun, processor time of simulator and ranks, medians of {} slices",
            self.bytes, self.slices
        )?;
        write!(
            f,
            "\n{:10}{:>12}{:>20}{:>14}{:>18}",
            "network", "us a message", "(min to max)", "messages/s", "the model's share"
        )?;
        for row in &self.rows {
            let span = format!("({:.1} to {:.1})", row.least_us, row.most_us);
            let share = row.model_share.map_or("-".to_owned(), |share| format!("{:.0} %", share * 100.0));
            write!(
                f,
                "\n{:10}{:>12.2}{span:>20}{:>14.0}{share:>18}",
                row.network, row.message_us, row.messages_per_second
            )?;
        }
        Ok(())
    }
}
