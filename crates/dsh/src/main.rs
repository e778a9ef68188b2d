//! `dsh`: DIMMnet Shell on the Rust model; `memonet shell` has the RTL too.

use std::process::ExitCode;
use std::rc::Rc;

use clap::Parser;
use dsh::Models;
use dsh::terminal::{Args, run};

/// DIMMnet Shell: drives the boards of a running cluster by hand.
///
/// Type h for all commands, Tab for what can follow, q to leave.
#[derive(Parser)]
#[command(
    name = "dsh",
    version,
    after_help = "\
Examples:
  dsh 2 1 0                  two processes, own PID 1, own WID 0
  dsh 2 0 0 --script FILE    lines from a file; exit code 1 at the first error
  dsh 2 0 0 --transcript < FILE"
)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

fn main() -> ExitCode {
    run(&Cli::parse().args, Rc::new(Models), "model")
}
