//! One fault, and what finds it.

use std::fmt;
use std::path::Path;

use ::mutants::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::program::Awake;
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

/// Tests that only hold model and RTL against each other have this in their names.
const LOCKSTEP: &str = "matches_its_rtl";

/// What is run: place of the program, what it is called, arguments.
type Turn = (usize, Option<&'static str>, Vec<String>);

/// The test that found a fault, by itself, behind that which has to be silent before it.
fn again(outdated: Option<&Verdict>, turns: &[Turn]) -> Vec<Turn> {
    let Some(Verdict::Found { by, test }) = outdated else { return vec![] };
    let Some(at) = turns.iter().position(|(_, name, _)| *name == Some(by)) else { return vec![] };
    let silent = turns[..at].iter().filter(|(_, name, _)| name.is_none()).cloned();
    // Behind the name of the test may stand how the program ended.
    let test = test.split(' ').next().unwrap_or_default();
    // Several programs share a name; those without the test pass.
    let programs = turns[at..].iter().filter(|(_, name, _)| *name == Some(by));
    let exact = |(place, name, _): &Turn| (*place, *name, vec!["--exact".into(), test.into()]);
    silent.chain(programs.map(exact)).collect()
}

impl Trial {
    /// Runs what may find it, the nearest first, and before that the test that found it before its program changed. The verdict, and the
    /// digests of the programs on which it rests.
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

    /// What is run in turn. The lockstep of the block has no name where both twins have the fault: it is one fault only if that is silent.
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
    fn test_that_found_a_fault_before_is_asked_first() {
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
    fn what_survived_has_no_test_to_begin_with() {
        assert_eq!(again(Some(&Verdict::Survived), &[]), []);
        assert_eq!(again(None, &[]), []);
    }
}
