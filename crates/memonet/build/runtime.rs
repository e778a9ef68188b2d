//! Links the C++ runtime statically, so that the program runs where no libstdc++ is installed.
//!
//! The linker takes the first folder of the search path that has a library of the name `stdc++`. This folder comes
//! before those of the system and holds the archive alone. Where there is no archive, the shared library is linked.

use std::env;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn link() {
    println!("cargo::rerun-if-env-changed=CXX");
    if env::var_os("CARGO_CFG_TARGET_OS").is_none_or(|system| system != "linux") {
        return;
    }
    let Some(archive) = archive() else { return };
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let link = folder.join("libstdc++.a");
    let _ = std::fs::remove_file(&link);
    symlink(archive, link).expect("OUT_DIR can be written");
    println!("cargo::rustc-link-search=native={}", folder.display());
}

/// The archive of the C++ compiler; a compiler without one answers with the name alone.
fn archive() -> Option<PathBuf> {
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let output = Command::new(compiler).arg("-print-file-name=libstdc++.a").output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    Path::new(path.trim()).canonicalize().ok().filter(|archive| archive.is_file())
}
