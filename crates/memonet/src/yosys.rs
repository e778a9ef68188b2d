//! Yosys: where the RTL is, what it reads, how it is called.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, bail};

use crate::machines::Name;

const MISSING: &str = "yosys cannot be started; `ci/install check` installs it";

/// The RTL of a device as Yosys reads it.
#[derive(Clone)]
pub struct Sources {
    /// The device.
    pub device: Name,
    /// The folder that holds `rtl`.
    pub root: PathBuf,
    /// Packages, each after those it uses.
    pub packages: Vec<PathBuf>,
    /// Modules.
    pub modules: Vec<PathBuf>,
}

impl Sources {
    /// Finds the RTL in this folder, in one above it, or where this program was built.
    pub fn find(device: Name) -> anyhow::Result<Self> {
        let list = format!("rtl/{}/files.f", device.folder());
        let here = env::current_dir().context("no current folder")?;
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = here
            .ancestors()
            .chain([built.as_path()])
            .find(|folder| folder.join(&list).is_file())
            .with_context(|| format!("no {list} here or above; call this in a clone of Memonet"))?;
        let root = fs::canonicalize(root)?;
        let list = fs::read_to_string(root.join(list))?;
        let files = list.lines().map(|line| root.join(line));
        let (packages, modules) = files.partition(|file| file.to_string_lossy().ends_with("_pkg.sv"));
        Ok(Self { device, root, packages, modules })
    }

    /// The commands that read the packages and, when something uses them, these modules.
    pub fn read(&self, modules: &[PathBuf]) -> String {
        format!(
            "read_verilog -sv {}; read_verilog -defer -formal -sv {}",
            list(&self.packages),
            list(modules)
        )
    }
}

fn list(paths: &[PathBuf]) -> String {
    let quoted: Vec<_> = paths.iter().map(|path| format!("\"{}\"", path.display())).collect();
    quoted.join(" ")
}

/// Runs Yosys on a script and returns what it printed.
pub fn run(script: &str) -> anyhow::Result<String> {
    let output = Command::new("yosys").args(["-q", "-p", script]).output().context(MISSING)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        match said.lines().find(|line| line.contains("ERROR")) {
            Some(error) => bail!("yosys: {error}"),
            None => bail!("yosys gave no reason: {}", output.status),
        }
    }
    Ok(text)
}

/// What Yosys calls itself.
pub fn version() -> anyhow::Result<String> {
    let output = Command::new("yosys").arg("-V").output().context(MISSING)?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}
