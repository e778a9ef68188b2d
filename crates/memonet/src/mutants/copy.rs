//! A copy of the workspace that contains all mutants of a device or a package, inactive, and the recorded
//! verdicts. There is one copy, so that common crates are built once.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use ::mutants::rust;
use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::verdict::Verdict;

/// The copy, locked for this process.
pub struct Copy {
    _lock: File,
    root: PathBuf,
    target: PathBuf,
    results: PathBuf,
    data: [u8; 32],
}

impl Copy {
    /// Updates the copy. `mutated` gives the text of a file with mutants, and `None` for other files.
    /// Unchanged files keep their times, so that Cargo builds only what changed. `name` is that of the mutated
    /// device or package.
    pub fn make(root: &Path, name: &str, mutated: &dyn Fn(&Path) -> Option<String>) -> anyhow::Result<Self> {
        let folder = root.join("target/mutants");
        let lock = lock(&folder)?;
        let copy = folder.join("source");
        let mut digest = Sha256::new();
        let listed = listed(root)?;
        remove_others(&copy, &listed)?;
        for file in &listed {
            let from = root.join(file);
            let bytes = fs::read(&from).with_context(|| from.display().to_string())?;
            let bytes = mutated(file).map_or_else(|| adapted(file, bytes), String::into_bytes);
            if is_data(file) {
                digest.update(&bytes);
            }
            put(&copy.join(file), &bytes)?;
        }
        put(&copy.join(rust::MODULE.0), rust::MODULE.1.as_bytes())?;
        let results = folder.join(name).with_extension("jsonl");
        Ok(Copy {
            _lock: lock,
            root: copy,
            target: root.join("target"),
            results,
            data: digest.finalize().into(),
        })
    }

    /// Root of the copied workspace.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Target folder of the copy.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Replaces a file of the copy.
    pub fn write(&self, file: &Path, text: &str) -> anyhow::Result<()> {
        put(&self.root.join(file), text.as_bytes())
    }

    /// Digest of the files that tests read at run time.
    pub fn data(&self) -> [u8; 32] {
        self.data
    }

    /// Verdicts of earlier runs. `programs` builds the test programs and is called only if there are any
    /// verdicts.
    pub fn earlier_verdicts(
        &self,
        programs: impl FnOnce() -> anyhow::Result<Vec<String>>,
    ) -> anyhow::Result<EarlierVerdicts> {
        let mut earlier = EarlierVerdicts::default();
        let Ok(text) = fs::read_to_string(&self.results) else { return Ok(earlier) };
        let programs = programs()?;
        // The last line is incomplete if a run was killed while writing it.
        for ResultLine(trial, verdict, by) in text.lines().filter_map(|line| serde_json::from_str(line).ok())
        {
            let is_valid = by.iter().all(|by| programs.contains(by));
            let verdicts = if is_valid { &mut earlier.valid } else { &mut earlier.outdated };
            verdicts.insert(trial, verdict);
        }
        Ok(earlier)
    }

    /// Records a verdict and the digests of the programs that it depends on.
    pub fn record(&self, trial: &str, verdict: &Verdict, by: &[String]) -> anyhow::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.results)?;
        Ok(file.write_all(format!("{}\n", serde_json::to_string(&(trial, verdict, by))?).as_bytes())?)
    }
}

/// Verdicts of earlier runs, by trial.
#[derive(Default)]
pub struct EarlierVerdicts {
    /// Verdicts of test programs that are unchanged.
    pub valid: BTreeMap<String, Verdict>,
    /// Verdicts of programs that changed since; the test that detected the mutant is run first.
    pub outdated: BTreeMap<String, Verdict>,
}

/// A line of the results: mutant, verdict, and digests of the programs that the verdict depends on.
#[derive(Deserialize)]
struct ResultLine(String, Verdict, Vec<String>);

/// Tests read the file at run time. Sources are excluded: they are part of the programs.
fn is_data(file: &Path) -> bool {
    let built = ["rs", "sv", "toml", "md", "f"].map(OsStr::new);
    let of_tests = ["crates", "testbench"].iter().any(|folder| file.starts_with(folder));
    let of_mutants = ["crates/memonet", "crates/mutants", "testbench/mutants"];
    of_tests
        && !of_mutants.iter().any(|folder| file.starts_with(folder))
        && !file.extension().is_some_and(|kind| built.contains(&kind))
}

/// Locks the folder until the file is closed.
fn lock(folder: &Path) -> anyhow::Result<File> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let file = File::create(folder.join("lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            bail!("another `memonet mutants` is running in {}; wait until it ends", folder.display())
        }
        Err(TryLockError::Error(error)) => Err(error).context("locking the copy"),
    }
}

/// Files of the workspace, relative to its root: tracked files and new ones that are not ignored.
fn listed(root: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root);
    let output = git.output().context("git cannot be started")?;
    ensure!(output.status.success(), "git: {}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8(output.stdout).context("a file whose name is not UTF-8")?;
    let files = names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from);
    Ok(files.filter(|file| root.join(file).is_file()).collect())
}

/// Version of all crates, in the manifest of the workspace.
const VERSION: &str = concat!("version = \"", env!("CARGO_PKG_VERSION"), "\"");
/// Version of the crates in the copy, which shares the target folder so that third-party crates are built
/// once. Cargo distinguishes crates of two checkouts by name, version and path below the root, so the
/// versions must differ.
const VERSION_OF_COPY: &str = concat!("version = \"", env!("CARGO_PKG_VERSION"), "+mutants\"");

/// The contents of a file without mutants in the copy.
fn adapted(file: &Path, bytes: Vec<u8>) -> Vec<u8> {
    if file == Path::new("Cargo.toml") {
        return String::from_utf8_lossy(&bytes).replacen(VERSION, VERSION_OF_COPY, 1).into_bytes();
    }
    if file == Path::new("crates/hdl/src/lib.rs") {
        return [&bytes[..], b"\npub mod mutated;\n"].concat();
    }
    bytes
}

fn put(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if fs::read(file).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::create_dir_all(file.parent().context("a file has a parent folder")?)?;
    fs::write(file, bytes).with_context(|| file.display().to_string())
}

/// Removes files that no longer exist in the workspace.
fn remove_others(copy: &Path, listed: &BTreeSet<PathBuf>) -> anyhow::Result<()> {
    let mut folders = vec![copy.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry?.path();
            let relative = path.strip_prefix(copy)?;
            if path.is_dir() {
                folders.push(path);
            } else if !listed.contains(relative) && relative != Path::new(rust::MODULE.0) {
                fs::remove_file(&path)?;
            }
        }
    }
    Ok(())
}
