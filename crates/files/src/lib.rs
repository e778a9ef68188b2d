//! Files: bounded reads and atomic writes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Reason why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file is missing or unreadable.
    #[error("{}: it cannot be read: {error}", path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
    /// A folder, pipe or device, which could block the reader forever.
    #[error("{}: this is no regular file; give the name of one", path.display())]
    NotRegular {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file exceeds the limit.
    #[error("{}: it is longer than {} MB, the most of its kind; write it shorter", path.display(), most >> 20)]
    TooLong {
        /// Path of the file.
        path: PathBuf,
        /// Limit in bytes.
        most: u64,
    },
    /// The file is empty or blank.
    #[error("{}: the file is empty", path.display())]
    Empty {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file is not UTF-8.
    #[error("{}, line {line}: this is not UTF-8 text", path.display())]
    NotText {
        /// Path of the file.
        path: PathBuf,
        /// Line number of the first invalid byte, from 1.
        line: usize,
    },
}

/// Reads a file of at most `most` bytes. The length is checked before and while it is read.
pub fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
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
    Ok(bytes)
}

/// Reads a text file, with the limit of [`read_bytes`].
pub fn read(path: &Path, most: u64) -> Result<String, FileError> {
    let bytes = read_bytes(path, most)?;
    let path = || path.to_owned();
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        FileError::NotText { path: path(), line: 1 + good.iter().filter(|byte| **byte == b'\n').count() }
    })?;
    // Some editors begin a file with a byte order mark, which is not part of the text.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    if text.trim().is_empty() {
        return Err(FileError::Empty { path: path() });
    }
    Ok(text)
}

/// A file written under a temporary name in its folder and renamed when it is [kept](Growing::keep);
/// otherwise it is removed. Files that are not regular, such as a pipe or `/dev/stdout`, are written
/// directly.
#[derive(Debug)]
pub struct Growing {
    /// Temporary and final path; `None` for a file written directly.
    names: Option<(PathBuf, PathBuf)>,
}

impl Growing {
    /// Begins a file that will replace the one at this path.
    pub fn create(path: &Path) -> io::Result<(File, Growing)> {
        // Replaces the target of a symbolic link, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&path).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = OpenOptions::new().write(true).open(&path)?;
            return Ok((file, Growing { names: None }));
        }
        let (growing, file) = beside(&path)?;
        let whole = Growing { names: Some((growing, path)) };
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        Ok((file, whole))
    }

    /// Renames the complete file to its final path.
    pub fn keep(mut self) -> io::Result<()> {
        if let Some((growing, path)) = &self.names {
            fs::rename(growing, path)?;
            self.names = None;
        }
        Ok(())
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        if let Some((growing, _)) = &self.names {
            // Errors cannot be reported here.
            let _ = fs::remove_file(growing);
        }
    }
}

/// A buffered file that appears at its path only when it is completely written.
#[derive(Debug)]
pub struct WholeFile {
    writer: BufWriter<File>,
    growing: Growing,
}

impl WholeFile {
    /// Begins a file that will replace the one at this path.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let (file, growing) = Growing::create(path)?;
        Ok(WholeFile { writer: BufWriter::new(file), growing })
    }

    /// Completes the file and renames it to its final path.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        if self.growing.names.is_some() {
            self.writer.get_ref().sync_all()?;
        }
        self.growing.keep()
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Creates a file with an unused name in the folder of `path`.
fn beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or_else(|| io::Error::other("this is not the name of a file"))?;
    let mut number = 0;
    loop {
        let mut growing = std::ffi::OsString::from(".");
        growing.push(name);
        growing.push(format!(".{}-{number}.part", std::process::id()));
        let growing = path.with_file_name(growing);
        match OpenOptions::new().read(true).write(true).create_new(true).open(&growing) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            file => return Ok((growing, file?)),
        }
    }
}

/// Writes a file atomically.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn file_appears_when_it_is_whole_and_replaces_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        write_whole(&path, b"old").unwrap();
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["rows.csv"]);
    }

    #[test]
    fn file_that_is_not_finished_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"half of it").unwrap();
        assert_eq!(names(folder.path()).len(), 1);
        drop(file);
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }

    #[test]
    #[cfg(unix)]
    fn link_targets_are_replaced_and_devices_written_directly() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("rows.csv"), folder.path().join("link"));
        write_whole(&path, b"old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        write_whole(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn unusable_files_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("load.toml");
        let refused =
            || read(&path, 64 << 20).unwrap_err().to_string().replace(path.to_str().unwrap(), "load.toml");
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
