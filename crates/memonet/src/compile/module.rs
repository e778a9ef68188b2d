//! The Fortran module of `use mpi`, which must be compiled by each compiler.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};

use super::joined;
use crate::output;
use crate::shell_words::command_line;

/// Options for a Fortran compiler: the folder of the module, and tolerance for code as old as `mpif.h`.
pub fn options(words: &[&OsStr], include: &Path) -> anyhow::Result<Vec<OsString>> {
    // A missing compiler is reported when it is executed.
    let Ok(output) = Command::new(words[0]).args(&words[1..]).arg("--version").output() else {
        return Ok(Vec::new());
    };
    let version = String::from_utf8_lossy(&output.stdout);
    let mut options = vec![joined("-I", module_folder(words, &version, include)?.as_os_str())];
    // Calls of one subroutine with different argument types, as in buffers of `mpif.h`, are errors from
    // release 10 on.
    if gnu(&version).is_some_and(|release| release >= 10) {
        options.push("-fallow-argument-mismatch".into());
    }
    Ok(options)
}

/// The release of GNU Fortran: 12 for `GNU Fortran (Debian 12.2.0-14) 12.2.0`; `None` for other compilers.
fn gnu(version: &str) -> Option<u32> {
    let first = version.lines().next()?;
    let release = first.starts_with("GNU Fortran").then(|| first.rsplit(' ').next())??;
    release.split('.').next()?.parse().ok()
}

/// The folder of the compiled module; compiles it unless this compiler has compiled this text before.
fn module_folder(words: &[&OsStr], version: &str, include: &Path) -> anyhow::Result<PathBuf> {
    let mut hash = Sha256::new();
    for file in ["mpif.h", "mpi.f90"] {
        let path = include.join(file);
        hash.update(std::fs::read(&path).with_context(|| format!("reading {}", path.display()))?);
    }
    hash.update(command_line(words));
    hash.update(version);
    let name = output::hex(&hash.finalize()[..8]);
    let cache = cache();
    let folder = cache.join(name);
    if folder.join("mpi.mod").is_file() {
        return Ok(folder);
    }
    let writes = || format!("creating {}; set XDG_CACHE_HOME to use another folder", cache.display());
    std::fs::create_dir_all(&cache).with_context(writes)?;
    let work = tempfile::tempdir_in(&cache).with_context(writes)?;
    let output = Command::new(words[0])
        .args(&words[1..])
        .arg("-c")
        .arg(joined("-I", include.as_os_str()))
        .arg(include.join("mpi.f90"))
        .current_dir(&work)
        .output()
        .with_context(|| format!("running `{}`", command_line(words)))?;
    if !output.status.success() {
        bail!(
            "`{}` cannot compile mpi.f90:\n{}",
            command_line(words),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    // Several compilers may do this simultaneously; their modules are equal.
    let work = work.keep();
    if std::fs::rename(&work, &folder).is_err() {
        let _ = std::fs::remove_dir_all(&work);
    }
    if !folder.join("mpi.mod").is_file() {
        bail!("`{}` created no mpi.mod in {}", command_line(words), folder.display());
    }
    Ok(folder)
}

/// Folder of compiled modules.
fn cache() -> PathBuf {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let found = of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")));
    found.unwrap_or_else(std::env::temp_dir).join("memonet")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_release_of_gnu_fortran_is_parsed() {
        assert_eq!(gnu("GNU Fortran (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright"), Some(12));
        assert_eq!(gnu("GNU Fortran (GCC) 9.3.0"), Some(9));
        assert_eq!(gnu("flang version 19.1.1"), None);
        assert_eq!(gnu(""), None);
    }
}
