//! A mutant and the tests that may detect it.

use std::fmt::Display;
use std::path::Path;

use super::program::ActiveMutants;
use super::programs::Programs;
use super::verdict::Verdict;
use crate::interrupt::Interrupt;

/// A mutant to be tested. Verdicts are recorded under its text.
pub trait Trial: Display + Sync {
    /// The number that activates it.
    fn active(&self) -> ActiveMutants;

    /// The runs that may detect it, in order.
    fn runs(&self, programs: &Programs<'_>) -> Vec<TestRun>;

    /// Called with the verdict of a run of the tests.
    fn ended(&self, _verdict: &Verdict) {}
}

/// A run of a test program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestRun {
    /// Index of the program.
    pub place: usize,
    /// Name of the program in reports. `None` if its failure shows that the twins do not have the same fault.
    pub by: Option<String>,
    /// Arguments that select tests.
    pub arguments: Vec<String>,
    /// Arguments of the run whose times limit this one: a run that selects single tests has those of all.
    pub like: Vec<String>,
}

impl TestRun {
    /// A run of the tests that `arguments` select.
    pub fn new(place: usize, by: Option<&str>, arguments: &[String]) -> Self {
        TestRun { place, by: by.map(String::from), arguments: arguments.to_vec(), like: arguments.to_vec() }
    }

    /// A run of only these tests of the same program.
    pub fn exact(&self, tests: impl IntoIterator<Item = String>) -> Self {
        let arguments = ["--exact".to_string()].into_iter().chain(tests).collect();
        TestRun { arguments, ..self.clone() }
    }
}

/// The test that detected a mutant earlier, alone, preceded by the runs that must pass before it.
fn rerun(outdated: Option<&Verdict>, runs: &[TestRun]) -> Vec<TestRun> {
    let Some(Verdict::Found { by, test }) = outdated else { return vec![] };
    let is_by = |run: &&TestRun| run.by.as_ref() == Some(by);
    let Some(at) = runs.iter().position(|run| is_by(&run)) else { return vec![] };
    let silent = runs[..at].iter().filter(|run| run.by.is_none()).cloned();
    // The recorded test may be followed by a description of the program's abnormal end.
    let test = test.split(' ').next().unwrap_or_default();
    // Several programs share a name; those without the test pass.
    let programs = runs[at..].iter().filter(is_by);
    silent.chain(programs.map(|run| run.exact([test.to_string()]))).collect()
}

/// Runs the tests that may detect a mutant, the most specific first, preceded by the one that detected it
/// before its program changed. Returns the verdict and the digests of the programs that it depends on.
pub fn run(
    trial: &impl Trial,
    programs: &Programs<'_>,
    outdated: Option<&Verdict>,
    root: &Path,
    interrupt: &Interrupt,
) -> anyhow::Result<(Verdict, Vec<String>)> {
    let runs = trial.runs(programs);
    for TestRun { place, by, arguments, like } in rerun(outdated, &runs).into_iter().chain(runs) {
        let program = programs.program(place)?;
        let Some(test) = program.fails(trial.active(), &arguments, &like, root, interrupt)? else { continue };
        let verdict = by.map_or(Verdict::NoTwin, |by| Verdict::Found { by, test });
        return Ok((verdict, vec![program.digest().to_string()]));
    }
    Ok((Verdict::Survived, programs.digests()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_that_detected_a_mutant_before_runs_first() {
        let run = |place, name, argument: &str| TestRun::new(place, name, &[argument.to_string()]);
        let runs =
            [run(0, Some("unit tests"), "botf::"), run(1, None, "matches"), run(1, Some("testbench"), "-")];
        let rerun =
            |by: &str, test: &str| rerun(Some(&Verdict::Found { by: by.into(), test: test.into() }), &runs);
        let exact = |run: &TestRun, test: &str| run.exact([test.to_string()]);
        assert_eq!(rerun("unit tests", "a::b"), [exact(&runs[0], "a::b")]);
        assert_eq!(rerun("testbench", "c takes too long"), [runs[1].clone(), exact(&runs[2], "c")]);
        assert_eq!(rerun("a program that was", "d"), []);
    }

    #[test]
    fn survivors_have_no_test_to_run_first() {
        assert_eq!(rerun(Some(&Verdict::Survived), &[]), []);
        assert_eq!(rerun(None, &[]), []);
    }
}
