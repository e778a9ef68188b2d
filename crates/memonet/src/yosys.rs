//! Yosys: locates the RTL, builds scripts and runs them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, bail, ensure};
use sha2::{Digest, Sha256};

use crate::machines::Name;

const MISSING: &str = "yosys cannot be started; `ci/install check` installs it";

/// The RTL of a device as Yosys reads it.
#[derive(Clone)]
pub struct Sources {
    /// The folder that holds `rtl`.
    pub root: PathBuf,
    /// The folder of the device's proofs.
    pub formal: PathBuf,
    /// The folder of modules that all proofs share.
    pub shared: PathBuf,
    /// Packages, each after those it uses.
    pub packages: Vec<PathBuf>,
    /// Files of modules.
    pub modules: Vec<PathBuf>,
}

/// The workspace that this program was built in.
pub fn built() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Sources {
    /// The RTL of a machine, or of a block in a folder of its own.
    pub fn of(device: Name, block: Option<&Path>) -> anyhow::Result<Self> {
        match block {
            Some(folder) => Self::of_block(folder),
            None => Self::find(device),
        }
    }

    /// The RTL of a block in a folder of its own, as `memonet new-block` writes it.
    fn of_block(folder: &Path) -> anyhow::Result<Self> {
        let root = fs::canonicalize(folder).with_context(|| folder.display().to_string())?;
        let entries =
            fs::read_dir(root.join("rtl")).with_context(|| root.join("rtl").display().to_string())?;
        let lists: Vec<_> = entries
            .filter_map(|entry| Some(entry.ok()?.path().join("generated/files.f")))
            .filter(|list| list.is_file())
            .collect();
        let [list] = &lists[..] else {
            bail!(
                "{} lists of files below {}/rtl, not one; `cargo build` there writes it",
                lists.len(),
                root.display()
            )
        };
        let mut sources =
            Self::listed(root.clone(), list, root.join("formal"), built().join("testbench/formal/common"))?;
        check_current(&root, &list.with_file_name("tables.sha256"))?;
        if !root.join("rtl/common").is_dir() {
            let common = fs::read_dir(built().join("rtl/common"))?;
            sources.modules.extend(common.filter_map(|entry| Some(entry.ok()?.path())));
            sources.modules.sort();
        }
        Ok(sources)
    }

    /// Files of modules below [`root`](Self::root): without those of Memonet that a block can use.
    pub fn own_modules(&self) -> impl Iterator<Item = &PathBuf> {
        self.modules.iter().filter(|module| module.starts_with(&self.root))
    }

    /// Reads a list of files; names that end with `_pkg.sv` are packages.
    fn listed(root: PathBuf, list: &Path, formal: PathBuf, shared: PathBuf) -> anyhow::Result<Self> {
        let list = fs::read_to_string(list).with_context(|| list.display().to_string())?;
        let files = list.lines().map(|line| root.join(line));
        let (packages, modules) = files.partition(|file| file.to_string_lossy().ends_with("_pkg.sv"));
        Ok(Self { root, formal, shared, packages, modules })
    }

    /// Finds the RTL in the current folder, in a folder above it, or where this program was built.
    pub fn find(device: Name) -> anyhow::Result<Self> {
        let list = format!("rtl/{}/generated/files.f", device.folder());
        let here = env::current_dir().context("no current folder")?;
        let built = built();
        let root = here
            .ancestors()
            .chain([built.as_path()])
            .find(|folder| folder.join(&list).is_file())
            .with_context(|| format!("no {list} here or above; call this in a clone of Memonet"))?;
        let root = fs::canonicalize(root)?;
        let formal = root.join("testbench/formal");
        let (device, shared) = (formal.join(device.folder()), formal.join("common"));
        Self::listed(root.clone(), &root.join(list), device, shared)
    }

    /// Yosys commands that read the packages, and these modules when they are used, with assertions for a
    /// proof.
    pub fn read(&self, modules: &[PathBuf]) -> String {
        self.reading("-defer -formal", modules)
    }

    /// The same without assertions, for synthesis.
    pub fn read_hardware(&self, modules: &[PathBuf]) -> String {
        self.reading("-defer", modules)
    }

    fn reading(&self, how: &str, modules: &[PathBuf]) -> String {
        format!("read_verilog -sv {}; read_verilog {how} -sv {}", list(&self.packages), list(modules))
    }
}

/// An error if a package is older than its table: the digests of the Rust sources, written with the packages, differ
/// from the sources. A block without digests is not checked.
fn check_current(root: &Path, digests: &Path) -> anyhow::Result<()> {
    let Ok(digests) = fs::read_to_string(digests) else { return Ok(()) };
    for (digest, source) in digests.lines().filter_map(|line| line.split_once("  ")) {
        let text = fs::read(root.join(source)).with_context(|| root.join(source).display().to_string())?;
        let now: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        ensure!(
            now == digest,
            "the package of {} is older than the tables in {source}: `cargo build` there writes it again",
            root.display()
        );
    }
    Ok(())
}

fn list(paths: &[PathBuf]) -> String {
    let quoted: Vec<_> = paths.iter().map(|path| format!("\"{}\"", path.display())).collect();
    quoted.join(" ")
}

/// Runs a script and returns its output.
pub fn run(script: &str) -> anyhow::Result<String> {
    let output = Command::new("yosys").args(["-q", "-p", script]).output().context(MISSING)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        match stderr.lines().find(|line| line.contains("ERROR")) {
            Some(error) => bail!("yosys: {error}"),
            None => bail!("yosys gave no reason: {}", output.status),
        }
    }
    Ok(text)
}

/// Yosys's version as it prints it.
pub fn version() -> anyhow::Result<String> {
    let output = Command::new("yosys").arg("-V").output().context(MISSING)?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}
