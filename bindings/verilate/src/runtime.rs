//! Verilator's runtime and the bridge to it, compiled once for all devices.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::tools;

/// Settings passed from the build script of `verilator` to those of the devices.
pub struct Runtime {
    /// Include folders for blocks.
    pub include: Vec<PathBuf>,
    /// Folder of the precompiled header, if there is one.
    pub precompiled: Option<PathBuf>,
    /// Compiler other than the default one.
    pub compiler: Option<String>,
    /// Digest of Verilator's version and headers.
    pub verilator: String,
}

impl Runtime {
    /// Settings passed to a crate that depends on `verilator`; `None` without Verilator.
    pub fn from_environment() -> Option<Self> {
        let metadata = |name: &str| env::var_os(format!("DEP_VERILATOR_{name}"));
        Some(Self {
            include: env::split_paths(&metadata("INCLUDE")?).collect(),
            precompiled: metadata("PRECOMPILED").map(PathBuf::from),
            compiler: metadata("COMPILER").and_then(|name| name.into_string().ok()),
            verilator: metadata("DIGEST")?.into_string().ok()?,
        })
    }
}

/// The build script of `verilator`: compiles the runtime, its bridge `src/bridge.rs` and a precompiled header.
/// Without Verilator it compiles nothing and leaves `cfg(verilated)` unset.
pub fn runtime() {
    println!("cargo::rustc-check-cfg=cfg(verilated)");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-env-changed=VERILATOR_ROOT");
    let Some(verilator) = tools::verilator_include() else {
        println!("cargo::warning=Verilator is not installed: the RTL is not built; `ci/install` installs it");
        watch_search_path();
        return;
    };
    println!("cargo::rustc-cfg=verilated");
    println!("cargo::rerun-if-changed={}", verilator.join("verilated.h").display());

    let out = PathBuf::from(crate::env("OUT_DIR"));
    let compiler = tools::choose_compiler(&out);
    let mut build = cxx_build::bridge("src/bridge.rs");
    tools::flags(&mut build, compiler);
    for folder in [verilator.clone(), verilator.join("vltstd")] {
        build.include(folder);
    }
    if env::var_os("CARGO_FEATURE_COVERAGE").is_some() {
        build.file(verilator.join("verilated_cov.cpp")).define("VM_COVERAGE", "1");
    }
    let folder = out.join("precompiled");
    let precompiled = tools::precompile(&build, &folder);
    build
        .file("src/device.cc")
        .file("src/image.cc")
        .file(verilator.join("verilated.cpp"))
        .file(verilator.join("verilated_threads.cpp"))
        .define("VL_USER_STOP", None)
        .define("VL_USER_FATAL", None)
        // With clang an assertion of the runtime would need a library that may be missing.
        .define("NDEBUG", None)
        .compile("verilator-runtime");

    println!("cargo::rustc-env=VERILATED_WITH={}", tools::names(&build.get_compiler()));
    let digest = tools::verilator_digest(&verilator).unwrap_or_else(|error| crate::fail(&[error]));
    println!("cargo::metadata=DIGEST={digest}");
    let include = env::join_paths(includes(&build)).expect("cargo's folders have no colon");
    println!("cargo::metadata=INCLUDE={}", include.display());
    if precompiled {
        println!("cargo::metadata=PRECOMPILED={}", folder.display());
    }
    if let Some(compiler) = compiler {
        println!("cargo::metadata=COMPILER={compiler}");
    }
}

/// Include folders of a compilation.
fn includes(build: &cc::Build) -> Vec<PathBuf> {
    let tool = build.get_compiler();
    let mut arguments = tool.args().iter();
    let mut folders = Vec::new();
    while let Some(argument) = arguments.next() {
        if argument == OsStr::new("-I") {
            folders.extend(arguments.next().map(PathBuf::from));
        }
    }
    folders
}

/// Makes cargo rerun this script when a program is installed, which may be Verilator.
fn watch_search_path() {
    println!("cargo::rerun-if-env-changed=PATH");
    let path = env::var_os("PATH").unwrap_or_default();
    for folder in env::split_paths(&path).filter(|folder| folder.is_absolute() && folder.is_dir()) {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
}

/// Sources of the runtime that each block includes.
pub fn headers() -> impl Iterator<Item = Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("verilator").join("src");
    ["device.h", "image.h", "coverage.h"]
        .into_iter()
        .map(move |name| fs::read(folder.join(name)).unwrap_or_default())
}
