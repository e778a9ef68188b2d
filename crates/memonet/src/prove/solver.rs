//! The SMT solver, called through yosys-smtbmc.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::yosys;

/// Cycles from reset that are checked exhaustively; at least those of the induction.
const BASE_CYCLES: u32 = 8;
/// Depth of the induction in cycles.
const INDUCTION_CYCLES: u32 = 3;
/// Cycles from reset within which a mutation must be refuted.
pub const MUTATION_CYCLES: u32 = 24;

/// An SMT solver that yosys-smtbmc can call.
pub struct Solver {
    pub name: &'static str,
    /// Search path for programs, with the solver's folder first.
    path: OsString,
}

impl Solver {
    /// Finds yices or z3 in the folder of `ci/install prove`, in this repository or that of this program, or
    /// in the search path.
    pub fn find(root: &Path) -> anyhow::Result<Self> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders: Vec<_> = [root, &yosys::built()]
            .map(|root| root.join("target/prove/bin"))
            .into_iter()
            .chain(env::split_paths(&path))
            .collect();
        for (name, program) in [("yices", "yices-smt2"), ("z3", "z3")] {
            if folders.iter().any(|folder| folder.join(program).is_file()) {
                return Ok(Self { name, path: env::join_paths(folders)? });
            }
        }
        bail!("neither yices nor z3 is installed; `ci/install prove` installs one")
    }

    /// Proves a problem from reset and by induction; returns the failed assertions.
    pub fn prove(&self, file: &Path) -> anyhow::Result<Vec<String>> {
        let mut failures = self.check(file, BASE_CYCLES, false)?.unwrap_or_default();
        failures.extend(self.check(file, INDUCTION_CYCLES, true)?.unwrap_or_default());
        Ok(failures)
    }

    /// Checks a problem; returns the failed assertions, or `None` if it holds.
    pub fn check(&self, file: &Path, cycles: u32, induction: bool) -> anyhow::Result<Option<Vec<String>>> {
        let trace = file.with_extension(if induction { "induction.vcd" } else { "vcd" });
        let mut command = Command::new("yosys-smtbmc");
        command.env("PATH", &self.path).args(["-s", self.name, "-t", &cycles.to_string(), "--dump-vcd"]);
        command.arg(trace);
        if induction {
            command.arg("-i");
        }
        let output =
            command.arg(file).output().context("yosys-smtbmc, a part of Yosys, cannot be started")?;
        let text = String::from_utf8_lossy(&output.stdout);
        if text.contains("Status: PASSED") {
            return Ok(None);
        }
        ensure!(
            text.contains("Status: FAILED"),
            "yosys-smtbmc: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let kind = if induction { "induction" } else { "from reset" };
        let failed = text.lines().filter_map(|line| line.split("Assert failed in ").nth(1));
        Ok(Some(failed.map(|line| format!("{kind}: {line}")).collect()))
    }
}
