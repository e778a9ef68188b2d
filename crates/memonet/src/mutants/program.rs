//! A test program of the copy, run with a fault awake in it.

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

/// A program that Cargo built, and how long it takes when nothing is wrong.
pub struct Program {
    path: PathBuf,
    /// What it was built from, in short.
    digest: String,
    /// Processor time of its tests without faults, by the arguments that choose them.
    sound: Mutex<BTreeMap<Vec<String>, Duration>>,
}

/// The number of the fault that is awake on each side; 0 wakes none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Awake {
    /// In Rust.
    pub rust: u32,
    /// In SystemVerilog.
    pub systemverilog: u32,
}

/// How a program ended.
enum Ended {
    /// All its tests passed, in so much processor time.
    Passed(Duration),
    /// A test failed, or something else ended it.
    Failed(String),
}

/// Processor time that a faulty program may take beyond that of a sound one, times [`OFTEN`].
const PATIENCE: Duration = Duration::from_secs(10);
/// How many times as long as a sound program a faulty one may take.
const OFTEN: u32 = 4;
/// How often a program is looked at.
const LOOK: Duration = Duration::from_millis(20);

impl Program {
    /// One that was built.
    pub fn new(path: PathBuf, digest: String) -> Self {
        Program { path, digest, sound: Mutex::default() }
    }

    /// What it was built from, in short.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The first test that fails, or how the program ended otherwise; none if all of them pass.
    pub fn fails(
        &self,
        awake: Awake,
        arguments: &[&str],
        root: &Path,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Option<String>> {
        let patience = PATIENCE + OFTEN * self.sound(arguments, root, interrupt)?;
        match self.run(awake, arguments, root, patience, interrupt)? {
            Ended::Passed(_) => Ok(None),
            Ended::Failed(test) => Ok(Some(test)),
        }
    }

    /// How long it takes without a fault. It has to pass then, or it could not judge.
    fn sound(&self, arguments: &[&str], root: &Path, interrupt: &Interrupt) -> anyhow::Result<Duration> {
        let mut sound = self.sound.lock().expect("no thread panics");
        let key: Vec<_> = arguments.iter().map(ToString::to_string).collect();
        if let Some(&time) = sound.get(&key) {
            return Ok(time);
        }
        let time = match self.run(Awake::default(), arguments, root, Duration::MAX, interrupt)? {
            Ended::Passed(time) => time,
            // What Ctrl-C ended did not fail.
            Ended::Failed(_) if interrupt.came() => Duration::ZERO,
            Ended::Failed(test) => {
                bail!("{} {}: {test} fails without any fault", self.path.display(), key.join(" "))
            }
        };
        sound.insert(key, time);
        Ok(time)
    }

    fn run(
        &self,
        awake: Awake,
        arguments: &[&str],
        root: &Path,
        patience: Duration,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Ended> {
        let mut command = Command::new(&self.path);
        command.args(arguments).args(["--test-threads", "1"]);
        command.env(rust::VARIABLE, awake.rust.to_string());
        command.env(systemverilog::VARIABLE, awake.systemverilog.to_string());
        command.current_dir(root).stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| self.path.display().to_string())?;
        let stdout = child.stdout.take().context("output is piped")?;
        let reader = thread::spawn(move || listen(stdout));

        // Before it is waited for: then it is no more.
        let mut time = Duration::ZERO;
        let mut in_time = true;
        while in_time && !reader.is_finished() {
            time = processor_time(child.id());
            in_time = time <= patience && !interrupt.came();
            thread::sleep(LOOK);
        }
        // It has said all, or what it still would say changes nothing.
        if !in_time {
            child.kill()?;
        }
        let heard = reader.join().expect("no thread panics");
        if heard.failed.is_some() {
            child.kill()?;
        }
        let passed = child.wait()?.success();

        let running = heard.running;
        Ok(match heard.failed {
            Some(test) => Ended::Failed(test),
            None if !in_time => Ended::Failed(format!("{running} takes too long")),
            None if !passed => Ended::Failed(format!("{running} ends the program")),
            None => Ended::Passed(time),
        })
    }
}

/// What a program said.
#[derive(Debug, Default, PartialEq, Eq)]
struct Heard {
    /// The test that ran last.
    running: String,
    /// The first one that failed.
    failed: Option<String>,
}

/// Listens until a test fails, or to the end.
fn listen(stdout: impl Read) -> Heard {
    let mut heard = Heard::default();
    let mut lines = BufReader::new(stdout);
    let mut line = String::new();
    while let Ok(1..) = lines.read_line(&mut line) {
        if let Some((test, said)) = line.strip_prefix("test ").and_then(|line| line.split_once(" ... ")) {
            heard.running = test.to_string();
            if said.trim_end() == "FAILED" {
                heard.failed = Some(test.to_string());
                break;
            }
        }
        line.clear();
    }
    heard
}

/// Processor time of a program, user's and system's, in steps of the kernel's hundredths of a second.
fn processor_time(process: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Behind the name, which may hold anything, in parentheses: the state, and 10 numbers before these two.
    let numbers = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    Duration::from_millis(10 * numbers.filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_goes_by_with_work() {
        let before = processor_time(std::process::id());
        let mut sum = 0_u64;
        while processor_time(std::process::id()) < before + Duration::from_millis(30) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
    }

    #[test]
    fn first_test_that_fails_is_told_and_the_one_that_runs_known() {
        let said = "running 3 tests\ntest a ... ok\ntest b::c ... ";
        let heard = |failed: Option<&str>| Heard { running: "b::c".into(), failed: failed.map(Into::into) };
        assert_eq!(listen(said.as_bytes()), heard(None));
        assert_eq!(listen(format!("{said}FAILED\ntest d ... ").as_bytes()), heard(Some("b::c")));
    }
}
