//! `memonet suci`: block transport over UDP, on a modelled cluster and on this computer.

mod bench;
mod replay;
mod run;

pub use bench::Report as Bench;
pub use replay::Report as Replay;
pub use run::Report;

use crate::output::Outcome;

/// Run, replay or benchmark Suci, a block transport over UDP.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet suci run
  memonet suci run --nodes 41 --program gather --size 65536
  memonet suci bench                   compared with TCP, UDP, QUIC, KCP and ENet
  memonet suci replay trace.pcapng     a recorded endpoint, call by call")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Run(run::Args),
    Replay(replay::Args),
    Bench(bench::Args),
}

impl Args {
    /// `--json` was given.
    pub fn json(&self) -> bool {
        match &self.command {
            Command::Run(args) => args.json,
            Command::Replay(args) => args.json,
            Command::Bench(args) => args.json,
        }
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    match &args.command {
        Command::Run(args) => run::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Bench(args) => bench::run(args),
    }
}
