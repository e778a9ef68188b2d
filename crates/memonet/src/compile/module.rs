//! The module of `use mpi`, which each compiler has in a form of its own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};

use super::joined;
use crate::output;

/// Options of a Fortran compiler, that of these words: where the module is, and that programs may be as old as `mpif.h`.
pub fn options(words: &[String], include: &Path) -> anyhow::Result<Vec<OsString>> {
    // That there is no such compiler is told when it is called.
    let Ok(output) = Command::new(&words[0]).args(&words[1..]).arg("--version").output() else {
        return Ok(Vec::new());
    };
    let version = String::from_utf8_lossy(&output.stdout);
    let mut options = vec![joined("-I", made(words, &version, include)?.as_os_str())];
    // A program that sends an integer and then a real number by the same subroutine is wrong for these, unless it says `use mpi`.
    if gnu(&version).is_some_and(|release| release >= 10) {
        options.push("-fallow-argument-mismatch".into());
    }
    Ok(options)
}

/// Which release of GNU Fortran a compiler says that it is: `GNU Fortran (Debian 12.2.0-14) 12.2.0` is 12.
fn gnu(version: &str) -> Option<u32> {
    let first = version.lines().next()?;
    let release = first.starts_with("GNU Fortran").then(|| first.rsplit(' ').next())??;
    release.split('.').next()?.parse().ok()
}

/// The folder of the module, which is compiled if there is none of this compiler and this text.
fn made(words: &[String], version: &str, include: &Path) -> anyhow::Result<PathBuf> {
    let mut hash = Sha256::new();
    for file in ["mpif.h", "mpi.f90"] {
        let path = include.join(file);
        hash.update(std::fs::read(&path).with_context(|| format!("reading {}", path.display()))?);
    }
    hash.update(words.join(" "));
    hash.update(version);
    let name = output::hex(&hash.finalize()[..8]);
    let cache = cache();
    let folder = cache.join(name);
    if folder.join("mpi.mod").is_file() {
        return Ok(folder);
    }
    let writes = || format!("making {}; XDG_CACHE_HOME names another place", cache.display());
    std::fs::create_dir_all(&cache).with_context(writes)?;
    let work = tempfile::tempdir_in(&cache).with_context(writes)?;
    let output = Command::new(&words[0])
        .args(&words[1..])
        .arg("-c")
        .arg(joined("-I", include.as_os_str()))
        .arg(include.join("mpi.f90"))
        .current_dir(&work)
        .output()
        .with_context(|| format!("running `{}`", words.join(" ")))?;
    if !output.status.success() {
        bail!("`{}` cannot compile mpi.f90:\n{}", words.join(" "), String::from_utf8_lossy(&output.stderr));
    }
    // Several compilers may do this at once: one module is as good as another.
    let work = work.keep();
    if std::fs::rename(&work, &folder).is_err() {
        let _ = std::fs::remove_dir_all(&work);
    }
    if !folder.join("mpi.mod").is_file() {
        bail!("`{}` made no mpi.mod in {}", words.join(" "), folder.display());
    }
    Ok(folder)
}

/// Where modules are kept.
fn cache() -> PathBuf {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let found = of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")));
    found.unwrap_or_else(std::env::temp_dir).join("memonet")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn release_of_gnu_fortran_is_read_and_that_of_others_is_not() {
        assert_eq!(gnu("GNU Fortran (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright"), Some(12));
        assert_eq!(gnu("GNU Fortran (GCC) 9.3.0"), Some(9));
        assert_eq!(gnu("flang version 19.1.1"), None);
        assert_eq!(gnu(""), None);
    }
}
