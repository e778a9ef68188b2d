//! Links the C++ runtime statically, so that the program runs where no libstdc++ is installed.
//!
//! The linker uses the first folder of its search path that contains a library `stdc++`. The folder added
//! here precedes the system's folders and contains only the archive. Without an archive, the shared library
//! is linked.

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

/// The archive's path; a compiler without the archive prints the bare file name, which does not exist.
fn archive() -> Option<PathBuf> {
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let output = Command::new(compiler).arg("-print-file-name=libstdc++.a").output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    Path::new(path.trim()).canonicalize().ok().filter(|archive| archive.is_file())
}
