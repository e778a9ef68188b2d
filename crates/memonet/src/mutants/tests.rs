//! The test programs of the copy.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

use anyhow::{Context, bail};
use lab::Judge;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::copy::Copy;
use super::program::Program;
use crate::output;

/// Programs that judge faults, each built when it is first asked for.
pub struct Tests<'a> {
    copy: &'a Copy,
    /// Those that know what the device should do, the nearest first, and then the lockstep tests of the device.
    judges: Vec<Judge>,
    built: Vec<Mutex<Option<Arc<Program>>>>,
}

impl<'a> Tests<'a> {
    /// Those of the copy of a device.
    pub fn new(copy: &'a Copy, device: &'static str, judges: &[Judge]) -> Self {
        let bench = Judge { package: "testbench", test: Some(device), only: &[] };
        let judges: Vec<_> = judges.iter().copied().chain([bench]).collect();
        Tests { copy, built: judges.iter().map(|_| Mutex::default()).collect(), judges }
    }

    /// Those that know what the device should do.
    pub fn judges(&self) -> &[Judge] {
        &self.judges[..self.bench()]
    }

    /// The place of the lockstep tests, behind the judges.
    pub fn bench(&self) -> usize {
        self.judges.len() - 1
    }

    /// The program at a place. Who comes second waits for what the first one builds.
    pub fn program(&self, place: usize) -> anyhow::Result<Arc<Program>> {
        let mut built = self.built[place].lock().expect("no thread panics");
        if let Some(program) = &*built {
            return Ok(program.clone());
        }
        let judge = &self.judges[place];
        let progress = lab::counter("mutants, building", "programs");
        progress.set_message(format!("mutants, building {} with its faults", judge.package));
        let path = build(self.copy, judge)?;
        let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
        let digest = Sha256::new().chain_update(self.copy.data()).chain_update(bytes).finalize();
        let program = Arc::new(Program::new(path, output::hex(&digest[..8])));
        *built = Some(program.clone());
        progress.finish_and_clear();
        Ok(program)
    }

    /// All programs, built, by what they were built from.
    pub fn digests(&self) -> anyhow::Result<Vec<String>> {
        let digest = |place| Ok(self.program(place)?.digest().to_string());
        (0..self.judges.len()).map(digest).collect()
    }
}

fn build(copy: &Copy, judge: &Judge) -> anyhow::Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--no-run", "--message-format=json", "--package", judge.package]);
    match judge.test {
        Some(test) => cargo.args(["--test", test]),
        None => cargo.arg("--lib"),
    };
    // What has no faults in it, the crates of others, was built with the workspace.
    cargo.current_dir(copy.root()).env("CARGO_TARGET_DIR", copy.target());
    let output = cargo.output().context("cargo cannot be started")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let messages: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if !output.status.success() {
        let errors = messages.iter().filter(|message| message["message"]["level"] == "error");
        let told: String = errors.filter_map(|error| error["message"]["rendered"].as_str()).collect();
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{} with its faults cannot be built:\n{told}{said}", judge.package);
    }
    let program = messages.iter().find_map(|message| message["executable"].as_str());
    Ok(program.with_context(|| format!("cargo built no tests of {}", judge.package))?.into())
}
