//! Files, read with a bound.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The longest CSV file that is read: 64 MB, room for the most messages of a schedule.
pub const MOST_CSV_BYTES: u64 = 64 << 20;
/// The longest TOML file that is read: 16 MB. Its parser takes up to 80 times as much memory.
pub const MOST_TOML_BYTES: u64 = 16 << 20;

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is not there, or may not be read.
    #[error("{}: it cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// A folder, a pipe or a device: who reads one may wait for ever.
    #[error("{}: this is no regular file; give the name of one", path.display())]
    NotRegular {
        /// The file.
        path: PathBuf,
    },
    /// It is too long.
    #[error("{}: it is longer than {} MB, the most of its kind; write it shorter", path.display(), most >> 20)]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The most bytes.
        most: u64,
    },
    /// There is nothing in it.
    #[error("{}: the file is empty", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// It is not text.
    #[error("{}, line {line}: this is not UTF-8 text", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
}

/// Reads a text file of at most so many bytes. Its length is looked at before it is read, and again while it is.
pub(crate) fn read(path: &Path, most: u64) -> Result<String, FileError> {
    let path = || path.to_owned();
    let unreadable = |error| FileError::Unreadable { path: path(), error };
    let metadata = fs::metadata(path()).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(FileError::NotRegular { path: path() });
    }
    if metadata.len() > most {
        return Err(FileError::TooLong { path: path(), most });
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    let file = File::open(path()).map_err(unreadable)?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > most {
        return Err(FileError::TooLong { path: path(), most });
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        FileError::NotText { path: path(), line: 1 + good.iter().filter(|byte| **byte == b'\n').count() }
    })?;
    // Some editors begin a file with a mark that is no part of its text.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    if text.trim().is_empty() {
        return Err(FileError::Empty { path: path() });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_that_cannot_be_taken_is_refused_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("load.toml");
        let refused = || {
            read(&path, MOST_CSV_BYTES).unwrap_err().to_string().replace(path.to_str().unwrap(), "load.toml")
        };
        assert!(refused().starts_with("load.toml: it cannot be read: No such file"), "{}", refused());
        fs::write(&path, " \n").unwrap();
        assert_eq!(refused(), "load.toml: the file is empty");
        fs::write(&path, b"good\nb\xffd\n").unwrap();
        assert_eq!(refused(), "load.toml, line 2: this is not UTF-8 text");
        File::create(&path).unwrap().set_len(1 << 30).unwrap();
        assert_eq!(refused(), "load.toml: it is longer than 64 MB, the most of its kind; write it shorter");
        assert!(matches!(read(folder.path(), 1), Err(FileError::NotRegular { .. })));
        assert!(matches!(read(Path::new("/dev/zero"), 1), Err(FileError::NotRegular { .. })));
    }
}
