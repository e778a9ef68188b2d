//! Whether there is a program to run, before anything is set up for it.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::usage;

/// An error if a shell would not find this program.
pub fn check(name: &OsStr) -> anyhow::Result<()> {
    let found = if name.as_encoded_bytes().contains(&b'/') {
        vec![PathBuf::from(name)]
    } else {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&paths).map(|folder| folder.join(name)).collect()
    };
    if found.iter().any(|file| can_run(file)) {
        return Ok(());
    }
    let reason = match found.as_slice() {
        [file] if file.is_dir() => "it is a folder",
        [file] if file.exists() => "it is not executable",
        [_] => "there is no such file",
        _ => "it is in no folder of PATH",
    };
    Err(usage::invalid("<PROGRAM>...", name.to_string_lossy(), reason))
}

fn can_run(file: &Path) -> bool {
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
