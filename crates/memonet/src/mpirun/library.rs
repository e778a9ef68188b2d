//! The libraries that stand in for MPI, and their header.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::loader;
use crate::launcher::find_library;

/// Binary interface of MPI that a program was built for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Abi {
    /// MPI 5.0 (libmpi_abi.so.1): `memonet mpicc`, `mpicc_abi`.
    #[default]
    Standard,
    /// MPICH 3.1 and later, Intel MPI (libmpi.so.12): their `mpicc`, Debian's programs for MPICH, Python's mpi4py as it is installed.
    Mpich,
}

/// A folder of links to the library, next to it, and the names that programs need.
struct Links {
    folder: &'static str,
    names: &'static [&'static str],
}

/// The C library of MPICH: upstream's name, and Debian's.
const C: Links = Links { folder: "mpich", names: &["libmpi.so.12", "libmpich.so.12"] };
/// The Fortran library. An installed one has the names of `use mpi_f08` too, which call the C library.
const FORTRAN: Links = Links { folder: "mpich-fortran", names: &["libmpifort.so.12", "libmpichfort.so.12"] };

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

    /// Links by which programs of this interface find the library.
    fn links(self) -> &'static [Links] {
        match self {
            Abi::Standard => &[],
            Abi::Mpich => &[C, FORTRAN],
        }
    }
}

/// A library that stands in for MPI.
pub struct Library {
    /// Absolute path of the library.
    pub file: PathBuf,
    /// Folder of `mpi.h`; none where it is not installed, which compiled programs do not need.
    pub include: Option<PathBuf>,
    abi: Abi,
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
        Ok(Library { file, include, abi })
    }

    /// Folders in which a program finds the library under the names that it needs. The library of Fortran is
    /// left to an installed one, because the names of this library precede those of all others.
    pub fn folders(&self, program: &Path) -> anyhow::Result<Vec<PathBuf>> {
        let links = self.abi.links().iter();
        let is_left = |links: &Links| {
            links.folder == FORTRAN.folder
                && links.names.iter().any(|name| loader::is_installed(name, program))
        };
        links.filter(|links| !is_left(links)).map(|links| self.linked(links)).collect()
    }

    /// The folder of links, which `make install` makes and a build lacks at first.
    fn linked(&self, links: &Links) -> anyhow::Result<PathBuf> {
        let folder = self.file.parent().unwrap_or(Path::new("/")).join(links.folder);
        for name in links.names {
            let link = folder.join(name);
            if link.canonicalize().is_ok_and(|target| target == self.file) {
                continue;
            }
            relink(&self.file, &link).with_context(|| {
                format!("linking {} to {}, which `make install` does", link.display(), self.file.display())
            })?;
        }
        Ok(folder)
    }
}

/// Makes or replaces a link, in one step for other runs.
fn relink(file: &Path, link: &Path) -> std::io::Result<()> {
    let folder = link.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder)?;
    let work = tempfile::tempdir_in(folder)?;
    let new = work.path().join("link");
    std::os::unix::fs::symlink(file, &new)?;
    std::fs::rename(new, link)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_made_once_and_follow_another_library() {
        let work = tempfile::tempdir().unwrap();
        let [first, second] = ["first.so", "second.so"].map(|name| work.path().join(name));
        for file in [&first, &second, &second] {
            std::fs::write(file, "").unwrap();
            let file = file.canonicalize().unwrap();
            let library = Library { file: file.clone(), include: None, abi: Abi::Mpich };
            let folder = library.linked(&C).unwrap();
            let target = |name: &&str| folder.join(name).canonicalize().unwrap();
            assert!(C.names.iter().map(target).all(|target| target == file));
            assert_eq!(std::fs::read_dir(&folder).unwrap().count(), C.names.len());
        }
        assert!(
            Library { file: first, include: None, abi: Abi::Standard }
                .folders(work.path())
                .unwrap()
                .is_empty()
        );
    }
}
