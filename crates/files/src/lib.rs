//! Files: read with a bound, written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

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
pub fn read(path: &Path, most: u64) -> Result<String, FileError> {
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

/// A file that grows under another name beside its own, and gets its name when it is [kept](Growing::keep). It goes away if it is
/// not. What is no regular file, such as a pipe or `/dev/stdout`, is written as it is.
#[derive(Debug)]
pub struct Growing {
    /// Where it grows, and what it becomes.
    names: Option<(PathBuf, PathBuf)>,
}

impl Growing {
    /// Begins a file that will have this name, and replace what has it now.
    pub fn create(path: &Path) -> io::Result<(File, Growing)> {
        // The file behind a link is replaced, not the link.
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

    /// The file is whole: it has its name from now on.
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
            // There is nobody left to tell that it stays.
            let _ = fs::remove_file(growing);
        }
    }
}

/// A file to write to, which appears under its name when all of it is written, and not at all if that fails.
#[derive(Debug)]
pub struct WholeFile {
    writer: BufWriter<File>,
    growing: Growing,
}

impl WholeFile {
    /// Begins a file that will have this name, and replace what has it now.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let (file, growing) = Growing::create(path)?;
        Ok(WholeFile { writer: BufWriter::new(file), growing })
    }

    /// Ends the file: it has its name from now on.
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

/// A new file with a name that nothing has, in the folder of `path`.
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

/// Writes a file, whole or not at all.
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
    fn file_behind_a_link_is_replaced_and_a_device_is_written_as_it_is() {
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
    fn file_that_cannot_be_taken_is_refused_with_its_name() {
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
