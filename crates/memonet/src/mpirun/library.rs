//! Where the library is that stands in for MPI, and its header.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// The library and its header.
pub struct Library {
    /// The library.
    pub file: PathBuf,
    /// The folder of `mpi.h`, if it is there; programs that are compiled already do without.
    pub include: Option<PathBuf>,
}

/// Names of the library: as it is installed, and as it is built.
const NAMES: [&str; 2] = ["libmpi_abi.so.1", "libmpi_abi.so"];

/// Folders of the library, seen from that of this program: where both are built, where both are installed.
const FOLDERS: [&str; 3] = [".", "deps", "../lib"];

/// Folders of the header: where both are installed, and in the sources.
const HEADERS: [&str; 3] = [".", "../include", "../../bindings/mpi_abi/include"];

impl Library {
    /// Finds it beside this program, or where `make install` puts it.
    pub fn find() -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("looking for the folder of this program")?;
        let own = program.parent().unwrap_or(Path::new("/"));
        let files = FOLDERS.iter().flat_map(|folder| NAMES.map(|name| own.join(folder).join(name)));
        let Some(file) = files.into_iter().find(|file| file.is_file()) else {
            bail!(
                "there is no libmpi_abi.so.1 beside {} or in ../lib: type `cargo build --release -p mpi_abi` in the sources, or `make \
                 install PREFIX=/usr/local`",
                program.display()
            );
        };
        let file = file.canonicalize().context("looking for the library")?;
        let include =
            HEADERS.iter().map(|folder| own.join(folder)).find(|folder| folder.join("mpi.h").is_file());
        Ok(Library { file, include })
    }
}
