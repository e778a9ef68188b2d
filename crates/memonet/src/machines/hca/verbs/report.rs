//! The report of a run.

use std::fmt;
use std::path::PathBuf;

use processes::verbs::{KilledLauncher, Run};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Args, SEPARATOR};
use crate::document::Head;
use crate::launcher::{MachineRun, summarize, texts};
use crate::library_cost;
use crate::machines::Name;
use crate::output;

/// The result of a run.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// The program of each host.
    hosts: Vec<Host>,
    /// Bus of the adapters.
    bus: &'static str,
    /// Messages that programs received.
    messages: u64,
    /// Bytes of these messages, with the 40 bytes before each datagram.
    bytes: u64,
    /// Calls of all programs.
    calls: u64,
    #[serde(flatten)]
    library: library_cost::Chosen,
    /// Time that all hosts spent in steps of the verbs library that have a cost.
    library_ps: u64,
    /// Exit code of the first host whose program ended with another code than 0, 0 if none did; with a launcher, its exit
    /// code.
    exit_code: u8,
    /// Files of waveforms and of their layouts.
    #[serde(serialize_with = "crate::shell_words::paths")]
    waves: Vec<PathBuf>,
}

/// The program of a host.
#[derive(JsonSchema, Serialize)]
struct Host {
    /// The program with its arguments.
    program: Vec<String>,
    /// Exit code of the program; `null` if the end of the run killed it, or if it was started by a launcher.
    exit_code: Option<u8>,
}

impl Report {
    pub(super) fn new(args: &Args, run: &Run, ran: &MachineRun) -> Self {
        let programs = args.programs.split(|word| word == SEPARATOR);
        // A launcher is the program of all hosts.
        let programs = programs.cycle().take(run.exit_codes().len());
        let hosts = programs.zip(run.exit_codes());
        let hosts = hosts.map(|(words, exit_code)| Host { program: texts(words), exit_code });
        let seed = args.lose.is_some().then_some(args.seed);
        Report {
            head: ran.head(Head::on("verbs", Name::Hca).seeded(seed), Some(args.nic), run),
            hosts: hosts.collect(),
            bus: args.bus.name(),
            messages: run.messages(),
            bytes: run.bytes(),
            calls: run.calls(),
            library: args.library.chosen(true),
            library_ps: run.library_time().ps(),
            exit_code: run.exit_code().unwrap_or_else(|killed| {
                output::aside(format_args!("memonet: {killed}"));
                KilledLauncher::EXIT_CODE
            }),
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
        let Report { head, messages, bytes, calls, waves, library_ps, .. } = self;
        let library = match self.library.is_given() {
            true => format!(", library {} us", output::us(*library_ps)),
            false => String::new(),
        };
        summarize(f, head, format_args!("{messages} messages, {bytes} bytes, {calls} calls{library}"), waves)
    }
}
