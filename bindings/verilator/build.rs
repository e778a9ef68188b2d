//! Compiles Verilator's runtime once for all devices and exports its include paths.
//!
//! Where Verilator is not installed there is nothing to compile, and the build scripts of the devices are told.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where Verilator is installed: what it says itself, else where Debian puts it.
fn installation() -> Option<PathBuf> {
    let said = Command::new("verilator").args(["--getenv", "VERILATOR_ROOT"]).output().ok()?;
    let root = PathBuf::from(String::from_utf8_lossy(&said.stdout).trim());
    [root, PathBuf::from("/usr/share/verilator")]
        .into_iter()
        .map(|root| root.join("include"))
        .find(|include| include.join("verilated.cpp").is_file())
}

fn main() {
    println!("cargo::rustc-check-cfg=cfg(verilated)");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-env-changed=VERILATOR_ROOT");
    match installation() {
        Some(include) => {
            println!("cargo::rustc-cfg=verilated");
            println!("cargo::metadata=INSTALLED=yes");
            compile(&include);
        }
        None => {
            println!(
                "cargo::warning=Verilator is not installed: the RTL is not built; `ci/install` installs it"
            );
            watch_search_path();
        }
    }
}

/// Has cargo run this script again when a program is installed: it may be Verilator.
fn watch_search_path() {
    println!("cargo::rerun-if-env-changed=PATH");
    let path = env::var_os("PATH").unwrap_or_default();
    for folder in env::split_paths(&path).filter(|folder| folder.is_absolute() && folder.is_dir()) {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
}

fn compile(include: &Path) {
    println!("cargo::rerun-if-changed={}", include.join("verilated.h").display());

    cxx_build::CFG.exported_header_dirs.extend([include.to_path_buf(), include.join("vltstd")].map(leak));
    let mut bridge = cxx_build::bridge("src/bridge.rs");
    if env::var_os("CARGO_FEATURE_COVERAGE").is_some() {
        bridge.file(include.join("verilated_cov.cpp")).define("VM_COVERAGE", "1");
    }
    bridge
        .file("src/device.cc")
        .file("src/image.cc")
        .file(include.join("verilated.cpp"))
        .file(include.join("verilated_threads.cpp"))
        .define("VL_USER_STOP", None)
        .define("VL_USER_FATAL", None)
        .std("c++20")
        .opt_level(2)
        .debug(false)
        // The runtime is not ours to lint.
        .warnings(false)
        .compile("verilator-runtime");
}

/// The include paths live as long as the build script, which is what cxx asks of them.
fn leak(path: PathBuf) -> &'static Path {
    Box::leak(path.into_boxed_path())
}
