//! `memonet suci replay`: replay of a recorded endpoint, call by call.

use std::fmt;
use std::path::PathBuf;

use anyhow::Context;
use schemars::JsonSchema;
use serde::Serialize;
use suci_capture::{Kept, Reader, replay_with};

use crate::document::Head;
use crate::output::{self, Outcome};

/// Maximum length of a capture in bytes; it is read into memory.
const MOST: u64 = 4 << 30;

/// Replay a recorded endpoint of Suci.
///
/// An endpoint is a deterministic state machine: a second endpoint with the same settings and the same calls
/// at the same times behaves identically. The replay compares each packet, result and event with the
/// recording and reports the first difference with its time. Exit code 1 if there is a difference or the file
/// is damaged. Programs record with `suci::sync::Socket::bind_recorded`; an endpoint with a key can be
/// replayed only if its key was recorded too.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo run --release -p suci --example echo -- --record trace.pcapng
  memonet suci replay trace.pcapng
  memonet suci replay trace.pcapng --list     a line for each call")]
pub struct Args {
    /// Capture file in pcapng format.
    file: PathBuf,
    /// Print a line for each call.
    #[arg(long, conflicts_with = "json")]
    list: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Report of a replay.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Path of the capture.
    #[serde(serialize_with = "crate::shell_words::path")]
    file: PathBuf,
    /// Calls that were replayed with the recorded result.
    calls: usize,
    /// Packets that the endpoint received.
    packets_received: usize,
    /// Packets that the endpoint sent, equal to the recorded ones.
    packets_sent: usize,
    /// Blocks that the application sent.
    blocks_sent: usize,
    /// Blocks that arrived.
    blocks_taken: usize,
    /// Time of the last recorded call, in nanoseconds of the endpoint's clock.
    until_ns: u64,
    /// The first call with a different result; `null` if there is none.
    divergence: Option<Divergence>,
}

/// A call with a different result.
#[derive(JsonSchema, Serialize)]
struct Divergence {
    /// Number of its block in the file, from 1; Wireshark numbers packets only.
    block: usize,
    /// Packets before it.
    packets: usize,
    /// Time in nanoseconds of the endpoint's clock.
    at_ns: u64,
    /// Behaviour of the recorded endpoint.
    recorded: String,
    /// Behaviour of the replayed endpoint.
    replayed: String,
    /// First byte in which the packets differ, if only their bytes differ.
    byte: Option<usize>,
}

/// Replays the capture and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let about = || format!("{}", args.file.display());
    let length = std::fs::metadata(&args.file).with_context(about)?;
    anyhow::ensure!(length.is_file(), "{}: not a regular file", args.file.display());
    anyhow::ensure!(length.len() <= MOST, "{}: longer than 4 GiB", args.file.display());
    let bytes = std::fs::read(&args.file).with_context(about)?;
    let list = |kept: &Kept| {
        if args.list {
            // The reader of the list may have closed the pipe.
            let _ = output::line(&format!("{:6}  {}", kept.number, kept.line));
        }
    };
    // With --list, lines are printed meanwhile.
    let activity = (!args.list).then(|| machine_api::activity("suci replay"));
    let played = replay_with(Reader::new(&bytes).with_context(about)?, list).with_context(about)?;
    let divergence = played.divergence.map(|divergence| Divergence {
        block: divergence.number,
        packets: divergence.packets.0 + divergence.packets.1,
        at_ns: divergence.at_ns,
        recorded: divergence.recorded,
        replayed: divergence.replayed,
        byte: divergence.byte,
    });
    drop(activity);
    let good = divergence.is_none();
    let report = Report {
        head: Head::new("suci_replay"),
        file: args.file.clone(),
        calls: played.calls,
        packets_received: played.received,
        packets_sent: played.sent,
        blocks_sent: played.blocks_sent,
        blocks_taken: played.blocks_taken,
        until_ns: played.until_ns,
        divergence,
    };
    output::print(&report, args.json)?;
    Ok(Outcome::from(good))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.until_ns as f64 / 1e9;
        writeln!(f, "calls      {} made again, {seconds:.6} s", self.calls)?;
        writeln!(f, "packets    {} came, {} were sent", self.packets_received, self.packets_sent)?;
        writeln!(f, "blocks     {} sent, {} arrived", self.blocks_sent, self.blocks_taken)?;
        let Some(Divergence { block, packets, at_ns, recorded, replayed, byte }) = &self.divergence else {
            return write!(f, "replay     every packet, result and event is that of the recorded endpoint");
        };
        let seconds = *at_ns as f64 / 1e9;
        writeln!(f, "replay     differs at block {block}, after {packets} packets, at {seconds:.9} s")?;
        writeln!(f, "recorded   {recorded}")?;
        write!(f, "replayed   {replayed}")?;
        byte.map_or(Ok(()), |byte| write!(f, "\n           from byte {byte} of the packet on"))
    }
}
