//! The test programs of the copy.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::copy::Copy;
use super::program::Program;
use crate::output;

/// A test program by its Cargo names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestProgram {
    /// Package of the program.
    pub package: String,
    /// Name of the integration test; `None` for the tests of the library.
    pub test: Option<String>,
}

/// Test programs, each built when it is first needed.
pub struct Programs<'a> {
    copy: &'a Copy,
    patience: Duration,
    names: Vec<TestProgram>,
    built: Vec<Mutex<Option<Arc<Program>>>>,
}

impl<'a> Programs<'a> {
    /// The test programs with these names. With a mutant each has `patience` more processor time.
    pub fn new(copy: &'a Copy, names: Vec<TestProgram>, patience: Duration) -> Self {
        Programs { copy, patience, built: names.iter().map(|_| Mutex::default()).collect(), names }
    }

    /// Programs by their Cargo names, in the order of their indexes.
    pub fn names(&self) -> &[TestProgram] {
        &self.names
    }

    /// The program at an index. Builds it at the first call; concurrent callers wait.
    pub fn program(&self, place: usize) -> anyhow::Result<Arc<Program>> {
        let mut built = self.built[place].lock().expect("no thread panics");
        if let Some(program) = &*built {
            return Ok(program.clone());
        }
        let TestProgram { package, test } = &self.names[place];
        let progress = machine_api::counter("mutants, building", "programs");
        progress.set_message(format!("mutants, building {} with its faults", package));
        let path = build(self.copy, package, test.as_deref())?;
        let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
        let digest = Sha256::new().chain_update(self.copy.data()).chain_update(bytes).finalize();
        let program = Arc::new(Program::new(path, output::hex(&digest[..8]), self.patience));
        *built = Some(program.clone());
        progress.finish_and_clear();
        Ok(program)
    }

    /// Builds all programs and returns their digests.
    pub fn digests(&self) -> anyhow::Result<Vec<String>> {
        let digest = |place| Ok(self.program(place)?.digest().to_string());
        (0..self.names.len()).map(digest).collect()
    }
}

/// Names of the lockstep tests, except `faults`, which tests deliberate faults.
pub fn benches(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_stem().context("a file has a name")?.to_string_lossy().into_owned();
        if name != "faults" {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn build(copy: &Copy, package: &str, test: Option<&str>) -> anyhow::Result<PathBuf> {
    let target = match test {
        Some(test) => vec!["--test", test],
        None => vec!["--lib"],
    };
    let build = cargo(copy, &[&["test", "--no-run", "--package", package], &target[..]].concat())?;
    if !build.succeeded {
        bail!("{} with its mutants cannot be built:\n{}", package, build.told());
    }
    // Integration tests of a package with programs build these as well.
    let tests = build.messages.iter().filter(|message| message["profile"]["test"] == true);
    let program = tests.filter_map(|message| message["executable"].as_str()).next();
    Ok(program.with_context(|| format!("cargo built no tests of {}", package))?.into())
}

/// The messages of a build in the copy.
pub struct Build {
    pub succeeded: bool,
    pub messages: Vec<Value>,
    stderr: String,
}

impl Build {
    /// The errors of the compiler.
    pub fn errors(&self) -> impl Iterator<Item = &Value> {
        self.messages.iter().map(|message| &message["message"]).filter(|message| message["level"] == "error")
    }

    /// All errors as text.
    pub fn told(&self) -> String {
        let rendered: String = self.errors().filter_map(|error| error["rendered"].as_str()).collect();
        rendered + &self.stderr
    }
}

/// Runs Cargo in the copy. Third-party crates contain no mutants and are already built in the workspace's
/// target folder.
pub fn cargo(copy: &Copy, arguments: &[&str]) -> anyhow::Result<Build> {
    let mut cargo = Command::new("cargo");
    cargo.args(arguments).arg("--message-format=json");
    cargo.current_dir(copy.root()).env("CARGO_TARGET_DIR", copy.target());
    let output = cargo.output().context("cargo cannot be started")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(Build { succeeded: output.status.success(), messages, stderr })
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn lockstep_programs_are_found_without_faults() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let names = benches(&root.join("testbench/cenju3/tests")).unwrap();
        assert_eq!(names, ["device", "link", "memory", "send", "twins"]);
    }
}
