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

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};

    use super::*;

    #[test]
    fn file_that_anybody_may_run_is_executable() {
        let folder = std::env::temp_dir().join(format!("memonet-search-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let file = folder.join("program");
        assert!(!is_executable(&file) && !is_executable(&folder));
        fs::write(&file, "").unwrap();
        for (mode, expected) in [(0o644, false), (0o100, true), (0o010, true), (0o001, true), (0o755, true)] {
            fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            assert_eq!(is_executable(&file), expected, "mode {mode:o}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn name_with_a_folder_is_not_looked_for() {
        let folders = || ["/a", "b"].map(PathBuf::from);
        assert_eq!(candidates(OsStr::new("x"), folders()), ["/a/x", "b/x"].map(PathBuf::from));
        assert_eq!(candidates(OsStr::new("./x"), folders()), [PathBuf::from("./x")]);
    }
}
