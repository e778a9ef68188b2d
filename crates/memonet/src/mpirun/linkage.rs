//! The MPI library that a program is linked to, checked before the run.

use std::ffi::OsStr;
use std::path::Path;

use clap::ValueEnum;

use super::{Abi, PROGRAM, loader};
use crate::shell_words::text;
use crate::usage;

/// An error if a program is linked to the library of another interface: the loader's message would not help.
pub fn check(name: &OsStr, file: &Path, abi: Abi) -> anyhow::Result<()> {
    let libraries = loader::libraries(file, |name| known(name).is_some());
    match mismatch(abi, &libraries) {
        Some(reason) => Err(usage::invalid(PROGRAM, text(name), reason)),
        None => Ok(()),
    }
}

/// Libraries of MPI and their interfaces; Open MPI has none that Memonet offers.
const KNOWN: [(&str, Option<Abi>); 6] = [
    ("libmpi_abi.so.1", Some(Abi::Standard)),
    ("libmpi.so.12", Some(Abi::Mpich)),
    ("libmpich.so.12", Some(Abi::Mpich)),
    ("libmpifort.so.12", Some(Abi::Mpich)),
    ("libmpichfort.so.12", Some(Abi::Mpich)),
    ("libmpi.so.40", None),
];

/// The interface of a library of MPI; `None` for other libraries.
fn known(library: &str) -> Option<Option<Abi>> {
    KNOWN.iter().find(|(name, _)| *name == library).map(|(_, abi)| *abi)
}

/// Why a program with these libraries does not run with this interface: the nearest library of MPI decides.
fn mismatch(abi: Abi, libraries: &[String]) -> Option<String> {
    let (library, own) = libraries.iter().find_map(|library| Some((library, known(library)?)))?;
    match own {
        Some(own) if own == abi => None,
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
        assert_eq!(mismatch(Abi::Mpich, "libmpichfort.so.12"), None);
        assert_eq!(mismatch(Abi::Standard, "libm.so.6"), None);
        assert!(mismatch(Abi::Standard, "libmpi.so.12").unwrap().ends_with("type --abi mpich"));
        assert!(mismatch(Abi::Mpich, "libmpi_abi.so.1").unwrap().ends_with("type --abi standard"));
        assert!(mismatch(Abi::Standard, "libmpi.so.40").unwrap().contains("Open MPI"));
    }
}
