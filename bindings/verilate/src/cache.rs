//! Compiled blocks of earlier builds, in the user's cache folder: a second clone verilates nothing.
//!
//! An entry is one file, named after the digest of all that its content depends on and closed by the digest of
//! that content. A build that cannot read or write the folder, or finds an entry that is damaged, compiles the
//! block itself.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

/// Capacity of the folder in bytes; the least recently used entries are removed first.
const CAPACITY: u64 = 1 << 30;

/// Length of the digest that ends an entry.
const SEAL: usize = 32;

/// Folder of cached objects; `None` disables the cache.
pub struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The folder named by `MEMONET_CACHE`, where `off` disables the cache; by default `memonet/verilated` in
    /// the user's cache folder.
    pub fn of_user() -> Self {
        let folder = match std::env::var_os("MEMONET_CACHE") {
            Some(off) if off == "off" || off.is_empty() => None,
            Some(folder) => Some(PathBuf::from(folder)),
            None => {
                let absolute = |path: PathBuf| path.is_absolute().then_some(path);
                let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).and_then(absolute);
                let home = || Some(std::env::home_dir().and_then(absolute)?.join(".cache"));
                cache.or_else(home).map(|cache| cache.join("memonet"))
            }
        };
        Self { folder: folder.map(|folder| folder.join("verilated")) }
    }

    #[cfg(test)]
    fn at(folder: &Path) -> Self {
        Self { folder: Some(folder.into()) }
    }

    fn entry(&self, name: &str, key: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{name}-{key}")))
    }

    /// Copies the object with this key to `object`. Returns false if there is no intact entry.
    pub fn fetch(&self, name: &str, key: &str, object: &Path) -> bool {
        let Some(entry) = self.entry(name, key) else { return false };
        let Ok(mut bytes) = fs::read(&entry) else { return false };
        let content = bytes.len().saturating_sub(SEAL);
        if Sha256::digest(&bytes[..content]).as_slice() != &bytes[content..] {
            // A full disk or a flipped bit.
            let _ = fs::remove_file(&entry);
            return false;
        }
        bytes.truncate(content);
        // The time of the last use decides which entry is removed first.
        let _ =
            File::options().append(true).open(&entry).and_then(|file| file.set_modified(SystemTime::now()));
        fs::write(object, bytes).is_ok()
    }

    /// Stores an object, whole or not at all.
    pub fn store(&self, name: &str, key: &str, object: &Path) {
        let Some(entry) = self.entry(name, key) else { return };
        let part = entry.with_extension(format!("{}.part", std::process::id()));
        let write = || {
            let folder = entry.parent().expect("an entry is in the folder");
            fs::create_dir_all(folder)?;
            let bytes = fs::read(object)?;
            let mut file = File::create(&part)?;
            file.write_all(&bytes)?;
            file.write_all(&Sha256::digest(&bytes))?;
            drop(file);
            fs::rename(&part, &entry)?;
            trim(folder, CAPACITY)
        };
        if write().is_err() {
            let _ = fs::remove_file(&part);
        }
    }
}

/// Removes the least recently used entries until the others need at most `capacity` bytes.
fn trim(folder: &Path, capacity: u64) -> std::io::Result<()> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // Another build may have removed it.
        if let Ok(about) = entry.metadata() {
            entries.push((about.modified().unwrap_or(SystemTime::UNIX_EPOCH), about.len(), entry.path()));
        }
    }
    let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
    entries.sort();
    for (_, bytes, path) in entries {
        if total <= capacity {
            break;
        }
        if fs::remove_file(path).is_ok() {
            total -= bytes;
        }
    }
    Ok(())
}

/// Digest of a list of parts, used in the name of an entry.
pub fn key<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        let part = part.as_ref();
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cache with one object, and a path for a copy.
    fn filled(folder: &Path) -> (Cache, PathBuf, PathBuf) {
        let cache = Cache::at(&folder.join("cache"));
        let object = folder.join("botf.o");
        fs::write(&object, b"an object").unwrap();
        cache.store("botf", "0123", &object);
        (cache, folder.join("cache/botf-0123"), folder.join("copy.o"))
    }

    #[test]
    fn stored_object_is_fetched_by_name_and_key() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, _, copy) = filled(folder.path());
        assert!(cache.fetch("botf", "0123", &copy));
        assert_eq!(fs::read(&copy).unwrap(), b"an object");
        assert!(!cache.fetch("botf", "0124", &copy) && !cache.fetch("vs", "0123", &copy));
    }

    #[test]
    fn entry_with_one_flipped_bit_is_refused_and_removed() {
        for bit in [0, 7, 40, 8 * 9, 8 * 9 + 255] {
            let folder = tempfile::tempdir().unwrap();
            let (cache, entry, copy) = filled(folder.path());
            let mut bytes = fs::read(&entry).unwrap();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&entry, bytes).unwrap();
            assert!(!cache.fetch("botf", "0123", &copy), "bit {bit}");
            assert!(!entry.exists() && !copy.exists());
        }
    }

    #[test]
    fn entry_that_was_cut_is_refused() {
        for left in [0, 5, 31, 32, 40] {
            let folder = tempfile::tempdir().unwrap();
            let (cache, entry, copy) = filled(folder.path());
            File::options().write(true).open(&entry).unwrap().set_len(left).unwrap();
            assert!(!cache.fetch("botf", "0123", &copy), "{left} bytes left");
        }
    }

    #[test]
    fn folder_that_cannot_be_written_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, b"").unwrap();
        let cache = Cache::at(&file.join("cache"));
        cache.store("botf", "0123", &file);
        assert!(!cache.fetch("botf", "0123", &folder.path().join("copy.o")));
        let none = Cache { folder: None };
        none.store("botf", "0123", &file);
        assert!(!none.fetch("botf", "0123", &folder.path().join("copy.o")));
    }

    #[test]
    fn least_recently_used_entries_go_first() {
        let folder = tempfile::tempdir().unwrap();
        for (age, name) in ["new", "middle", "old"].into_iter().enumerate() {
            let path = folder.path().join(name);
            fs::write(&path, [0; 100]).unwrap();
            let time = SystemTime::now() - std::time::Duration::from_secs(60 * age as u64);
            File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
        }
        trim(folder.path(), 250).unwrap();
        let left = |name: &str| folder.path().join(name).exists();
        assert!(left("new") && left("middle") && !left("old"));
    }

    #[test]
    fn key_depends_on_the_boundaries_of_parts() {
        assert_ne!(key(["ab", "c"]), key(["a", "bc"]));
        assert_ne!(key(["a"]), key(["a", ""]));
    }
}
