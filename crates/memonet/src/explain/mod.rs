//! `memonet explain`: one transfer on one time line.

mod svg;
mod trace;

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use anyhow::Context;
use cluster::{Duration, Stage, Time};
use dimmnet2_machine::programs::Board as HostBoard;
use dimmnet2_machine::programs::botf::{DATA_BYTES, Destination, Packet};
use dimmnet2_machine::programs::measure::{PROCESS, peer, ready};
use dimmnet2_machine::programs::messages::{Envelope, Inbox, Ring};
use dimmnet2_machine::programs::remote::Memory;
use dimmnet2_machine::programs::vl::Source;
use dimmnet2_machine::{Cluster, Host, Settings};
use serde::Serialize;
use waveform::View;

pub use crate::anatomy::Primitive;
use crate::anatomy::{self, LANES};
use crate::nic::Kind;
use crate::output::{self, Outcome, us};
use crate::recorded::{Recording, Waves};
use crate::{run, usage};

/// Where the time of one transfer goes, from the first store of the sender to the sight of the receiver.
///
/// Stages follow each other without gap or overlap, so they sum to the total. The host's stages end when its processor goes
/// on; the bus stage is what the chipset adds before the command is at the board.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet explain botf --bytes 8
  memonet explain rvs --bytes 2024 --svg rvs.svg
  memonet explain lhs1 --bytes 56 --nic lockstep --trace lhs1.json    # for chrome://tracing or ui.perfetto.dev
  memonet explain lhs2 --bytes 56 --nic lockstep --waves /tmp/waves   # the same stages above the boards' signals")]
pub struct Args {
    /// How the data travels.
    #[arg(value_enum)]
    primitive: Primitive,
    /// Bytes of data, as many as fit into one packet, 8 if not given; of LHS, with the envelope of 8.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=2024))]
    bytes: Option<u16>,
    /// What stands behind the pins of both boards.
    #[arg(long, value_enum, default_value_t)]
    nic: Kind,
    /// Draw the time line into this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the stages as trace events into this file.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Write waveforms of both boards with the stages into this folder.
    #[arg(long, value_name = "FOLDER")]
    waves: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

impl Args {
    fn bytes(&self) -> usize {
        let envelope = if self.primitive.has_head() { ENVELOPE_BYTES } else { 0 };
        self.bytes.map_or(8 + envelope, usize::from)
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let line = match &args.waves {
        Some(folder) => recorded(args, folder)?,
        None => transfer(args.primitive, args.bytes(), args.nic)?,
    };
    let write = |file: &Option<PathBuf>, text: String| match file {
        Some(file) => fs::write(file, text).with_context(|| format!("cannot write {}", file.display())),
        None => Ok(()),
    };
    write(&args.svg, svg::draw(&line))?;
    write(&args.trace, trace::events(&line).to_string())?;
    output::print(&line, args.json)?;
    Ok(Outcome::Success)
}

/// The stages of one transfer.
#[derive(Serialize)]
pub struct TimeLine {
    primitive: Primitive,
    bytes: usize,
    nic: Kind,
    /// Picoseconds from the beginning of the run, and so of waveforms, to that of the first stage.
    begin_ps: u64,
    /// Picoseconds, the sum of the stages.
    total_ps: u64,
    #[serde(serialize_with = "serialize_stages")]
    stages: Vec<Stage>,
    /// Waveforms and their layouts.
    waves: Vec<PathBuf>,
}

impl TimeLine {
    /// The stages, the first of which begins at 0.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    fn title(&self) -> String {
        format!("{}, {} bytes, nic {}", self.primitive.name(), self.bytes, self.nic.name())
    }
}

/// A stage as JSON has it.
#[derive(Serialize)]
struct StageOut {
    /// Its code in waveforms.
    id: u64,
    name: &'static str,
    lane: &'static str,
    begin_ps: u64,
    ps: u64,
}

fn serialize_stages<S: serde::Serializer>(stages: &[Stage], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(stages.iter().map(|&Stage { name, lane, begin, duration }| StageOut {
        id: anatomy::code(name),
        name,
        lane,
        begin_ps: begin.ps(),
        ps: duration.ps(),
    }))
}

/// A transfer is over long before this.
const LIMIT: Duration = Duration::from_us(1_000);

/// Where data lies at the sender, and where RVS puts it.
const OFFSET: u32 = 0x1_0000;

/// The ring of the receiver.
const ENTRY: u16 = 0x1000;
const BASE: u32 = 0x10_0000;

const ENVELOPE: Envelope = Envelope { context: 1, rank: 0, tag: 7 };
const ENVELOPE_BYTES: usize = 8;

/// The same transfer twice: waveforms name stages, which are known only when it is over.
fn recorded(args: &Args, folder: &Path) -> anyhow::Result<TimeLine> {
    let (primitive, bytes) = (args.primitive, args.bytes());
    let line = transfer(primitive, bytes, args.nic)?;
    let view = View { start_ps: line.begin_ps, length_ps: line.total_ps };
    let begin = |stage: &Stage| Stage { begin: stage.begin + Duration::from_ps(line.begin_ps), ..*stage };
    let stages = line.stages.iter().map(begin).collect();
    let recording = Recording { stages, ..Recording::new(folder, primitive.name(), 0, view) };
    run_once(primitive, bytes, args.nic, Some(&recording))
}

/// Sends `bytes` bytes from host 0 to host 1 and takes the time apart.
pub fn transfer(primitive: Primitive, bytes: usize, nic: Kind) -> anyhow::Result<TimeLine> {
    run_once(primitive, bytes, nic, None)
}

fn run_once(
    primitive: Primitive,
    bytes: usize,
    nic: Kind,
    recording: Option<&Recording>,
) -> anyhow::Result<TimeLine> {
    let most = if primitive == Primitive::Botf { DATA_BYTES } else { 2024 };
    let least = if primitive.has_head() { ENVELOPE_BYTES + 1 } else { 1 };
    if !(least..=most).contains(&bytes) {
        let reason = format!("a packet of {} holds {least} to {most} bytes", primitive.name());
        return Err(usage::invalid("--bytes <BYTES>", bytes, reason));
    }
    let command = format!("memonet explain {} --bytes {bytes} --nic lockstep", primitive.name());
    let (waves, nics) = run::devices(run::boards(nic, 0, &command)?, recording)?;
    let mut cluster = Cluster::with_switch(nics, &Settings::default());
    cluster.observe();
    for node in 0..2 {
        anatomy::watch(cluster.node_mut(node))?;
    }
    let sent = cluster.spawn(0, "send", move |host| send(host, primitive, bytes));
    cluster.spawn(1, "receive", move |host| receive(host, primitive));
    let ran = cluster.run(LIMIT);
    run::check(&mut cluster, ran)?;
    sent.take().expect("the program is done")?;
    let observations = cluster.observations();
    let stages = anatomy::stages(&observations, primitive)?;
    let zero = stages.stages()[0].begin;
    let shifted = |stage: &Stage| Stage { begin: Time::ZERO + (stage.begin - zero), ..*stage };
    // The boards hold waveform files open.
    drop(cluster);
    Ok(TimeLine {
        primitive,
        bytes,
        nic,
        begin_ps: zero.ps(),
        total_ps: stages.total().ps(),
        stages: stages.stages().iter().map(shifted).collect(),
        waves: waves.map_or(Ok(Vec::new()), Waves::finish)?,
    })
}

async fn send(host: Host, primitive: Primitive, bytes: usize) -> anyhow::Result<()> {
    let mut board = ready(host).await;
    let peer = peer(1);
    let source = |bytes| Source::Contiguous { offset: OFFSET, size: bytes as u32 };
    board.host().mark(anatomy::BEGIN);
    match primitive {
        Primitive::Botf => {
            let destination = Destination::SoDimm(OFFSET);
            let packet = Packet { peer, swid: PROCESS.wid, destination, status: true, tag: 0 };
            board.send_packet(0, &packet, &vec![0x5a; bytes]).await?;
        }
        Primitive::Rvs => {
            board.issue_rvs(peer, source(bytes), source(bytes), Memory::SoDimm, true).await;
        }
        Primitive::Ipush => board.issue_ipush(peer, source(bytes), true).await,
        Primitive::Lhs1 => board.issue_lhs_v1(peer, source(bytes), false).await,
        Primitive::Lhs2 => {
            board.issue_lhs_v2(peer, 0, ENVELOPE, source(bytes - ENVELOPE_BYTES), false).await;
        }
    }
    Ok(())
}

async fn receive(host: Host, primitive: Primitive) {
    let mut board: HostBoard = ready(host).await;
    let ring = Ring { sender: peer(0), entry: ENTRY, base: BASE };
    let mut inbox = Inbox::open(&board, 1, &[ring]).await;
    if primitive.has_head() {
        inbox.next_head(&board).await;
    } else {
        board.next_status().await;
    }
}

/// Characters of the longest bar.
const BAR: u64 = 48;

impl fmt::Display for TimeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title())?;
        for lane in LANES {
            for stage in self.stages.iter().filter(|stage| stage.lane == lane) {
                let column = |ps: u64| (ps * BAR / self.total_ps.max(1)) as usize;
                let (begin, end) = (stage.begin.ps(), stage.begin.ps() + stage.duration.ps());
                let (left, right) = (column(begin), column(end));
                writeln!(
                    f,
                    "  {lane:7}{:14}{:>10} us  {:left$}{}",
                    stage.name,
                    us(stage.duration.ps()),
                    "",
                    "#".repeat((right - left).max(1))
                )?;
            }
        }
        write!(f, "  {:21}{:>10} us", "total", us(self.total_ps))?;
        self.waves.iter().try_for_each(|path| write!(f, "\nwrote {}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_of_every_primitive_sum_to_the_total_and_leave_no_gap() {
        for primitive in [Primitive::Botf, Primitive::Rvs, Primitive::Ipush, Primitive::Lhs1, Primitive::Lhs2]
        {
            for bytes in [9, 24, 56, 57, 496] {
                let line = transfer(primitive, bytes, Kind::Model).unwrap();
                let mut end = Time::ZERO;
                for stage in line.stages() {
                    assert_eq!(stage.begin, end, "{} before {}", line.title(), stage.name);
                    assert!(LANES.contains(&stage.lane));
                    end += stage.duration;
                }
                assert_eq!((end - Time::ZERO).ps(), line.total_ps, "{}", line.title());
            }
        }
    }

    #[test]
    fn sizes_that_no_packet_has_are_refused() {
        for (primitive, bytes) in [(Primitive::Botf, 497), (Primitive::Rvs, 2025), (Primitive::Lhs2, 8)] {
            assert!(transfer(primitive, bytes, Kind::Model).is_err());
        }
    }

    #[test]
    fn outputs_name_every_stage() {
        let line = transfer(Primitive::Rvs, 64, Kind::Model).unwrap();
        let (text, svg, trace) = (line.to_string(), svg::draw(&line), trace::events(&line));
        let events = trace["traceEvents"].as_array().unwrap();
        for stage in line.stages() {
            assert!(text.contains(stage.name) && svg.contains(&format!(">{}<", stage.name)));
            assert!(events.iter().any(|event| event["name"] == stage.name && event["ph"] == "X"));
        }
    }
}
