//! Where the libraries are that stand in for MPI, and their header.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// Which binary interface of MPI a program was built for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Abi {
    /// That of MPI 5.0 (libmpi_abi.so.1): `memonet mpicc`, `mpicc_abi`.
    #[default]
    Standard,
    /// That of MPICH 3.1 and later (libmpi.so.12), and of the MPI of Intel: their `mpicc`, Python's mpi4py as it is installed.
    Mpich,
}

impl Abi {
    /// Names of its library: as it is installed, and as it is built.
    fn names(self) -> [&'static str; 2] {
        match self {
            Abi::Standard => ["libmpi_abi.so.1", "libmpi_abi.so"],
            Abi::Mpich => ["libmpi.so.12", "libmpich.so"],
        }
    }

    /// The package that builds it.
    fn package(self) -> &'static str {
        match self {
            Abi::Standard => "mpi_abi",
            Abi::Mpich => "mpich",
        }
    }
}

/// The library and its header.
pub struct Library {
    /// The library.
    pub file: PathBuf,
    /// The folder of `mpi.h`, if it is there; programs that are compiled already do without.
    pub include: Option<PathBuf>,
}

/// Folders of the library, seen from that of this program: where both are built, where both are installed.
const FOLDERS: [&str; 3] = [".", "deps", "../lib/memonet"];

/// Folders of the header: where both are installed, and in the sources.
const HEADERS: [&str; 3] = [".", "../include/memonet", "../../bindings/mpi_abi/include"];

impl Library {
    /// Finds it beside this program, or where `make install` puts it.
    pub fn find(abi: Abi) -> anyhow::Result<Self> {
        let file = find(&abi.names(), abi.package())?;
        let program = program()?;
        let own = program.parent().unwrap_or(Path::new("/"));
        let include =
            HEADERS.iter().map(|folder| own.join(folder)).find(|folder| folder.join("mpi.h").is_file());
        Ok(Library { file, include })
    }
}

fn program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("looking for the folder of this program")
}

/// Finds a library of any of these names beside this program, or where `make install` puts it; the package builds it.
pub fn find(names: &[&str], package: &str) -> anyhow::Result<PathBuf> {
    let program = program()?;
    let own = program.parent().unwrap_or(Path::new("/"));
    let files = FOLDERS.iter().flat_map(|folder| names.iter().map(move |name| own.join(folder).join(name)));
    // Builds and tests leave one each; the later one is that of the sources.
    let built = |file: &PathBuf| file.metadata().and_then(|data| data.modified()).ok();
    let Some(file) = files.filter(|file| file.is_file()).max_by_key(built) else {
        bail!(
            "there is no {} beside {} or in ../lib/memonet: type `cargo build --release -p {package}` in the sources, or `make install \
             PREFIX=/usr/local`",
            names[0],
            program.display(),
        );
    };
    file.canonicalize().context("looking for the library")
}
