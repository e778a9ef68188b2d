//! Search of programs by their names.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Files that a name may stand for: the name itself if it has a folder, otherwise one in each of the folders.
pub fn candidates(name: &OsStr, folders: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    match name.as_encoded_bytes().contains(&b'/') {
        true => vec![PathBuf::from(name)],
        false => folders.into_iter().map(|folder| folder.join(name)).collect(),
    }
}

/// Whether a file exists and may be run.
pub fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
