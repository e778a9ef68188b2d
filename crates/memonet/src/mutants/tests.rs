//! The test programs of the copy.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use anyhow::{Context, bail};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::copy::Copy;
use super::program::Program;
use crate::machines::{Judge, Name};
use crate::output;

/// Test programs, each built when it is first needed.
pub struct Tests<'a> {
    copy: &'a Copy,
    /// Programs that know the expected behaviour, the fastest first.
    judges: Vec<Judge>,
    /// Package and test name of each program; no name for the unit tests of the library. The judges precede
    /// the lockstep tests of the device.
    names: Vec<(String, Option<String>)>,
    built: Vec<Mutex<Option<Arc<Program>>>>,
}

impl<'a> Tests<'a> {
    /// The test programs of a device.
    pub fn new(copy: &'a Copy, machine: Name) -> anyhow::Result<Self> {
        let (device, judges) = (machine.folder(), machine.judges().collect::<Vec<_>>());
        let benches = benches(&copy.root().join("testbench").join(device).join("tests"))?;
        let judged = judges.iter().map(|judge| (judge.package.to_string(), judge.test.map(String::from)));
        let benches = benches.into_iter().map(|test| (format!("testbench_{device}"), Some(test)));
        let names: Vec<_> = judged.chain(benches).collect();
        Ok(Tests { copy, judges, built: names.iter().map(|_| Mutex::default()).collect(), names })
    }

    /// Programs that know the expected behaviour.
    pub fn judges(&self) -> &[Judge] {
        &self.judges
    }

    /// Indices of the lockstep tests, which follow the judges.
    pub fn benches(&self) -> Range<usize> {
        self.judges.len()..self.names.len()
    }

    /// The program at an index. Builds it at the first call; concurrent callers wait.
    pub fn program(&self, place: usize) -> anyhow::Result<Arc<Program>> {
        let mut built = self.built[place].lock().expect("no thread panics");
        if let Some(program) = &*built {
            return Ok(program.clone());
        }
        let (package, test) = &self.names[place];
        let progress = machine_api::counter("mutants, building", "programs");
        progress.set_message(format!("mutants, building {} with its faults", package));
        let path = build(self.copy, package, test.as_deref())?;
        let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
        let digest = Sha256::new().chain_update(self.copy.data()).chain_update(bytes).finalize();
        let program = Arc::new(Program::new(path, output::hex(&digest[..8])));
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
fn benches(folder: &Path) -> anyhow::Result<Vec<String>> {
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
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--no-run", "--message-format=json", "--package", package]);
    match test {
        Some(test) => cargo.args(["--test", test]),
        None => cargo.arg("--lib"),
    };
    // Third-party crates contain no mutants and are already built in the workspace's target folder.
    cargo.current_dir(copy.root()).env("CARGO_TARGET_DIR", copy.target());
    let output = cargo.output().context("cargo cannot be started")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let messages: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if !output.status.success() {
        let errors = messages.iter().filter(|message| message["message"]["level"] == "error");
        let told: String = errors.filter_map(|error| error["message"]["rendered"].as_str()).collect();
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("{} with its mutants cannot be built:\n{told}{stderr}", package);
    }
    let program = messages.iter().find_map(|message| message["executable"].as_str());
    Ok(program.with_context(|| format!("cargo built no tests of {}", package))?.into())
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
