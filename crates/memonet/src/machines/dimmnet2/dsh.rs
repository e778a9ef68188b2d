//! `dsh`: the DIMMnet Shell on Rust models; `memonet shell` adds the RTL.

use std::process::ExitCode;
use std::rc::Rc;

use clap::Parser;
use dimmnet2_machine::Dimmnet2;
use dsh::Models;
use dsh::terminal::{Args, run};

/// DIMMnet Shell: drive the boards of a cluster by hand.
///
/// If `memonet serve` is listening, the shell attaches to its boards; two such shells are two processes of
/// one cluster. Without a server, or with --alone, it has boards of its own. Type h for all commands, Tab to
/// complete, q to leave.
#[derive(Parser)]
#[command(
    name = "dsh",
    version,
    after_help = "\
Examples:
  dsh 2 1 0                  two processes, own PID 1, own WID 0
  dsh 2 1 0 --connect PATH   on the boards of memonet serve --socket PATH
  dsh 2 0 0 --script FILE    lines from a file; exit code 1 at the first error
  dsh 2 0 0 --transcript < FILE"
)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

fn main() -> ExitCode {
    run::<Dimmnet2>(&Cli::parse().args, Rc::new(Models), "model")
}
