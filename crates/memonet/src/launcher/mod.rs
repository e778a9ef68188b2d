//! Runs of unmodified programs as hosts of modelled machines: the common part of `memonet mpirun` and `memonet verbs`.

mod find;
mod progress;
mod trace;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use cluster::{Duration, Fingerprint, Time};
use processes::{Orphans, Run, RunFailure, RunState};
use serde::Serialize;

use crate::document::{Failure, Head};
use crate::interrupt::{self, Interrupt};
use crate::nic::Kind;
use crate::numbers;
use crate::output;
use crate::shell_words;
use crate::usage;

pub use find::{find_library, find_program};
use progress::RunProgress;
pub use trace::CallTrace;

/// The option for processes that make no call.
#[derive(Clone, Debug, clap::Args)]
pub struct Patience {
    /// Seconds of this computer's clock after which a process that makes no call is named on standard error; the run goes on.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = numbers::seconds)]
    quiet_after: std::time::Duration,
}

/// The setting of one or more runs: their limit, the user's interrupt, and the processes that runs leave behind.
pub struct Launcher {
    command: &'static str,
    json: Option<PathBuf>,
    /// Virtual time after which a run is given up.
    pub limit: Duration,
    /// Time of this computer after which a process that makes no call is named.
    quiet_after: std::time::Duration,
    /// Ctrl-C, which ends a run early.
    pub interrupt: Rc<Interrupt>,
    _orphans: Orphans,
}

/// A completed run on a machine.
pub struct MachineRun {
    /// Virtual time of its end.
    pub end: Time,
    /// Fingerprint of the machine, which is combined with that of the calls.
    pub fingerprint: Option<Fingerprint>,
    /// Files of waveforms and of their layouts.
    pub waves: Vec<PathBuf>,
}

/// A run without a report.
pub struct FailedRun {
    /// The reason, for the user.
    pub reason: String,
    /// Exit code of the command, 1 to 255.
    pub exit_code: u8,
}

impl FailedRun {
    /// A failure of the command itself: exit code 1.
    pub fn new(reason: impl Into<String>) -> Self {
        FailedRun { reason: reason.into(), exit_code: 1 }
    }

    /// The failure of a run of processes.
    fn failed(failure: &impl RunFailure) -> Self {
        FailedRun { reason: failure.to_string(), exit_code: failure.exit_code() }
    }
}

impl Launcher {
    /// Prepares runs of a command, whose `--limit` and `--json` these are.
    pub fn new(
        command: &'static str,
        limit: &str,
        patience: &Patience,
        json: Option<&Path>,
    ) -> anyhow::Result<Self> {
        if let Some(file) = json {
            output::check_folder(file)?;
        }
        let limit = usage::duration("--limit <LIMIT>", limit)?;
        let interrupt = Rc::new(Interrupt::listen()?);
        pin_to_one_processor();
        if let Err(error) = processes::fix_addresses() {
            say(
                command,
                format_args!(
                    "addresses differ from run to run, because switching their randomisation off fails: {error}; a program \
                     whose outcome depends on them has no fixed fingerprint"
                ),
            );
        }
        let json = json.map(Path::to_path_buf);
        let quiet_after = patience.quiet_after;
        Ok(Launcher { command, json, limit, quiet_after, interrupt, _orphans: Orphans::adopt() })
    }

    /// Names processes of the run that make no call for long, and shows the progress of the run until the result is
    /// dropped.
    pub fn watch<S: RunState>(&self, run: &Run<S>) -> RunProgress {
        let command = self.command;
        let progress = RunProgress::begin(command, run.meter());
        let line = progress.line();
        run.watch_silence(self.quiet_after, move |silence| line.suspend(|| say(command, silence)));
        progress
    }

    /// Prints lines of the command on standard error while the run goes on.
    pub fn aside(&self, progress: &RunProgress) -> impl Fn(&str) + 'static {
        let (command, line) = (self.command, progress.line());
        move |text| line.suspend(|| say(command, text))
    }

    /// Prints a line of the command on standard error: standard output belongs to the programs.
    pub fn say(&self, text: impl fmt::Display) {
        say(self.command, text);
    }

    /// Combines the ends of a run and of its machine. A signal of the user goes before a failure of the run, and that
    /// before an error of the machine. A run whose processes never used the interface is an error too.
    pub fn result<S: RunState>(
        &self,
        run: &Run<S>,
        ran: anyhow::Result<MachineRun>,
    ) -> Result<MachineRun, FailedRun> {
        let failure = run.take_failure();
        if self.interrupt.came() {
            // A process that never calls is a common reason for an interrupt.
            let failure = failure.map_or(String::new(), |failure| format!("; {failure}"));
            let activities = listed(&run.interrupted_activities());
            let reason = format!("ended by a signal{failure}{activities}");
            return Err(FailedRun { reason, exit_code: interrupt::EXIT_CODE });
        }
        match failure {
            Some(failure) => Err(FailedRun::failed(&failure)),
            None => {
                let ran = ran.map_err(|error| FailedRun::new(format!("{error:#}")))?;
                run.check_used().map_err(|failure| FailedRun::failed(&failure))?;
                Ok(ran)
            }
        }
    }

    /// Prints the report of a run, or why there is none, and writes the JSON file; the exit code.
    pub fn finish<R: fmt::Display + Serialize>(
        &self,
        result: Result<R, FailedRun>,
        exit_code: impl Fn(&R) -> u8,
    ) -> anyhow::Result<u8> {
        match result {
            Ok(report) => {
                output::aside(&report);
                self.write(&report)?;
                Ok(exit_code(&report))
            }
            Err(failed) => {
                self.say(&failed.reason);
                self.write_failure(failed)
            }
        }
    }

    /// Writes the JSON file of a failed run; the exit code.
    pub fn write_failure(&self, failed: FailedRun) -> anyhow::Result<u8> {
        self.write(&Failure::new(failed.reason, failed.exit_code))?;
        Ok(failed.exit_code)
    }

    /// Writes a document into the file of `--json`, if it was given.
    pub fn write(&self, document: &impl Serialize) -> anyhow::Result<()> {
        let Some(file) = &self.json else { return Ok(()) };
        output::write(file, format!("{}\n", serde_json::to_string_pretty(document)?).as_bytes())
    }
}

/// Prints a line of a command on standard error.
fn say(command: &str, text: impl fmt::Display) {
    output::aside(format_args!("memonet {command}: {text}"));
}

/// Processes listed at most.
const MOST_LISTED: usize = 16;

/// Lines below a reason, the first ones of many.
fn listed(lines: &[String]) -> String {
    let mut text: String = lines.iter().take(MOST_LISTED).map(|line| format!("\n  {line}")).collect();
    if lines.len() > MOST_LISTED {
        text += &format!("\n  and {} others", lines.len() - MOST_LISTED);
    }
    text
}

impl MachineRun {
    /// The head of the report: time, fingerprint, and the NIC where there is one.
    pub fn head<S: RunState>(&self, mut head: Head, nic: Option<Kind>, run: &Run<S>) -> Head {
        let parts = [Some(run.fingerprint()), self.fingerprint];
        let fingerprint = Fingerprint::of(parts.into_iter().flatten());
        (head.nic, head.divergences) = (nic, nic.and_then(Kind::divergences));
        head.simulated_ps = Some(self.end.ps());
        head.marked(fingerprint)
    }
}

/// Prints the text of a report: virtual time and counts, files, fingerprint.
pub fn summarize(
    f: &mut fmt::Formatter<'_>,
    head: &Head,
    counts: fmt::Arguments<'_>,
    files: &[PathBuf],
) -> fmt::Result {
    let comparison = head.comparison().map_or(String::new(), |comparison| format!(", {comparison}"));
    writeln!(f, "virtual time {} us; {counts}{comparison}", head.simulated_us())?;
    for path in files {
        writeln!(f, "wrote {}", path.display())?;
    }
    write!(f, "fingerprint {}", head.fingerprint())
}

/// Command-line words as text, for a report.
pub fn texts(words: &[OsString]) -> Vec<String> {
    words.iter().map(shell_words::text).collect()
}

/// Keeps simulator and processes on one processor, where a switch between two of them takes a tenth of the time.
fn pin_to_one_processor() {
    let mut one = rustix::thread::CpuSet::new();
    one.set(rustix::thread::sched_getcpu());
    // Without the permission the run is slower, with the same result.
    let _ = rustix::thread::sched_setaffinity(None, &one);
}
