//! The MPI library that a program is linked to, checked before the run.

use std::ffi::OsStr;
use std::path::Path;

use clap::ValueEnum;
use object::Object;
use object::read::elf::ElfFile64;

use super::{Abi, PROGRAM};
use crate::launcher::find_program;
use crate::usage;

/// An error if there is no such program, or if it is linked to the library of another interface: the loader's message
/// would not help.
pub fn check(name: &OsStr, abi: Abi) -> anyhow::Result<()> {
    let file = find_program(PROGRAM, name)?;
    match mismatch(abi, &libraries(&file)) {
        Some(reason) => Err(usage::invalid(PROGRAM, name.to_string_lossy(), reason)),
        None => Ok(()),
    }
}

/// Libraries that a program is linked to; none for scripts and for files that cannot be read.
fn libraries(program: &Path) -> Vec<String> {
    let Ok(data) = std::fs::read(program) else { return Vec::new() };
    let Ok(file) = ElfFile64::<object::Endianness>::parse(&*data) else { return Vec::new() };
    let Ok(libraries) = file.import_libraries() else { return Vec::new() };
    let name = |library: object::Result<object::ImportLibrary>| {
        Some(String::from_utf8_lossy(library.ok()?.name()).into_owned())
    };
    libraries.filter_map(name).collect()
}

/// Libraries of MPI and their interfaces; Open MPI has none that Memonet offers.
const KNOWN: [(&str, Option<Abi>); 4] = [
    ("libmpi_abi.so.1", Some(Abi::Standard)),
    ("libmpi.so.12", Some(Abi::Mpich)),
    ("libmpich.so.12", Some(Abi::Mpich)),
    ("libmpi.so.40", None),
];

/// Why a program with these libraries does not run with this interface.
fn mismatch(abi: Abi, libraries: &[String]) -> Option<String> {
    let (library, own) = KNOWN.iter().find(|(name, _)| libraries.iter().any(|library| library == name))?;
    match own {
        Some(own) if *own == abi => None,
        Some(own) => {
            let option = own.to_possible_value().expect("no value is hidden");
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
    fn program_of_another_interface_is_refused_with_its_option() {
        let mismatch = |abi, name: &str| mismatch(abi, &["libc.so.6".to_owned(), name.to_owned()]);
        assert_eq!(mismatch(Abi::Standard, "libmpi_abi.so.1"), None);
        assert_eq!(mismatch(Abi::Mpich, "libmpi.so.12"), None);
        assert_eq!(mismatch(Abi::Standard, "libm.so.6"), None);
        assert!(mismatch(Abi::Standard, "libmpi.so.12").unwrap().ends_with("type --abi mpich"));
        assert!(mismatch(Abi::Mpich, "libmpi_abi.so.1").unwrap().ends_with("type --abi standard"));
        assert!(mismatch(Abi::Standard, "libmpi.so.40").unwrap().contains("Open MPI"));
    }

    #[test]
    fn libraries_of_a_program_are_listed_and_a_script_has_none() {
        assert!(libraries(Path::new("/bin/sh")).iter().any(|name| name.starts_with("libc.so")));
        let script = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        assert_eq!(libraries(script), Vec::<String>::new());
    }
}
