//! The test programs of the copy, each built when it is first asked for.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context, bail};
use lab::Judge;
use serde_json::Value;

use super::copy::Copy;

/// Programs.
pub struct Tests<'a> {
    copy: &'a Copy,
    /// The lockstep tests of the device.
    bench: Judge,
    /// What was built, by package and test.
    built: Mutex<BTreeMap<(&'static str, Option<&'static str>), PathBuf>>,
}

impl<'a> Tests<'a> {
    /// Those of the copy of a device.
    pub fn new(copy: &'a Copy, device: &'static str) -> Self {
        let bench = Judge { package: "testbench", test: Some(device), only: &[] };
        Tests { copy, bench, built: Mutex::default() }
    }

    /// The program of a judge.
    pub fn program(&self, judge: &Judge) -> anyhow::Result<PathBuf> {
        // Who comes second waits for what the first one builds.
        let mut built = self.built.lock().expect("no thread panics");
        let key = (judge.package, judge.test);
        if let Some(program) = built.get(&key) {
            return Ok(program.clone());
        }
        let program = self.build(judge)?;
        built.insert(key, program.clone());
        Ok(program)
    }

    /// The program of the lockstep tests.
    pub fn bench(&self) -> anyhow::Result<PathBuf> {
        self.program(&self.bench)
    }

    fn build(&self, judge: &Judge) -> anyhow::Result<PathBuf> {
        let progress = lab::counter("mutants, building", "programs");
        progress.set_message(format!("mutants, building {} with its faults", judge.package));
        let mut cargo = Command::new("cargo");
        cargo.args(["test", "--no-run", "--message-format=json", "--package", judge.package]);
        match judge.test {
            Some(test) => cargo.args(["--test", test]),
            None => cargo.arg("--lib"),
        };
        // What has no faults in it, the crates of others, was built with the workspace.
        cargo.current_dir(self.copy.root()).env("CARGO_TARGET_DIR", self.copy.target());
        let output = cargo.output().context("cargo cannot be started")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let messages: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if !output.status.success() {
            let errors = messages.iter().filter(|message| message["message"]["level"] == "error");
            let told: String = errors.filter_map(|error| error["message"]["rendered"].as_str()).collect();
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("{} with its faults cannot be built:\n{told}{said}", judge.package);
        }
        progress.finish_and_clear();
        let program = messages.iter().find_map(|message| message["executable"].as_str());
        Ok(program.with_context(|| format!("cargo built no tests of {}", judge.package))?.into())
    }
}
