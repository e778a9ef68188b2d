//! Compiles Verilator's runtime once for all devices and exports its include paths.

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
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-env-changed=VERILATOR_ROOT");
    let Some(include) = installation() else {
        println!("cargo::error=Verilator is not installed; `ci/install` installs what the RTL bindings need");
        std::process::exit(1);
    };
    println!("cargo::rerun-if-changed={}", include.join("verilated.h").display());

    cxx_build::CFG.exported_header_dirs.extend([include.clone(), include.join("vltstd")].map(leak));
    let mut bridge = cxx_build::bridge("src/lib.rs");
    if std::env::var_os("CARGO_FEATURE_COVERAGE").is_some() {
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
