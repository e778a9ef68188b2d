//! A mutant and the tests that may detect it.

use std::fmt;
use std::path::Path;

use ::mutants::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::program::ActiveMutants;
use super::tests::Tests;
use crate::interrupt::Interrupt;

/// Side on which a mutant is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Both twins.
    Both,
    /// The Rust block.
    Rust,
    /// The SystemVerilog module.
    #[serde(rename = "systemverilog")]
    SystemVerilog,
}

/// A mutant to be tested.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Fault to inject.
    pub fault: Fault,
    /// Side on which it is active.
    pub side: Side,
    /// Number that activates the mutant, from 1.
    pub number: u32,
}

/// Result of a trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// A test failed.
    Found {
        /// Name of the program.
        by: String,
        /// The first test that failed, or the abnormal end of the program.
        test: String,
    },
    /// Model and RTL differ although the fault is in both: it is not the same fault, and the mutant does not
    /// count.
    NoTwin,
    /// All tests passed.
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

/// Tests that only compare model and RTL have this in their names.
const LOCKSTEP: &str = "matches_its_rtl";

/// A run of a program: its index, its name in reports, and its arguments.
type TestRun = (usize, Option<&'static str>, Vec<String>);

/// The test that detected a mutant earlier, alone, preceded by the runs that must pass before it.
fn rerun(outdated: Option<&Verdict>, runs: &[TestRun]) -> Vec<TestRun> {
    let Some(Verdict::Found { by, test }) = outdated else { return vec![] };
    let Some(at) = runs.iter().position(|(_, name, _)| *name == Some(by)) else { return vec![] };
    let silent = runs[..at].iter().filter(|(_, name, _)| name.is_none()).cloned();
    // The recorded test may be followed by a description of the program's abnormal end.
    let test = test.split(' ').next().unwrap_or_default();
    // Several programs share a name; those without the test pass.
    let programs = runs[at..].iter().filter(|(_, name, _)| *name == Some(by));
    let exact = |(place, name, _): &TestRun| (*place, *name, vec!["--exact".into(), test.into()]);
    silent.chain(programs.map(exact)).collect()
}

impl Trial {
    /// Runs the tests that may detect the mutant, the most specific first, preceded by the one that detected
    /// it before its program changed. Returns the verdict and the digests of the programs that it depends on.
    pub fn run(
        &self,
        tests: &Tests<'_>,
        outdated: Option<&Verdict>,
        root: &Path,
        interrupt: &Interrupt,
    ) -> anyhow::Result<(Verdict, Vec<String>)> {
        let runs = self.runs(tests);
        for (place, by, arguments) in rerun(outdated, &runs).into_iter().chain(runs) {
            let program = tests.program(place)?;
            let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
            let Some(test) = program.fails(self.active(), &arguments, root, interrupt)? else { continue };
            let verdict = by.map_or(Verdict::NoTwin, |by| Verdict::Found { by: by.into(), test });
            return Ok((verdict, vec![program.digest().to_string()]));
        }
        Ok((Verdict::Survived, tests.digests()?))
    }

    fn active(&self) -> ActiveMutants {
        let on = |side| if self.side == side { 0 } else { self.number };
        ActiveMutants { rust: on(Side::SystemVerilog), systemverilog: on(Side::Rust) }
    }

    /// The runs in order. For twin mutants, the lockstep of the block has no name in reports: if it fails,
    /// the twins do not have the same fault.
    fn runs(&self, tests: &Tests<'_>) -> Vec<TestRun> {
        let owned = |arguments: &[&str]| arguments.iter().map(ToString::to_string).collect::<Vec<_>>();
        let block = vec![format!("{}_{LOCKSTEP}", self.fault.block)];
        let benches = |name: Option<&'static str>, arguments: &[String]| {
            let run = |place| (place, name, arguments.to_vec());
            tests.benches().map(run).collect::<Vec<_>>()
        };
        if self.side != Side::Both {
            return [benches(Some("lockstep of the block"), &block), benches(Some("lockstep"), &[])].concat();
        }
        let mut runs = Vec::new();
        for (place, judge) in tests.judges().iter().enumerate() {
            let by = Some(judge.test.unwrap_or("unit tests"));
            if judge.test.is_none() {
                runs.push((place, by, vec![format!("{}::", self.fault.block)]));
            }
            runs.push((place, by, owned(judge.only)));
        }
        runs.extend(benches(None, &block));
        runs.extend(benches(Some("testbench"), &owned(&["--skip", LOCKSTEP])));
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_that_detected_a_mutant_before_runs_first() {
        let run = |place, name, argument: &str| (place, name, vec![argument.to_string()]);
        let runs =
            [run(0, Some("unit tests"), "botf::"), run(1, None, "matches"), run(1, Some("testbench"), "-")];
        let rerun =
            |by: &str, test: &str| rerun(Some(&Verdict::Found { by: by.into(), test: test.into() }), &runs);
        let exact = |test: &str| vec!["--exact".to_string(), test.to_string()];
        assert_eq!(rerun("unit tests", "a::b"), [(0, Some("unit tests"), exact("a::b"))]);
        assert_eq!(
            rerun("testbench", "c takes too long"),
            [runs[1].clone(), (1, Some("testbench"), exact("c"))]
        );
        assert_eq!(rerun("a program that was", "d"), []);
    }

    #[test]
    fn survivors_have_no_test_to_run_first() {
        assert_eq!(rerun(Some(&Verdict::Survived), &[]), []);
        assert_eq!(rerun(None, &[]), []);
    }
}
