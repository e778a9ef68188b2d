//! The libraries that stand in for MPI, and their header.

use std::path::{Path, PathBuf};

use crate::launcher::find_library;

/// Binary interface of MPI that a program was built for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Abi {
    /// MPI 5.0 (libmpi_abi.so.1): `memonet mpicc`, `mpicc_abi`.
    #[default]
    Standard,
    /// MPICH 3.1 and later, Intel MPI (libmpi.so.12): their `mpicc`, Python's mpi4py as it is installed.
    Mpich,
}

impl Abi {
    /// File names of the library: installed, and built.
    fn names(self) -> [&'static str; 2] {
        match self {
            Abi::Standard => ["libmpi_abi.so.1", "libmpi_abi.so"],
            Abi::Mpich => ["libmpi.so.12", "libmpich.so"],
        }
    }

    /// The Cargo package that builds the library.
    fn package(self) -> &'static str {
        match self {
            Abi::Standard => "mpi_abi",
            Abi::Mpich => "mpich",
        }
    }
}

/// A library that stands in for MPI.
pub struct Library {
    /// Absolute path of the library.
    pub file: PathBuf,
    /// Folder of `mpi.h`; none where it is not installed, which compiled programs do not need.
    pub include: Option<PathBuf>,
}

/// Folders of the header, relative to that of this program: next to it, of an installation, of the sources.
const HEADERS: [&str; 3] = [".", "../include/memonet", "../../bindings/mpi_abi/include"];

impl Library {
    /// Finds the library next to this program, or where `make install` puts it.
    pub fn find(abi: Abi) -> anyhow::Result<Self> {
        let file = find_library(&abi.names(), abi.package())?;
        let program = std::env::current_exe()?;
        let own = program.parent().unwrap_or(Path::new("/"));
        let include =
            HEADERS.iter().map(|folder| own.join(folder)).find(|folder| folder.join("mpi.h").is_file());
        Ok(Library { file, include })
    }
}
