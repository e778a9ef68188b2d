//! `memonet shell`: DIMMnet Shell on boards of any kind.

use std::process::ExitCode;
use std::rc::Rc;

use clap::ValueEnum;
use dimmnet2_machine::{AnyNic, Dimmnet2};
use dsh::Boards;

use crate::nic::{Kind, Maker};

/// DIMMnet Shell: drives the boards of a running cluster by hand (thesis appendix C).
///
/// Type h for all commands, Tab for what can follow, q to leave. `nic` puts boards of another kind in place.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet shell 2 1 0                    two processes, own PID 1, own WID 0
  memonet shell --nic lockstep           model and RTL, compared on every edge
  memonet shell 2 0 0 --script FILE      exit code 1 at the first error
  memonet shell 2 1 0 --connect PATH     on the boards of memonet serve --socket PATH")]
pub struct Args {
    #[command(flatten)]
    shell: dsh::terminal::Args,
    /// What stands behind the pins of the boards.
    #[arg(long, value_enum, default_value_t = Kind::Model, conflicts_with = "connect")]
    nic: Kind,
}

/// Boards of this binary.
pub struct Built;

impl Boards for Built {
    fn kinds(&self) -> &[&'static str] {
        if cfg!(feature = "rtl") { &["model", "rtl", "lockstep"] } else { &["model"] }
    }

    fn open(&self, kind: &str, count: usize) -> Result<Vec<Box<AnyNic>>, String> {
        let kind = Kind::from_str(kind, false)?;
        let boards = Maker::<Dimmnet2>::new(kind, 0, "memonet shell").boards(count);
        let boxed = |board| Box::new(board) as Box<AnyNic>;
        Ok(boards.map_err(|error| format!("{error:#}"))?.into_iter().map(boxed).collect())
    }
}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    dsh::terminal::run(&args.shell, Rc::new(Built), args.nic.name(), None)
}
