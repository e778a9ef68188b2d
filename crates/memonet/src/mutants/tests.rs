//! The test programs of the copy.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail};
use lab::Judge;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::copy::Copy;
use super::program::Program;

/// Programs that judge faults.
pub struct Tests {
    /// Those that know what the device should do, the nearest first.
    pub judges: Vec<(Judge, Program)>,
    /// The lockstep tests of the device.
    pub bench: Program,
}

impl Tests {
    /// Builds those of the copy of a device.
    pub fn build(copy: &Copy, device: &'static str, judges: &[Judge]) -> anyhow::Result<Self> {
        let bench = Judge { package: "testbench", test: Some(device), only: &[] };
        let progress = lab::progress("mutants, building", 1 + judges.len() as u64, "programs");
        let program = |judge: &Judge| {
            progress.set_message(format!("mutants, building {} with its faults", judge.package));
            let path = build(copy, judge)?;
            let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
            let digest = Sha256::new().chain_update(copy.data()).chain_update(bytes).finalize();
            progress.inc(1);
            anyhow::Ok(Program::new(path, digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()))
        };
        let judges = judges.iter().map(|judge| anyhow::Ok((*judge, program(judge)?)));
        let tests = Tests { judges: judges.collect::<anyhow::Result<_>>()?, bench: program(&bench)? };
        progress.finish_and_clear();
        Ok(tests)
    }

    /// All programs by what they were built from.
    pub fn digests(&self) -> Vec<&str> {
        self.judges.iter().map(|(_, program)| program).chain([&self.bench]).map(Program::digest).collect()
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
