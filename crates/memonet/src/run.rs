//! `memonet run`: the main job of a machine.

use std::fmt;
use std::path::{Path, PathBuf};

use machine_api::{Account, Job, Row};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use waveform::View;

use crate::breakdown::Breakdown;
use crate::carrier_options;
use crate::carry;
use crate::document::Head;
use crate::library_cost;
use crate::machines::{Built, Name, with_machine};
use crate::nic::{Kind, Maker};
use crate::numbers;
use crate::output::{self, Outcome};
#[cfg(feature = "capture")]
use crate::pcapng::Capture;
use crate::per_node;
use crate::program;
use crate::recorded::{Recorders, Recording};
use crate::spread::Spread;
use crate::usage;

/// Run the main job: one message between two hosts, by stages.
///
/// Two hosts and a switch. DIMMnet-2: host 0 writes a packet image into a Write Window and issues a BOTF; the
/// packet crosses the switch; node 1 stores the data in SO-DIMM and writes a receive status; host 1 polls it
/// and answers. GigaE PM: a PM message travels to the other host and back. Cenju-3: the same with an MPI/DE
/// message. The channel adapter: the same with a SEND on a connection. With --input the main job transfers a
/// file; with --program an MPI program runs instead of the main job.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet run
  memonet run --bytes 496 --nic model --json
  memonet run --waves waveforms/out
  memonet run --input README.md --nic lockstep
  memonet run --program mpi-ping --library-cost counted      with the instructions of the MPI library
  memonet run --program transpose --json
  memonet run --program npb-cg --per-node 2      4 ranks on 2 boards")]
pub struct Args {
    /// Machine to simulate.
    #[arg(long, value_enum, default_value_t)]
    pub machine: Name,
    /// Transfer this file from host 0 to host 1 and compare its SHA-256.
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Bytes of data in the message (DIMMnet-2: 8 of 1 to 496, GigaE PM: 4 of 1 to 1468, Cenju-3: 8 of 1 to
    /// 127, channel adapter: 4 of 1 to 2048).
    #[arg(long, conflicts_with = "input", value_parser = numbers::count)]
    bytes: Option<usize>,
    /// Run a program instead of the main job: `mpi-ping`, `mpi-put`, `mpi-check`, `npb-cg`, `npb-ep`, `npb-ft`,
    /// `npb-is`, `npb-mg`; on DIMMnet-2 also `transpose`.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["input", "bytes", "waves", "pcapng"])]
    program: Option<String>,
    #[command(flatten)]
    per_node: per_node::Args,
    #[command(flatten)]
    way: carrier_options::Args,
    /// Implementation of the boards.
    #[arg(long, value_enum, default_value_t)]
    nic: Kind,
    /// Seed of the data, on machines where it can be chosen; default 1.
    #[arg(long, conflicts_with = "input", value_parser = numbers::number)]
    seed: Option<u64>,
    /// Folder for waveforms (VCD and FST) and their GTKWave layouts; not with --input, which would write huge
    /// files.
    #[arg(long, value_name = "FOLDER", conflicts_with = "input")]
    waves: Option<PathBuf>,
    /// File for the captured frames, for Wireshark, on machines with frames of Ethernet or InfiniBand.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "waves"])]
    pcapng: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Runs the main job, a file transfer or a program, and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    with_machine!(args.machine, M => run_on::<M>(args))
}

fn run_on<M: Built>(args: &Args) -> anyhow::Result<Outcome> {
    let machine = format!("--machine {}", M::NAME);
    args.per_node.check(args.machine)?;
    if args.program.is_none() && args.per_node.given().is_some() {
        return Err(carrier_options::for_programs_only(per_node::OPTION));
    }
    if let Some(input) = &args.input {
        if let Some(option) = args.way.first() {
            return Err(usage::conflict(&option, "--input <FILE>"));
        }
        let report = carry::carry::<M>(input, args.nic)?;
        output::print(&report, args.json)?;
        return Ok(Outcome::from(report.same()));
    }
    let activity = machine_api::activity(format!("run, {}", M::NAME));
    if let Some(name) = &args.program {
        let report = program::run::<M>(name, args.nic, args.seed.unwrap_or(1), &args.way, args.per_node)?;
        drop(activity);
        output::print(&report, args.json)?;
        return Ok(Outcome::from(report.right()));
    }
    if let Some(wrong) = args.way.beyond::<M>() {
        return Err(wrong);
    }
    if args.seed.is_some() && !M::SEEDED {
        return Err(usage::conflict("--seed <SEED>", &machine));
    }
    if args.pcapng.is_some() && M::FRAMES.is_none() {
        return Err(usage::conflict("--pcapng <FILE>", &machine));
    }
    #[cfg(not(feature = "capture"))]
    if let Some(file) = &args.pcapng {
        let reason = "this build writes no captures; `make mpi` builds memonet with them";
        return Err(usage::invalid("--pcapng <FILE>", file.display(), reason));
    }
    let bytes = bytes::<M>(args.bytes)?;
    let job = Job { bytes, seed: args.seed.unwrap_or(1), capture: args.pcapng.is_some(), brief: false };
    #[cfg(feature = "capture")]
    let capture = Capture::<M>::wanted(args.pcapng.as_deref(), 2)?;
    let maker = maker::<M>(&job, args.nic, &args.way)?;
    let (account, waves) = match &args.waves {
        Some(folder) => {
            record(&job, &maker, |from, view| Recording::new(folder, M::NAME, M::JOB, from, view))?
        }
        None => (M::work(&job, &maker)?, Vec::new()),
    };
    #[cfg(feature = "capture")]
    if let Some(mut capture) = capture {
        capture.write(&account.captured)?;
        capture.finish()?;
    }
    let mut report = Report::new("run", &job, args.nic, account, waves, args.pcapng.clone());
    // The job is one sample of the one-way latency. The first path of a machine is that of its main job.
    report.library = library_cost::Chosen::of(args.way.library_cost(), M::LIBRARY.is_some());
    report.one_way = Some(M::spread(&M::PATHS[0], bytes, &maker)?.into());
    drop(activity);
    output::print(&report, args.json)?;
    Ok(Outcome::Success)
}

/// The bytes of a message within the limits of the machine; the machine's default if not given.
pub fn bytes<M: Built>(asked: Option<usize>) -> anyhow::Result<usize> {
    let bytes = asked.unwrap_or(M::SHORT);
    if M::BYTES.contains(&bytes) {
        return Ok(bytes);
    }
    let (least, most) = (M::BYTES.start(), M::BYTES.end());
    let reason = format!("a message of {} holds {least} to {most} bytes", M::TITLE);
    Err(usage::invalid("--bytes <BYTES>", bytes, reason))
}

/// Boards for a job. A divergence report names the command that records its waveforms.
pub fn maker<M: Built>(job: &Job, nic: Kind, way: &carrier_options::Args) -> anyhow::Result<Maker<M>> {
    let Job { bytes, seed, .. } = job;
    let seed_option = if M::SEEDED { format!(" --seed {seed}") } else { String::new() };
    let typed = way.typed();
    let [verb, end] = if typed.is_empty() { ["wave", ""] } else { ["run", " --waves waveforms/out"] };
    let command = format!("memonet {verb} --machine {} --bytes {bytes}{seed_option}{typed}{end}", M::NAME);
    Ok(Maker::new(nic, *seed, command).with(way.settings_of_job::<M>()?))
}

/// Runs a job twice. The second run records waveforms: their time window and stages are known after the
/// first.
pub fn record<M: Built>(
    job: &Job,
    maker: &Maker<M>,
    recording: impl FnOnce(u64, View) -> Recording,
) -> anyhow::Result<(Account<M>, Vec<PathBuf>)> {
    let job = Job { brief: true, ..*job };
    let first = M::work(&job, maker)?;
    let period = M::CLOCKS.domain(0).period.ps();
    // The view begins at the first stage and is as long as the message.
    let view = View { start_ps: first.line.begin().ps(), length_ps: first.line.total().ps() };
    let recording = Recording { stages: first.line.stages, ..recording(first.from.ps() / period, view) };
    let recorders = Recorders::new(maker, &recording);
    let account = M::work(&job, &recorders)?;
    Ok((account, recorders.finish()?))
}

/// Report of the main job.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Bytes of data in the message.
    bytes: usize,
    #[serde(flatten)]
    library: library_cost::Chosen,
    #[serde(flatten)]
    breakdown: Breakdown,
    /// One-way latency over the phases of the receiver's poll loop, as in `explain`.
    one_way: Option<Spread>,
    /// Means over several messages.
    means: Vec<Mean>,
    /// Published numbers and ours.
    rows: Vec<Row>,
    /// Files of waveforms and their layouts.
    #[serde(serialize_with = "crate::shell_words::paths")]
    waves: Vec<PathBuf>,
    /// File with the captured frames.
    #[serde(serialize_with = "crate::shell_words::optional_path")]
    pcapng: Option<PathBuf>,
    #[serde(skip)]
    about: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct Mean {
    /// Name of the quantity.
    of: String,
    /// Mean in microseconds.
    mean_us: f64,
}

impl Report {
    /// The report of a completed job.
    pub fn new<M: Built>(
        report: &'static str,
        job: &Job,
        nic: Kind,
        account: Account<M>,
        waves: Vec<PathBuf>,
        pcapng: Option<PathBuf>,
    ) -> Self {
        Report {
            head: Head::of_run::<M>(report, nic)
                .seeded(M::SEEDED.then_some(job.seed))
                .until::<M>(account.end)
                .marked(account.fingerprint),
            bytes: job.bytes,
            library: library_cost::Chosen::of(None, M::LIBRARY.is_some()),
            breakdown: Breakdown::new::<M>(&account.line, account.ways),
            one_way: None,
            means: account.means.into_iter().map(|(of, mean_us)| Mean { of, mean_us }).collect(),
            rows: account.rows,
            waves,
            pcapng,
            about: format!("{}, {}", M::TITLE, account.about),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, nic {}", self.about, self.head.nic_name())?;
        write!(f, "{}", self.breakdown)?;
        if let Some(spread) = &self.one_way {
            writeln!(f, "one way, {spread}")?;
        }
        for Mean { of, mean_us } in &self.means {
            writeln!(f, "{of}: {mean_us:.3} us")?;
        }
        if !self.rows.is_empty() {
            writeln!(f)?;
            machine_api::heads(f)?;
        }
        for row in &self.rows {
            writeln!(f, "{row}")?;
        }
        writeln!(f)?;
        for path in self.waves.iter().chain(&self.pcapng) {
            writeln!(f, "wrote {}", path.display())?;
        }
        let layouts = self.waves.iter().filter(|path| path.extension().is_some_and(|end| end == "gtkw"));
        if let Some(layout) = layouts.clone().find(|path| path.to_string_lossy().ends_with(".fst.gtkw")) {
            let file: &Path = &layout.with_extension("");
            writeln!(f, "look:  gtkwave {} {}", file.display(), layout.display())?;
        }
        if let Some(comparison) = self.head.comparison() {
            writeln!(f, "{comparison}")?;
        }
        write!(f, "fingerprint {}", self.head.fingerprint())
    }
}
