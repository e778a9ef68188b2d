//! `memonet run`: the main job.

use std::fmt;
use std::path::{Path, PathBuf};

use cluster::{Duration, Event, Place, RunError};
use dimmnet2_machine::programs::botf::{DATA_BYTES, Destination, Packet, Peer};
use dimmnet2_machine::programs::measure::{PROCESS, READY, peer, ready};
use dimmnet2_machine::{AnyNic, Cluster, Host, Settings};
use serde::Serialize;
use waveform::View;

use crate::device::Name;
use crate::figures::published::{self, Row};
use crate::nic::{Board, Kind};
use crate::output::{self, Outcome, us};
use crate::program::{self, Program};
use crate::recorded::{self, Recording, Waves};
use crate::{anatomy, round_trip, transfer, usage};

/// Two PCs with a DIMMnet-2 each and a switch between them: one message, stage by stage.
///
/// The host of node 0 writes a packet image into a Write Window and issues a BOTF; the packet crosses the switch;
/// node 1 stores the data in SO-DIMM, writes a receive status, and its host sees it and answers. With --input the
/// main job is to carry a file; with --program another program runs in its place. On GigaE PM a message of PM goes to the
/// other host and back.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet run
  memonet run --bytes 496 --nic model --json
  memonet run --waves waveforms/out
  memonet run --input README.md --nic lockstep
  memonet run --program transpose --json
  memonet run --machine gigae_pm --bytes 1468
  memonet run --machine gigae_pm --pcapng frames.pcapng")]
pub struct Args {
    /// The machine.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Carry this file from host 0 to host 1 and compare SHA-256.
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Bytes of data in the message: 8 of 1 to 496 on DIMMnet-2, 4 of 1 to 1468 on GigaE PM.
    #[arg(long, conflicts_with = "input", value_parser = clap::value_parser!(u16).range(1..=1468))]
    bytes: Option<u16>,
    /// Run this program instead of the main job.
    #[arg(long, value_enum, value_name = "NAME", conflicts_with_all = ["input", "bytes", "waves"])]
    program: Option<Program>,
    /// What stands behind the pins of the boards.
    #[arg(long, value_enum, default_value_t)]
    nic: Kind,
    /// Seed of the data, on DIMMnet-2: 1 if not given.
    #[arg(long, conflicts_with = "input")]
    seed: Option<u64>,
    /// Folder for waveforms (VCD and FST) and their GTKWave layouts; not with --input, whose files would be huge. For GigaE PM
    /// there is `memonet wave`.
    #[arg(long, value_name = "FOLDER", conflicts_with = "input")]
    waves: Option<PathBuf>,
    /// File for the frames on the wires of GigaE PM, for Wireshark (docs/wireshark).
    #[arg(long, value_name = "FILE")]
    pcapng: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

impl Args {
    /// Refuses what the other machine has.
    fn fit_machine(&self) -> anyhow::Result<()> {
        let of_others: &[_] = match self.machine {
            Name::Dimmnet2 => &[("--pcapng <FILE>", self.pcapng.is_some())],
            Name::GigaePm => &[
                ("--input <FILE>", self.input.is_some()),
                ("--program <NAME>", self.program.is_some()),
                ("--seed <SEED>", self.seed.is_some()),
                ("--waves <FOLDER>", self.waves.is_some()),
            ],
        };
        match of_others.iter().find(|(_, given)| *given) {
            Some((argument, _)) => {
                Err(usage::conflict(argument, format_args!("--machine {}", self.machine.folder())))
            }
            None => Ok(()),
        }
    }
}

/// Runs `memonet run`.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    args.fit_machine()?;
    if args.machine == Name::GigaePm {
        let report = round_trip::run(args.bytes.unwrap_or(4).into(), args.nic, args.pcapng.as_deref())?;
        output::print(&report, args.json)?;
        return Ok(Outcome::Success);
    }
    let (bytes, seed) = (args.bytes.unwrap_or(8), args.seed.unwrap_or(1));
    if usize::from(bytes) > DATA_BYTES {
        let reason =
            format!("{bytes} is not in 1..={DATA_BYTES}, the bytes of data that a packet of DIMMnet-2 has");
        return Err(usage::invalid("--bytes <BYTES>", bytes, reason));
    }
    if let Some(input) = &args.input {
        let report = transfer::carry(input, args.nic)?;
        output::print(&report, args.json)?;
        return Ok(Outcome::from(report.same()));
    }
    if let Some(program) = args.program {
        let report = program::run(program, args.nic, seed)?;
        output::print(&report, args.json)?;
        return Ok(Outcome::from(report.right()));
    }
    let recording = args.waves.as_ref().map(|folder| Recording::new(folder, "botf", 0, VIEW));
    let report = message(&Message { bytes: bytes.into(), nic: args.nic, seed, recording })?;
    output::print(&report, args.json)?;
    Ok(Outcome::Success)
}

/// The main job: data from host 0 to host 1 and back.
pub struct Message {
    /// Bytes of data, 1 to 496.
    pub bytes: usize,
    /// What stands behind the pins of both boards.
    pub nic: Kind,
    /// Seed of the data.
    pub seed: u64,
    /// Where waveforms go.
    pub recording: Option<Recording>,
}

/// Two boards of a kind.
pub fn boards(kind: Kind, seed: u64, command: &str) -> anyhow::Result<Vec<Board>> {
    (0..2).map(|_| Board::open(kind, seed, command)).collect()
}

/// The end of a run: what is compared only now comes first, for a divergence explains all other failures.
pub fn check<T>(cluster: &mut Cluster, ran: Result<T, RunError>) -> anyhow::Result<T> {
    cluster.check().map_err(|error| anyhow::anyhow!(error))?;
    Ok(ran?)
}

/// How the main job went.
#[derive(Serialize)]
pub struct Report {
    nic: Kind,
    seed: u64,
    bytes: usize,
    divergences: u32,
    fingerprint: String,
    /// Picoseconds, from the first store of the sender to the sight of the receiver.
    total_ps: u64,
    stages: Vec<Stage>,
    /// Published numbers beside ours.
    pub rows: Vec<Row>,
    simulated_us: String,
    waves: Vec<PathBuf>,
}

#[derive(Serialize)]
struct Stage {
    name: &'static str,
    ps: u64,
}

/// Messages end long before this.
const LIMIT: Duration = Duration::from_us(1_000);

/// Boards as a cluster takes them, and the waveforms that they write if there is a recording.
pub fn devices(
    boards: Vec<Board>,
    recording: Option<&Recording>,
) -> anyhow::Result<(Option<Waves>, Vec<Box<AnyNic>>)> {
    let Some(recording) = recording else {
        return Ok((None, boards.into_iter().map(|board| Box::new(board.ahead()) as _).collect()));
    };
    let (waves, boards) = recorded::record(recording, boards)?;
    Ok((Some(waves), boards.into_iter().map(|board| Box::new(board) as _).collect()))
}

/// Does the main job. Waveforms name its stages, which are known only when it is done, so it is done twice for them.
pub fn message(args: &Message) -> anyhow::Result<Report> {
    let (report, stages) = exchange(args, None)?;
    match &args.recording {
        Some(recording) => Ok(exchange(args, Some(&Recording { stages, ..recording.clone() }))?.0),
        None => Ok(report),
    }
}

/// Does it once; also the stages of one message.
fn exchange(args: &Message, recording: Option<&Recording>) -> anyhow::Result<(Report, Vec<cluster::Stage>)> {
    let command = format!("memonet wave --bytes {} --seed {}", args.bytes, args.seed);
    let (waves, devices) = devices(boards(args.nic, args.seed, &command)?, recording)?;
    let mut cluster = Cluster::with_switch(devices, &Settings::default());
    cluster.observe();
    for node in 0..2 {
        anatomy::watch(cluster.node_mut(node))?;
    }
    let mut random = hdl::Stimulus::new(args.seed);
    let data: Vec<u8> = (0..args.bytes).map(|_| random.word() as u8).collect();
    let sent = data.clone();
    let pings = cluster.spawn(0, "ping", move |host| ping(host, sent));
    let pongs = cluster.spawn(1, "pong", move |host| pong(host, data));
    let ran = cluster.run(LIMIT);
    let end = check(&mut cluster, ran)?;
    pings.take().expect("the program is done")?;
    pongs.take().expect("the program is done")?;

    let observations = cluster.observations();
    let begins: Vec<_> = observations
        .iter()
        .enumerate()
        .filter(|(_, o)| o.place == Place::Node(0) && o.event == Event::Mark(anatomy::BEGIN))
        .map(|(index, _)| index)
        .collect();
    let [one_way, to_sodimm, to_window] = begins[..] else {
        anyhow::bail!("three messages were to be observed, not {}", begins.len())
    };
    let stages = anatomy::stages(&observations[to_sodimm..], anatomy::Primitive::Botf)?;
    let until = |from: usize, mark| -> Duration {
        let end =
            observations[from..].iter().find(|o| o.place == Place::Node(0) && o.event == Event::Mark(mark));
        end.expect("the program left its marks").time - observations[from].time
    };
    let sender = until(one_way, anatomy::COMPLETE);
    let core = stages.stages().iter().find(|stage| stage.name == "core").expect("it is a stage").duration;
    let half = |duration: Duration| Duration::from_ps(duration.ps() / 2);
    let mut rows = Vec::new();
    if args.bytes == 8 {
        for (id, duration) in [
            ("B-06", sender),
            ("B-07", core),
            ("B-08", sender - core),
            ("B-21", half(until(to_sodimm, anatomy::READ))),
            ("B-22", half(until(to_window, anatomy::READ))),
        ] {
            rows.push(Row::new(id, duration.ps() as f64 / 1e6));
        }
    }

    let mut report = Report {
        nic: args.nic,
        seed: args.seed,
        bytes: args.bytes,
        divergences: 0,
        total_ps: stages.total().ps(),
        stages: stages
            .stages()
            .iter()
            .map(|stage| Stage { name: stage.name, ps: stage.duration.ps() })
            .collect(),
        rows,
        simulated_us: us(end.ps()),
        fingerprint: cluster.fingerprint()?.to_string(),
        waves: Vec::new(),
    };
    let stages = stages.stages().to_vec();
    // The boards hold the files open.
    drop(cluster);
    if let Some(waves) = waves {
        report.waves = waves.finish()?;
    }
    Ok((report, stages))
}

/// Where the messages go in SO-DIMM.
const OFFSET: u32 = 0x1000;
/// What waveforms show first: the first BOTF, from the command to the link.
pub const VIEW: View = View { start_ps: READY.ps() + 280_000, length_ps: 200_000 };

/// The three messages: one on whose completion the sender waits, then an exchange through SO-DIMM and one through a
/// Prefetch Window.
const DESTINATIONS: [Destination; 3] =
    [Destination::SoDimm(OFFSET), Destination::SoDimm(OFFSET), Destination::PrefetchWindow(0)];

fn packet(peer: Peer, destination: Destination) -> Packet {
    Packet { peer, swid: PROCESS.wid, destination, status: true, tag: 0 }
}

async fn ping(host: Host, data: Vec<u8>) -> anyhow::Result<()> {
    let mut board = ready(host).await;
    for (round, destination) in DESTINATIONS.into_iter().enumerate() {
        board.host().mark(anatomy::BEGIN);
        board.send_packet(0, &packet(peer(1), destination), &data).await?;
        if round == 0 {
            board.wait_window(0).await;
            board.host().mark(anatomy::COMPLETE);
        }
        board.next_arrival().await;
    }
    Ok(())
}

async fn pong(host: Host, data: Vec<u8>) -> anyhow::Result<()> {
    let mut board = ready(host).await;
    for destination in DESTINATIONS {
        board.next_arrival().await;
        board.send_packet(0, &packet(peer(0), destination), &data).await?;
    }
    Ok(())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "DIMMnet-2, {} bytes of data, host 0 to SO-DIMM of node 1, nic {}",
            self.bytes,
            self.nic.name()
        )?;
        for stage in &self.stages {
            writeln!(f, "  {:14}{:>12} us", stage.name, us(stage.ps))?;
        }
        writeln!(f, "  {:14}{:>12} us", "total", us(self.total_ps))?;
        if !self.rows.is_empty() {
            writeln!(f)?;
            published::heads(f)?;
        }
        for row in &self.rows {
            writeln!(f, "{row}")?;
        }
        writeln!(f)?;
        for path in &self.waves {
            writeln!(f, "wrote {}", path.display())?;
        }
        if let Some(layout) = self.waves.iter().find(|path| path.ends_with(Path::new("botf.fst.gtkw"))) {
            let file = layout.with_extension("");
            writeln!(f, "look:  gtkwave {} {}", file.display(), layout.display())?;
        }
        if self.nic == Kind::Lockstep {
            writeln!(f, "{} divergences", self.divergences)?;
        }
        write!(f, "fingerprint {}", self.fingerprint)
    }
}
