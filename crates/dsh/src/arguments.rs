//! Arguments of the shell.

use std::path::PathBuf;

use machine_api::number_up_to;

/// Exit code for wrong arguments, as with clap.
pub(crate) const WRONG_ARGUMENTS: u8 = 2;

/// Arguments of the shell (thesis figure C.2).
#[derive(Clone, Debug, clap::Args)]
// Other commands flatten these into an `Args` of their own, and groups need different names.
#[group(skip)]
pub struct Args {
    /// Total number of processes, each on a node of its own; a single one has no subnet.
    #[arg(value_name = "processes", default_value = "2", value_parser = argument)]
    pub(crate) processes: u64,
    /// PID of the own process, from 0 on.
    #[arg(value_name = "PID", default_value = "0", value_parser = argument)]
    pub(crate) pid: u64,
    /// WID of the own process, 0 or 1 where a node has two.
    #[arg(value_name = "WID", default_value = "0", value_parser = argument)]
    pub(crate) wid: u64,
    /// Take lines from this file in place of standard input; the first error ends it with exit code 1.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Print prompts and lines too, so that the output of a script is a transcript.
    #[arg(long)]
    pub(crate) transcript: bool,
    /// Attach to the boards of `memonet serve` behind this socket, or fail.
    #[arg(long, value_name = "PATH")]
    pub(crate) connect: Option<PathBuf>,
    /// Boards of its own, even where a server listens.
    #[arg(long, conflicts_with = "connect")]
    pub(crate) alone: bool,
}

impl Args {
    /// The arguments of a user who has chosen a kind of boards, which those of a server may not have.
    pub fn with_own_boards(&self) -> Self {
        Args { alone: true, ..self.clone() }
    }
}

/// Parses a number of at most 32 bits.
pub(crate) fn argument(text: &str) -> Result<u64, String> {
    number_up_to(text, u64::from(u32::MAX)).map_err(|error| error.to_string())
}
