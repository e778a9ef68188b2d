//! `memonet shell`: the shell on boards of any machine and any implementation.

use std::process::ExitCode;
use std::rc::Rc;

use clap::ValueEnum;
use cluster::AnyNic;
use dsh::Boards;

use crate::machines::{Built, Name, with_machine};
use crate::nic::{Kind, Maker};

/// Drive the boards of a cluster by hand.
///
/// The shell is the DIMMnet Shell of the thesis (appendix C), extended to the other machines. It reads and
/// writes registers and memory, runs virtual time until a condition holds, records waveforms and goes back in
/// time. Type h for all commands, Tab to complete, q to leave. `nic` replaces the boards with another
/// implementation.
///
/// If `memonet serve` is listening, the shell attaches to its boards and says so; two such shells are two
/// processes of one cluster. Without a server, with --alone or with --nic, the shell has boards of its own.
/// `dsh` is the same shell for the default machine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet shell 2 1 0                    two processes, own PID 1, own WID 0
  memonet shell --nic lockstep           model and RTL, compared on every edge
  memonet shell 2 0 0 --script FILE      exit code 1 at the first error
  memonet shell 2 0 0 --alone            boards of its own, even where a server listens
  memonet shell 2 1 0 --connect PATH     on the boards of memonet serve --socket PATH")]
pub struct Args {
    #[command(flatten)]
    shell: dsh::terminal::Args,
    /// Machine whose boards the shell drives.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Implementation of the boards.
    ///
    /// The default is `model`. Giving this option implies `--alone`.
    #[arg(long, value_enum, conflicts_with = "connect")]
    nic: Option<Kind>,
}

/// The implementations of boards in this binary.
pub struct Kinds;

impl<M: Built> Boards<M> for Kinds {
    fn kinds(&self) -> &[&'static str] {
        if cfg!(feature = "rtl") { &["model", "rtl", "lockstep"] } else { &["model"] }
    }

    fn open(&self, kind: &str, count: usize) -> Result<Vec<Box<AnyNic<M>>>, String> {
        let kind = Kind::from_str(kind, false)?;
        let boards = Maker::<M>::new(kind, 0, format!("memonet shell --machine {}", M::NAME)).boards(count);
        let boxed = |board| Box::new(board) as Box<AnyNic<M>>;
        Ok(boards.map_err(|error| format!("{error:#}"))?.into_iter().map(boxed).collect())
    }
}

/// Runs the shell until the user leaves it.
pub fn run(args: &Args) -> ExitCode {
    let Args { shell, machine, nic } = args;
    let kind = nic.unwrap_or(Kind::Model).name();
    let shell = if nic.is_some() { shell.with_own_boards() } else { shell.clone() };
    with_machine!(*machine, M => dsh::terminal::run::<M>(&shell, Rc::new(Kinds), kind))
}
