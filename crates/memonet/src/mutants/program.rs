//! A test program of the copy, run with an active mutant.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use ::mutants::{rust, systemverilog};
use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::interrupt::Interrupt;

/// A test program that Cargo built, and its run time without mutants.
pub struct Program {
    path: PathBuf,
    /// Short digest of the program and its data.
    digest: String,
    /// Additional processor time with a mutant.
    patience: Duration,
    /// Times without mutants, by the arguments that select tests.
    sound: Mutex<BTreeMap<Vec<String>, RunTime>>,
}

/// Number of the active mutant on each side; 0 for none.
#[derive(Clone, Copy, Debug, Default)]
pub struct ActiveMutants {
    /// Mutant in the Rust block.
    pub rust: u32,
    /// Mutant in the SystemVerilog module.
    pub systemverilog: u32,
}

/// Times of a run, or their limits.
#[derive(Clone, Copy, Debug)]
struct RunTime {
    /// Processor time of the program.
    processor: Duration,
    /// Time from start to end.
    elapsed: Duration,
}

impl RunTime {
    const ZERO: Self = RunTime { processor: Duration::ZERO, elapsed: Duration::ZERO };
    const UNLIMITED: Self = RunTime { processor: Duration::MAX, elapsed: Duration::MAX };

    /// Limits of a run with a mutant, given the times without one.
    fn limits(self, patience: Duration) -> Self {
        RunTime {
            processor: patience + FACTOR * self.processor,
            elapsed: PATIENCE_OF_TIME + FACTOR_OF_TIME * self.elapsed,
        }
    }
}

/// Verdict of a test program.
enum RunResult {
    /// All tests passed in this time.
    Passed(RunTime),
    /// A test failed, or the program ended abnormally.
    Failed(String),
}

/// Factor of the processor time without mutants.
const FACTOR: u32 = 4;
/// A program hangs if it and its children use no processor time for this long.
const IDLE: Duration = Duration::from_secs(20);
/// A program hangs in any case after this time and [`FACTOR_OF_TIME`] times that of a run without mutants.
const PATIENCE_OF_TIME: Duration = Duration::from_secs(60);
/// Factor of the time without mutants.
const FACTOR_OF_TIME: u32 = 10;
/// Interval between checks for a program that hangs.
const HANG_INTERVAL: Duration = Duration::from_secs(1);
/// Interval between checks of the processor time.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

impl Program {
    /// A program with its digest. With a mutant it may use `patience` more processor time than [`FACTOR`]
    /// times that of a run without.
    pub fn new(path: PathBuf, digest: String, patience: Duration) -> Self {
        Program { path, digest, patience, sound: Mutex::default() }
    }

    /// Short digest of the program and its data.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The first failing test, or the abnormal end of the program; `None` if all tests pass. The limits are
    /// those of a run with the arguments `like`.
    pub fn fails(
        &self,
        active: ActiveMutants,
        arguments: &[String],
        like: &[String],
        root: &Path,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Option<String>> {
        let limits = self.sound(like, root, interrupt)?.limits(self.patience);
        match self.run(active, arguments, root, limits, interrupt)? {
            RunResult::Passed(_) => Ok(None),
            RunResult::Failed(test) => Ok(Some(test)),
        }
    }

    /// Times without mutants. Fails if a test fails without a mutant.
    fn sound(&self, arguments: &[String], root: &Path, interrupt: &Interrupt) -> anyhow::Result<RunTime> {
        let mut sound = self.sound.lock().expect("no thread panics");
        if let Some(&time) = sound.get(arguments) {
            return Ok(time);
        }
        let time = match self.run(ActiveMutants::default(), arguments, root, RunTime::UNLIMITED, interrupt)? {
            RunResult::Passed(time) => time,
            // Tests that Ctrl-C ended did not fail.
            RunResult::Failed(_) if interrupt.came() => RunTime::ZERO,
            RunResult::Failed(test) => {
                bail!("{} {}: {test} fails without any fault", self.path.display(), arguments.join(" "))
            }
        };
        sound.insert(arguments.to_vec(), time);
        Ok(time)
    }

    fn run(
        &self,
        active: ActiveMutants,
        arguments: &[String],
        root: &Path,
        limits: RunTime,
        interrupt: &Interrupt,
    ) -> anyhow::Result<RunResult> {
        let mut command = Command::new(&self.path);
        command.args(arguments).args(["--test-threads", "1"]);
        command.env(rust::VARIABLE, active.rust.to_string());
        command.env(systemverilog::VARIABLE, active.systemverilog.to_string());
        command.current_dir(root).stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped());
        // A group of its own, so that its children end with it.
        command.process_group(0);
        let mut child = command.spawn().with_context(|| self.path.display().to_string())?;
        let stdout = child.stdout.take().context("output is piped")?;
        let reader = thread::spawn(move || read_output(stdout));

        // The processor time must be read before `wait`, which removes the process.
        let mut watch = Watch::new(child.id(), limits);
        let mut in_time = true;
        while in_time && !reader.is_finished() {
            in_time = watch.is_in_time() && !interrupt.came();
            thread::sleep(CHECK_INTERVAL);
        }
        // The output is complete, or the result is already known.
        if !in_time {
            kill(&mut child);
        }
        let output = reader.join().expect("no thread panics");
        if output.failed.is_some() {
            kill(&mut child);
        }
        let passed = child.wait()?.success();

        let running = output.running;
        Ok(match output.failed {
            Some(test) => RunResult::Failed(test),
            None if !in_time => RunResult::Failed(format!("{running} takes too long")),
            None if !passed => RunResult::Failed(format!("{running} ends the program")),
            None => RunResult::Passed(watch.time()),
        })
    }
}

/// Ends a program and its children.
fn kill(child: &mut Child) {
    // It fails only if all of them have ended.
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let _ = group.map(|group| kill_process_group(group, Signal::KILL));
}

/// Times of a running program, and whether it hangs.
struct Watch {
    process: u32,
    limits: RunTime,
    begin: Instant,
    processor: Duration,
    /// Last check for a hang.
    checked: Instant,
    /// Processor time of the program and its children, and when it last increased.
    work: (Duration, Instant),
}

impl Watch {
    fn new(process: u32, limits: RunTime) -> Self {
        let now = Instant::now();
        let processor = Duration::ZERO;
        Watch { process, limits, begin: now, processor, checked: now, work: (processor, now) }
    }

    fn time(&self) -> RunTime {
        RunTime { processor: self.processor, elapsed: self.begin.elapsed() }
    }

    /// Reads the times; false if the program exceeds a limit or hangs.
    fn is_in_time(&mut self) -> bool {
        self.processor = processor_time(self.process);
        if self.checked.elapsed() > HANG_INTERVAL {
            self.checked = Instant::now();
            let work = group_time(self.process);
            if work != self.work.0 {
                self.work = (work, self.checked);
            }
        }
        // A run without limits is one without mutants.
        let is_idle = self.limits.elapsed != Duration::MAX && self.work.1.elapsed() > IDLE;
        self.processor <= self.limits.processor && self.begin.elapsed() <= self.limits.elapsed && !is_idle
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
    let [.., user, system] = times(&stat).unwrap_or_default();
    ticks(user + system)
}

/// User and system time of all processes in a group, in steps of 10 ms.
fn group_time(group: u32) -> Duration {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = processes.filter_map(|process| std::fs::read_to_string(process.path().join("stat")).ok());
    let of_group = stats.filter_map(|stat| times(&stat)).filter(|[its, ..]| *its == u64::from(group));
    of_group.map(|[_, user, system]| ticks(user + system)).sum()
}

fn ticks(ticks: u64) -> Duration {
    Duration::from_millis(10 * ticks)
}

/// Group, user time and system time in `/proc/PROCESS/stat`.
fn times(stat: &str) -> Option<[u64; 3]> {
    // After the program name in parentheses, which may contain any character, come the state, the parent and
    // the group; the times are 9 numbers later.
    let numbers: Vec<_> = stat.rsplit(')').next()?.split_whitespace().collect();
    let number = |at: usize| numbers.get(at)?.parse().ok();
    Some([number(2)?, number(11)?, number(12)?])
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
