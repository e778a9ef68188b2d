//! A mutant and the tests that may detect it.

use std::fmt;
use std::path::Path;

use ::mutants::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::program::Awake;
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
type Turn = (usize, Option<&'static str>, Vec<String>);

/// The test that detected a mutant earlier, alone, preceded by the runs that must pass before it.
fn again(outdated: Option<&Verdict>, turns: &[Turn]) -> Vec<Turn> {
    let Some(Verdict::Found { by, test }) = outdated else { return vec![] };
    let Some(at) = turns.iter().position(|(_, name, _)| *name == Some(by)) else { return vec![] };
    let silent = turns[..at].iter().filter(|(_, name, _)| name.is_none()).cloned();
    // The recorded test may be followed by a description of the program's abnormal end.
    let test = test.split(' ').next().unwrap_or_default();
    // Several programs share a name; those without the test pass.
    let programs = turns[at..].iter().filter(|(_, name, _)| *name == Some(by));
    let exact = |(place, name, _): &Turn| (*place, *name, vec!["--exact".into(), test.into()]);
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
        let turns = self.turns(tests);
        for (place, by, arguments) in again(outdated, &turns).into_iter().chain(turns) {
            let program = tests.program(place)?;
            let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
            let Some(test) = program.fails(self.awake(), &arguments, root, interrupt)? else { continue };
            let verdict = by.map_or(Verdict::NoTwin, |by| Verdict::Found { by: by.into(), test });
            return Ok((verdict, vec![program.digest().to_string()]));
        }
        Ok((Verdict::Survived, tests.digests()?))
    }

    fn awake(&self) -> Awake {
        let on = |side| if self.side == side { 0 } else { self.number };
        Awake { rust: on(Side::SystemVerilog), systemverilog: on(Side::Rust) }
    }

    /// The runs in order. For twin mutants, the lockstep of the block has no name in reports: if it fails,
    /// the twins do not have the same fault.
    fn turns(&self, tests: &Tests<'_>) -> Vec<Turn> {
        let owned = |arguments: &[&str]| arguments.iter().map(ToString::to_string).collect::<Vec<_>>();
        let block = vec![format!("{}_{LOCKSTEP}", self.fault.block)];
        let benches = |name: Option<&'static str>, arguments: &[String]| {
            let turn = |place| (place, name, arguments.to_vec());
            tests.benches().map(turn).collect::<Vec<_>>()
        };
        if self.side != Side::Both {
            return [benches(Some("lockstep of the block"), &block), benches(Some("lockstep"), &[])].concat();
        }
        let mut turns = Vec::new();
        for (place, judge) in tests.judges().iter().enumerate() {
            let by = Some(judge.test.unwrap_or("unit tests"));
            if judge.test.is_none() {
                turns.push((place, by, vec![format!("{}::", self.fault.block)]));
            }
            turns.push((place, by, owned(judge.only)));
        }
        turns.extend(benches(None, &block));
        turns.extend(benches(Some("testbench"), &owned(&["--skip", LOCKSTEP])));
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_that_detected_a_mutant_before_runs_first() {
        let turn = |place, name, argument: &str| (place, name, vec![argument.to_string()]);
        let turns = [
            turn(0, Some("unit tests"), "botf::"),
            turn(1, None, "matches"),
            turn(1, Some("testbench"), "-"),
        ];
        let again =
            |by: &str, test: &str| again(Some(&Verdict::Found { by: by.into(), test: test.into() }), &turns);
        let exact = |test: &str| vec!["--exact".to_string(), test.to_string()];
        assert_eq!(again("unit tests", "a::b"), [(0, Some("unit tests"), exact("a::b"))]);
        assert_eq!(
            again("testbench", "c takes too long"),
            [turns[1].clone(), (1, Some("testbench"), exact("c"))]
        );
        assert_eq!(again("a program that was", "d"), []);
    }

    #[test]
    fn survivors_have_no_test_to_run_first() {
        assert_eq!(again(Some(&Verdict::Survived), &[]), []);
        assert_eq!(again(None, &[]), []);
    }
}
