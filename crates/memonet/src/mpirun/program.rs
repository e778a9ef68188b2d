//! Whether there is a program to run, and whether it is one of this interface, before anything is set up for it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use object::Object;
use object::read::elf::ElfFile64;

use super::Abi;
use crate::usage;

/// An error if a shell would not find this program, or if it is linked to the library of another interface: what the loader says then helps nobody.
pub fn check(name: &OsStr, abi: Abi) -> anyhow::Result<()> {
    let file = find(ARGUMENT, name)?;
    match not_of(abi, &libraries(&file)) {
        Some(reason) => Err(usage::invalid(ARGUMENT, name.to_string_lossy(), reason)),
        None => Ok(()),
    }
}

/// The file that a shell would run under this name; an error about this argument if there is none for this processor.
pub fn find(argument: &str, name: &OsStr) -> anyhow::Result<PathBuf> {
    let found = if name.as_encoded_bytes().contains(&b'/') {
        vec![PathBuf::from(name)]
    } else {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&paths).map(|folder| folder.join(name)).collect()
    };
    if let Some(file) = found.iter().find(|file| can_run(file)) {
        return match is_foreign(file) {
            true => Err(usage::invalid(
                argument,
                name.to_string_lossy(),
                "it is for another processor than this one",
            )),
            false => Ok(file.clone()),
        };
    }
    let reason = match found.as_slice() {
        [file] if file.is_dir() => "it is a folder",
        [file] if file.exists() => "it is not executable",
        [_] => "there is no such file",
        _ => "it is in no folder of PATH",
    };
    Err(usage::invalid(argument, name.to_string_lossy(), reason))
}

const ARGUMENT: &str = "<PROGRAM>...";

/// Whether a file is a program in machine code, and of another machine. The operating system would have a shell read it.
fn is_foreign(file: &Path) -> bool {
    let own = processor(Path::new("/proc/self/exe"));
    processor(file).is_some_and(|of| own.is_some_and(|own| own != of))
}

/// For which processor a program is: width and order of its words, and the machine, out of its header (System V ABI, figure 4-3).
fn processor(file: &Path) -> Option<[u8; 4]> {
    let mut head = [0; 20];
    File::open(file).ok()?.read_exact(&mut head).ok()?;
    head.starts_with(b"\x7fELF").then(|| [head[4], head[5], head[18], head[19]])
}

fn can_run(file: &Path) -> bool {
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The libraries that a program is linked to. A script has none, and what cannot be read is left to the loader.
fn libraries(program: &Path) -> Vec<String> {
    let Ok(data) = std::fs::read(program) else { return Vec::new() };
    let Ok(file) = ElfFile64::<object::Endianness>::parse(&*data) else { return Vec::new() };
    let Ok(libraries) = file.import_libraries() else { return Vec::new() };
    let name = |library: object::Result<object::ImportLibrary>| {
        Some(String::from_utf8_lossy(library.ok()?.name()).into_owned())
    };
    libraries.filter_map(name).collect()
}

/// Libraries of MPI, and the interface that each has; the last one has none of ours.
const KNOWN: [(&str, Option<Abi>); 4] = [
    ("libmpi_abi.so.1", Some(Abi::Standard)),
    ("libmpi.so.12", Some(Abi::Mpich)),
    ("libmpich.so.12", Some(Abi::Mpich)),
    ("libmpi.so.40", None),
];

/// Why a program of these libraries does not run by this interface.
fn not_of(abi: Abi, libraries: &[String]) -> Option<String> {
    let (library, own) = KNOWN.iter().find(|(name, _)| libraries.iter().any(|library| library == name))?;
    match own {
        Some(own) if *own == abi => None,
        Some(own) => {
            let option = own.to_possible_value().expect("none is hidden");
            Some(format!("it is linked to {library}: type --abi {}", option.get_name()))
        }
        None => Some(format!(
            "it is linked to {library}, the library of Open MPI: compile it with `memonet mpicc`, `mpicxx` or `mpifort`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_of_another_interface_is_told_which_one_to_type() {
        let not_of = |abi, name: &str| not_of(abi, &["libc.so.6".to_owned(), name.to_owned()]);
        assert_eq!(not_of(Abi::Standard, "libmpi_abi.so.1"), None);
        assert_eq!(not_of(Abi::Mpich, "libmpi.so.12"), None);
        assert_eq!(not_of(Abi::Standard, "libm.so.6"), None);
        assert!(not_of(Abi::Standard, "libmpi.so.12").unwrap().ends_with("type --abi mpich"));
        assert!(not_of(Abi::Mpich, "libmpi_abi.so.1").unwrap().ends_with("type --abi standard"));
        assert!(not_of(Abi::Standard, "libmpi.so.40").unwrap().contains("Open MPI"));
    }

    #[test]
    fn libraries_of_a_program_are_read_and_a_script_has_none() {
        assert!(libraries(Path::new("/bin/sh")).iter().any(|name| name.starts_with("libc.so")));
        assert_eq!(
            libraries(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))),
            Vec::<String>::new()
        );
    }
}
