//! Libraries of a program as the loader of the operating system finds them.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use object::elf;
use object::read::elf::ElfFile64;

/// Folders that the loader searches on the distributions that have packages of MPI. The search by name needs
/// no cache of the loader and no program.
const STANDARD: [&str; 9] = [
    "/usr/local/lib",
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
];

/// The dynamic section of an ELF file, as far as it names libraries.
#[derive(Default)]
struct Linkage {
    /// Names of libraries.
    libraries: Vec<String>,
    /// Folders in which the loader looks for them: DT_RPATH and DT_RUNPATH.
    folders: Vec<PathBuf>,
}

impl Linkage {
    /// Linkage of a file; nothing for scripts and for files that cannot be read.
    fn of(file: &Path) -> Self {
        std::fs::read(file).ok().and_then(|data| Self::parse(file, &data)).unwrap_or_default()
    }

    fn parse(file: &Path, data: &[u8]) -> Option<Self> {
        let elf = ElfFile64::<object::Endianness>::parse(data).ok()?;
        let table = elf.elf_section_table().dynamic_table(elf.endian(), data).ok()?;
        let mut linkage = Linkage::default();
        for entry in &table {
            let text = || Some(String::from_utf8_lossy(table.string(entry).ok()?).into_owned());
            match entry.tag {
                elf::DT_NEEDED => linkage.libraries.extend(text()),
                elf::DT_RPATH | elf::DT_RUNPATH => {
                    let own = file.parent().unwrap_or(Path::new("/")).to_string_lossy();
                    let folders = text()?.replace("${ORIGIN}", &own).replace("$ORIGIN", &own);
                    linkage.folders.extend(folders.split(':').map(PathBuf::from));
                }
                _ => {}
            }
        }
        Some(linkage)
    }
}

/// File of a library, where the loader finds it for a program that looks in these folders too.
fn find(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let given = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let given = std::env::split_paths(&given).filter(|folder| !folder.as_os_str().is_empty());
    let all = folders.iter().cloned().chain(given).chain(STANDARD.map(PathBuf::from));
    all.map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Whether a program finds a library of this name outside of Memonet.
pub fn is_installed(name: &str, program: &Path) -> bool {
    find(name, &Linkage::of(program).folders).is_some()
}

/// Names of the libraries that a program is linked to, directly or through other libraries, the nearest
/// first. Libraries for which `is_end` holds are not followed.
pub fn libraries(program: &Path, is_end: impl Fn(&str) -> bool) -> Vec<String> {
    let (mut all, mut seen) = (Vec::new(), BTreeSet::new());
    let mut files = VecDeque::from([program.to_path_buf()]);
    while let Some(file) = files.pop_front() {
        let Linkage { libraries, folders } = Linkage::of(&file);
        for name in libraries {
            if !seen.insert(name.clone()) {
                continue;
            }
            if !is_end(&name) {
                files.extend(find(&name, &folders));
            }
            all.push(name);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_a_program_are_listed_and_a_script_has_none() {
        let all = libraries(Path::new("/bin/sh"), |_| false);
        assert!(all.iter().any(|name| name.starts_with("libc.so")), "{all:?}");
        // The C library itself needs the loader.
        assert!(all.iter().any(|name| name.starts_with("ld-linux")), "{all:?}");
        let ended = libraries(Path::new("/bin/sh"), |name| name.starts_with("libc.so"));
        assert!(ended.len() < all.len(), "{ended:?}");
        let script = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        assert_eq!(libraries(script, |_| false), Vec::<String>::new());
    }

    #[test]
    fn installed_libraries_are_found_by_their_names() {
        assert!(is_installed("libc.so.6", Path::new("/bin/sh")));
        assert!(!is_installed("libmemonet-has-none.so.1", Path::new("/bin/sh")));
    }
}
