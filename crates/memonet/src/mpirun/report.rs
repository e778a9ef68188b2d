//! The report of a run.

use std::fmt;
use std::path::{Path, PathBuf};

use processes::mpi::Run;
use schemars::JsonSchema;
use serde::Serialize;

use super::network::Network;
use super::{Args, compute};
use crate::carrier_options;
use crate::document::Head;
use crate::launcher::{MachineRun, summarize, texts};
use crate::output;

/// The result of a run.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub(super) head: Head,
    /// The program with its arguments.
    program: Vec<String>,
    /// Options of the machine that were given.
    #[serde(flatten)]
    way: carrier_options::Chosen,
    /// Processes.
    ranks: usize,
    /// Processes on each node, of which the last one may have fewer; `null` for 1.
    per_node: Option<usize>,
    /// Messages between ranks, without those of collective operations.
    pub(super) messages: u64,
    /// Bytes of these messages.
    pub(super) bytes: u64,
    /// Packets of the MPI library.
    pub(super) packets: u64,
    /// Calls of all ranks.
    pub(super) calls: u64,
    /// Processor time of all ranks in the MPI library's own steps and copies, without its carrier.
    library_ps: u64,
    #[serde(skip)]
    names_library: bool,
    /// Exit code of the first rank that ended with another code than 0; 0 if none did.
    exit_code: u8,
    /// File of the computation profile; `null` where computation takes no time.
    #[serde(serialize_with = "crate::shell_words::optional_path")]
    profile: Option<PathBuf>,
    /// Basic blocks that a host executes in a second; `null` without a profile.
    blocks_per_second: Option<u64>,
    /// Files of waveforms and of their layouts.
    #[serde(serialize_with = "crate::shell_words::paths")]
    waves: Vec<PathBuf>,
}

impl Report {
    pub(super) fn new(args: &Args, run: &Run, ran: &MachineRun) -> Self {
        let (head, nic) = match args.machine {
            Network::Memory => (Head::new("mpirun"), None),
            Network::Of(machine) => (Head::on("mpirun", machine), Some(args.nic)),
        };
        let seed = args.lose.is_some().then_some(args.seed);
        Report {
            head: ran.head(head.seeded(seed), nic, run),
            program: texts(&args.program),
            way: args.way.chosen(args.machine.machine()),
            ranks: args.ranks,
            per_node: args.per_node.given(),
            messages: run.messages(),
            bytes: run.bytes(),
            packets: run.packets(),
            calls: run.calls(),
            library_ps: run.library_time().ps(),
            names_library: args.way.library_cost().is_some(),
            exit_code: run.exit_code(),
            profile: compute::file(args).map(Path::to_path_buf),
            blocks_per_second: compute::file(args).map(|_| compute::rate(args)),
            waves: ran.waves.clone(),
        }
    }

    /// Exit code of the command.
    pub(super) fn exit_code(&self) -> u8 {
        self.exit_code
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { head, messages, packets, calls, waves, .. } = self;
        // Only for those who ask for a cost: the other texts are in many pages.
        let library = match self.names_library {
            true => format!(", library {} us", output::us(self.library_ps)),
            false => String::new(),
        };
        let counts = format_args!("{messages} messages, {packets} packets, {calls} calls{library}");
        summarize(f, head, counts, waves)
    }
}
