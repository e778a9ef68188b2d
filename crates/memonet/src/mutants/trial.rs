//! One fault, and what finds it.

use std::fmt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ::mutants::{Fault, rust, systemverilog};
use anyhow::Context;
use lab::Judge;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tests::Tests;
use crate::interrupt::Interrupt;

/// Where a fault is awake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// In both twins.
    Both,
    /// In the Rust block.
    Rust,
    /// In the SystemVerilog module.
    #[serde(rename = "systemverilog")]
    SystemVerilog,
}

/// A fault on trial.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The fault.
    pub fault: Fault,
    /// Where it is awake.
    pub side: Side,
    /// Its number.
    pub number: u32,
}

/// How it came out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// A test failed.
    Found {
        /// The program.
        by: String,
        /// The first test that failed, or how the program ended.
        test: String,
    },
    /// Model and RTL differ, though the fault is in both: it is not the same fault, and says nothing.
    NoTwin,
    /// Nothing failed.
    Survived,
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::Both => "twin",
            Side::Rust => "Rust",
            Side::SystemVerilog => "SystemVerilog",
        };
        write!(f, "{side}: {}", self.fault)
    }
}

/// Processor time that a program may take: many times what any of them needs. Other time goes by faster when the machine is busy.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often a program is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// Tests that only hold model and RTL against each other have this in their names.
const LOCKSTEP: &str = "matches_its_rtl";
/// Tests whose RTL has faults of its own and none of ours, so that they judge nothing here.
const NO_JUDGE: [&str; 4] = ["--skip", "every_assertion_fires", "--skip", "faults::"];

impl Trial {
    /// Runs what may find it, the nearest first.
    pub fn run(
        &self,
        judges: &[Judge],
        tests: &Tests<'_>,
        root: &Path,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Verdict> {
        match self.side {
            Side::Both => self.twin(judges, tests, root, interrupt),
            Side::Rust | Side::SystemVerilog => self.one_sided(tests, root, interrupt),
        }
    }

    fn twin(
        &self,
        judges: &[Judge],
        tests: &Tests<'_>,
        root: &Path,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Verdict> {
        for judge in judges {
            let by = judge.test.unwrap_or("unit tests");
            if let Some(test) = self.fails(&tests.program(judge)?, judge.only, root, interrupt)? {
                return Ok(Verdict::Found { by: by.to_string(), test });
            }
        }
        // It is one fault only if lockstep says so.
        let block = format!("{}_{LOCKSTEP}", self.fault.block);
        if self.fails(&tests.bench()?, &[&block], root, interrupt)?.is_some() {
            return Ok(Verdict::NoTwin);
        }
        let others = [&["--skip", LOCKSTEP][..], &NO_JUDGE].concat();
        Ok(match self.fails(&tests.bench()?, &others, root, interrupt)? {
            Some(test) => Verdict::Found { by: "testbench".to_string(), test },
            None => Verdict::Survived,
        })
    }

    fn one_sided(&self, tests: &Tests<'_>, root: &Path, interrupt: &Interrupt) -> anyhow::Result<Verdict> {
        let block = format!("{}_{LOCKSTEP}", self.fault.block);
        for (by, arguments) in [("lockstep of the block", &[block.as_str()][..]), ("lockstep", &NO_JUDGE)] {
            if let Some(test) = self.fails(&tests.bench()?, arguments, root, interrupt)? {
                return Ok(Verdict::Found { by: by.to_string(), test });
            }
        }
        Ok(Verdict::Survived)
    }

    /// The first test of a program that fails, or how the program ended otherwise; none if all of them pass.
    fn fails(
        &self,
        program: &Path,
        arguments: &[&str],
        root: &Path,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Option<String>> {
        let number = |awake| if awake { self.number.to_string() } else { "0".to_string() };
        let mut command = Command::new(program);
        command.args(arguments).args(["--test-threads", "1"]);
        command.env(rust::VARIABLE, number(self.side != Side::SystemVerilog));
        command.env(systemverilog::VARIABLE, number(self.side != Side::Rust));
        command.current_dir(root).stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| program.display().to_string())?;
        let stdout = child.stdout.take().context("output is piped")?;
        let reader = std::thread::spawn(move || std::io::read_to_string(stdout));
        let Some(success) = wait(&mut child, interrupt)? else {
            return Ok(Some("takes too long".to_string()));
        };
        if success {
            return Ok(None);
        }
        let said = reader.join().expect("no thread panics").unwrap_or_default();
        let failed = said.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
        Ok(Some(failed.unwrap_or("the program ends before its tests").to_string()))
    }
}

/// Whether a program succeeds; none if it has to be ended.
fn wait(child: &mut Child, interrupt: &Interrupt) -> anyhow::Result<Option<bool>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        if processor_time(child.id()) > PATIENCE || interrupt.came() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(LOOK);
    }
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
}
