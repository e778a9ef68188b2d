//! A test program of the copy, run with an active mutant.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use ::mutants::{rust, systemverilog};
use anyhow::{Context, bail};

use crate::interrupt::Interrupt;

/// A test program that Cargo built, and its run time without mutants.
pub struct Program {
    path: PathBuf,
    /// Short digest of the program and its data.
    digest: String,
    /// Processor time without mutants, by the arguments that select tests.
    sound: Mutex<BTreeMap<Vec<String>, Duration>>,
}

/// Number of the active mutant on each side; 0 for none.
#[derive(Clone, Copy, Debug, Default)]
pub struct ActiveMutants {
    /// Mutant in the Rust block.
    pub rust: u32,
    /// Mutant in the SystemVerilog module.
    pub systemverilog: u32,
}

/// Verdict of a test program.
enum RunResult {
    /// All tests passed; their processor time.
    Passed(Duration),
    /// A test failed, or the program ended abnormally.
    Failed(String),
}

/// Additional processor time for a program with a mutant.
const PATIENCE: Duration = Duration::from_secs(10);
/// Factor of the processor time without mutants.
const FACTOR: u32 = 4;
/// Interval between checks of the processor time.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

impl Program {
    /// A program with its digest.
    pub fn new(path: PathBuf, digest: String) -> Self {
        Program { path, digest, sound: Mutex::default() }
    }

    /// Short digest of the program and its data.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The first failing test, or the abnormal end of the program; `None` if all tests pass.
    pub fn fails(
        &self,
        active: ActiveMutants,
        arguments: &[&str],
        root: &Path,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Option<String>> {
        let patience = PATIENCE + FACTOR * self.sound(arguments, root, interrupt)?;
        match self.run(active, arguments, root, patience, interrupt)? {
            RunResult::Passed(_) => Ok(None),
            RunResult::Failed(test) => Ok(Some(test)),
        }
    }

    /// Processor time without mutants. Fails if a test fails without a mutant.
    fn sound(&self, arguments: &[&str], root: &Path, interrupt: &Interrupt) -> anyhow::Result<Duration> {
        let mut sound = self.sound.lock().expect("no thread panics");
        let key: Vec<_> = arguments.iter().map(ToString::to_string).collect();
        if let Some(&time) = sound.get(&key) {
            return Ok(time);
        }
        let time = match self.run(ActiveMutants::default(), arguments, root, Duration::MAX, interrupt)? {
            RunResult::Passed(time) => time,
            // Tests that Ctrl-C ended did not fail.
            RunResult::Failed(_) if interrupt.came() => Duration::ZERO,
            RunResult::Failed(test) => {
                bail!("{} {}: {test} fails without any fault", self.path.display(), key.join(" "))
            }
        };
        sound.insert(key, time);
        Ok(time)
    }

    fn run(
        &self,
        active: ActiveMutants,
        arguments: &[&str],
        root: &Path,
        patience: Duration,
        interrupt: &Interrupt,
    ) -> anyhow::Result<RunResult> {
        let mut command = Command::new(&self.path);
        command.args(arguments).args(["--test-threads", "1"]);
        command.env(rust::VARIABLE, active.rust.to_string());
        command.env(systemverilog::VARIABLE, active.systemverilog.to_string());
        command.current_dir(root).stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| self.path.display().to_string())?;
        let stdout = child.stdout.take().context("output is piped")?;
        let reader = thread::spawn(move || read_output(stdout));

        // The processor time must be read before `wait`, which removes the process.
        let mut time = Duration::ZERO;
        let mut in_time = true;
        while in_time && !reader.is_finished() {
            time = processor_time(child.id());
            in_time = time <= patience && !interrupt.came();
            thread::sleep(CHECK_INTERVAL);
        }
        // The output is complete, or the result is already known.
        if !in_time {
            child.kill()?;
        }
        let output = reader.join().expect("no thread panics");
        if output.failed.is_some() {
            child.kill()?;
        }
        let passed = child.wait()?.success();

        let running = output.running;
        Ok(match output.failed {
            Some(test) => RunResult::Failed(test),
            None if !in_time => RunResult::Failed(format!("{running} takes too long")),
            None if !passed => RunResult::Failed(format!("{running} ends the program")),
            None => RunResult::Passed(time),
        })
    }
}

/// Test results in the output of a program.
#[derive(Debug, Default, PartialEq, Eq)]
struct TestOutput {
    /// Name of the last test that started.
    running: String,
    /// Name of the first test that failed.
    failed: Option<String>,
}

/// Reads the output until a test fails or the output ends.
fn read_output(stdout: impl Read) -> TestOutput {
    let mut output = TestOutput::default();
    let mut lines = BufReader::new(stdout);
    let mut line = String::new();
    while let Ok(1..) = lines.read_line(&mut line) {
        if let Some((test, said)) = line.strip_prefix("test ").and_then(|line| line.split_once(" ... ")) {
            output.running = test.to_string();
            if said.trim_end() == "FAILED" {
                output.failed = Some(test.to_string());
                break;
            }
        }
        line.clear();
    }
    output
}

/// User and system time of a process, in the kernel's steps of 10 ms.
fn processor_time(process: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // After the program name in parentheses, which may contain any character, come the state and 10 numbers
    // before these two.
    let numbers = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    Duration::from_millis(10 * numbers.filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_increases_with_work() {
        let before = processor_time(std::process::id());
        let mut sum = 0_u64;
        while processor_time(std::process::id()) < before + Duration::from_millis(30) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
    }

    #[test]
    fn first_failing_test_and_running_test_are_parsed() {
        let said = "running 3 tests\ntest a ... ok\ntest b::c ... ";
        let output =
            |failed: Option<&str>| TestOutput { running: "b::c".into(), failed: failed.map(Into::into) };
        assert_eq!(read_output(said.as_bytes()), output(None));
        assert_eq!(read_output(format!("{said}FAILED\ntest d ... ").as_bytes()), output(Some("b::c")));
    }
}
