//! Shared file pointers (MPI 5.0, section 14.4.4).

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::PathBuf;

use processes::mpi::RUN_VARIABLE;

/// A shared file pointer, in etypes: a small file in the folder for temporary files, which loses its name when
/// all ranks have opened it.
///
/// Only one rank runs at a time, so its accesses need no lock.
#[derive(Debug)]
pub struct SharedPointer(File);

impl SharedPointer {
    /// Creates the pointer of an open file, in the first rank.
    pub fn create(name: &SharedPointerName, offset: i64, of: &File) -> io::Result<Self> {
        // A run of the same number that was killed may have left one.
        let _ = fs::remove_file(&name.0);
        let mut options = OpenOptions::new();
        let pointer = options.read(true).write(true).create_new(true).mode(0o600).open(&name.0)?;
        let pointer = SharedPointer(pointer);
        pointer.set(offset)?;
        for (index, word) in identity(of)?.into_iter().enumerate() {
            pointer.0.write_all_at(&word.to_ne_bytes(), 8 * (index as u64 + 1))?;
        }
        Ok(pointer)
    }

    /// Opens the pointer that the first rank has created.
    pub fn open(name: &SharedPointerName) -> io::Result<Self> {
        OpenOptions::new().read(true).write(true).open(&name.0).map(SharedPointer)
    }

    /// Whether this rank has opened the same file as the first rank.
    pub fn is_of(&self, file: &File) -> io::Result<bool> {
        let words = [self.word(1)?, self.word(2)?].map(|word| word as u64);
        Ok(words == identity(file)?)
    }

    /// Reads the pointer.
    pub fn get(&self) -> io::Result<i64> {
        self.word(0)
    }

    /// Sets the pointer.
    pub fn set(&self, offset: i64) -> io::Result<()> {
        self.0.write_all_at(&offset.to_ne_bytes(), 0)
    }

    fn word(&self, index: u64) -> io::Result<i64> {
        let mut bytes = [0; 8];
        self.0.read_exact_at(&mut bytes, 8 * index)?;
        Ok(i64::from_ne_bytes(bytes))
    }
}

/// Device and number of a file.
fn identity(file: &File) -> io::Result<[u64; 2]> {
    let found = file.metadata()?;
    Ok([found.dev(), found.ino()])
}

/// Name under which the ranks of a file find its pointer.
pub struct SharedPointerName(PathBuf);

impl SharedPointerName {
    /// Name for a communicator of this run, given by its first process and its number.
    pub fn of_communicator(first: u32, number: u32) -> Self {
        let run = std::env::var(RUN_VARIABLE).unwrap_or_default();
        SharedPointerName(std::env::temp_dir().join(format!("memonet-{run}-file-{first}-{number}")))
    }

    /// Removes the name; those that have opened the pointer keep it.
    pub fn remove(&self) {
        // An error leaves a file of 24 bytes, which the next run of this number removes.
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_share_a_pointer_that_has_no_name() {
        let name = SharedPointerName::of_communicator(7, std::process::id());
        let [of, other] = ["/dev/null", "/dev/zero"].map(|path| File::open(path).unwrap());
        let first = SharedPointer::create(&name, 5, &of).unwrap();
        let second = SharedPointer::open(&name).unwrap();
        name.remove();
        assert!(SharedPointer::open(&name).is_err());
        assert_eq!(second.get().unwrap(), 5);
        second.set(-7).unwrap();
        assert_eq!(first.get().unwrap(), -7);
        assert_eq!([second.is_of(&of).unwrap(), second.is_of(&other).unwrap()], [true, false]);
    }
}
