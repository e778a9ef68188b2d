//! Yosys: where the RTL is, what it reads, how it is called.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, bail, ensure};

use crate::machines::Name;

const MISSING: &str = "yosys cannot be started; `ci/install check` installs it";

/// The RTL of a device as Yosys reads it.
#[derive(Clone)]
pub struct Sources {
    /// The folder that holds `rtl`.
    pub root: PathBuf,
    /// The folder of its proofs.
    pub formal: PathBuf,
    /// The folder of modules that all proofs share.
    pub shared: PathBuf,
    /// Packages, each after those it uses.
    pub packages: Vec<PathBuf>,
    /// Modules.
    pub modules: Vec<PathBuf>,
}

/// The workspace that this program was built in.
fn built() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Sources {
    /// The RTL of a machine, or of a block in a folder of its own.
    pub fn of(device: Name, block: Option<&Path>) -> anyhow::Result<Self> {
        match block {
            Some(folder) => Self::own(folder),
            None => Self::find(device),
        }
    }

    /// The RTL of a block in a folder of its own, as `memonet new-block` writes it.
    fn own(folder: &Path) -> anyhow::Result<Self> {
        let root = fs::canonicalize(folder).with_context(|| folder.display().to_string())?;
        let rtl = root.join("rtl");
        let mut modules = Vec::new();
        gather(&rtl, &mut modules)?;
        let mut lists = Vec::new();
        for entry in fs::read_dir(&rtl)? {
            lists.extend(Some(entry?.path().join("packages.f")).filter(|list| list.is_file()));
        }
        ensure!(lists.len() == 1, "{} has {} lists packages.f, not one; `cargo build` there writes it", rtl.display(), lists.len());
        if !rtl.join("common").is_dir() {
            gather(&built().join("rtl/common"), &mut modules)?;
        }
        Self::listed(root.clone(), &lists[0], modules, root.join("formal"))
    }

    /// Finds the RTL in this folder, in one above it, or where this program was built.
    pub fn find(device: Name) -> anyhow::Result<Self> {
        let rtl = format!("rtl/{}", device.folder());
        let list = format!("{rtl}/packages.f");
        let here = env::current_dir().context("no current folder")?;
        let built = built();
        let root = here
            .ancestors()
            .chain([built.as_path()])
            .find(|folder| folder.join(&list).is_file())
            .with_context(|| format!("no {list} here or above; call this in a clone of Memonet"))?;
        let root = fs::canonicalize(root)?;
        let mut modules = Vec::new();
        for folder in ["rtl/common", &rtl] {
            gather(&root.join(folder), &mut modules)?;
        }
        let formal = root.join("testbench/formal").join(device.folder());
        Self::listed(root.clone(), &root.join(list), modules, formal)
    }

    fn listed(root: PathBuf, list: &Path, mut modules: Vec<PathBuf>, formal: PathBuf) -> anyhow::Result<Self> {
        let list = fs::read_to_string(list).with_context(|| list.display().to_string())?;
        let packages = list.lines().filter(|line| !line.is_empty()).map(|line| root.join(line)).collect();
        modules.sort();
        let near = root.join("testbench/formal/common");
        let shared = if near.is_dir() { near } else { built().join("testbench/formal/common") };
        Ok(Self { root, formal, shared, packages, modules })
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

/// Modules in a folder and below it.
fn gather(folder: &Path, modules: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if path.is_dir() {
            gather(&path, modules)?;
        } else if name.ends_with(".sv") && !name.ends_with("_pkg.sv") {
            modules.push(path);
        }
    }
    Ok(())
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
