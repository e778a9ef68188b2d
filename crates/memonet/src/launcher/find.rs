//! Finding programs, and the libraries that are loaded into them.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use processes::{candidates, is_executable};

use crate::usage;

/// Folders of libraries, relative to that of this program: next to it, of a build, of an installation.
const FOLDERS: [&str; 3] = [".", "deps", "../lib/memonet"];

/// Path of the library with any of these names, which `package` builds.
pub fn find_library(names: &[&str], package: &str) -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe().context("looking for the folder of this program")?;
    let own = program.parent().unwrap_or(Path::new("/"));
    let files = FOLDERS.iter().flat_map(|folder| names.iter().map(move |name| own.join(folder).join(name)));
    // Builds and tests leave one library each; the later one is that of the sources.
    let built = |file: &PathBuf| file.metadata().and_then(|data| data.modified()).ok();
    let Some(file) = files.filter(|file| file.is_file()).max_by_key(built) else {
        bail!(
            "there is no {} next to {} or in ../lib/memonet: type `cargo build --release -p {package}` in the sources, or `make install \
             PREFIX=/usr/local`",
            names[0],
            program.display(),
        );
    };
    file.canonicalize().context("looking for the library")
}

/// Path of the program that a shell would run under this name. The error names the argument; it also refuses programs
/// for another processor, which the operating system would pass to a shell.
pub fn find_program(argument: &str, name: &OsStr) -> anyhow::Result<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let candidates = candidates(name, std::env::split_paths(&paths));
    if let Some(file) = candidates.iter().find(|file| is_executable(file)) {
        return match is_foreign(file) {
            true => Err(usage::invalid(
                argument,
                name.to_string_lossy(),
                "it is for another processor than this one",
            )),
            false => Ok(file.clone()),
        };
    }
    let reason = match candidates.as_slice() {
        _ if name.as_encoded_bytes().starts_with(b"-") => "there is no such option, and no such program",
        [file] if file.is_dir() => "it is a folder",
        [file] if file.exists() => "it is not executable",
        [_] => "there is no such file",
        _ => "it is in no folder of PATH",
    };
    Err(usage::invalid(argument, name.to_string_lossy(), reason))
}

/// Whether a file is an ELF program for another processor.
fn is_foreign(file: &Path) -> bool {
    let own = processor(Path::new("/proc/self/exe"));
    processor(file).is_some_and(|other| own.is_some_and(|own| own != other))
}

/// Word width, byte order and machine of an ELF file (System V ABI, figure 4-3).
fn processor(file: &Path) -> Option<[u8; 4]> {
    let mut head = [0; 20];
    File::open(file).ok()?.read_exact(&mut head).ok()?;
    head.starts_with(b"\x7fELF").then(|| [head[4], head[5], head[18], head[19]])
}
