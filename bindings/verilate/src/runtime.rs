//! Verilator's runtime and the bridge to it, compiled once for all devices.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::tools;

/// What the build script of `verilator` tells those of the devices.
pub struct Runtime {
    /// Folders of the headers that a block includes.
    pub include: Vec<PathBuf>,
    /// Folder of the precompiled header, if there is one.
    pub precompiled: Option<PathBuf>,
    /// The compiler, if it is not the default one.
    pub compiler: Option<String>,
    /// Digest of Verilator.
    pub verilator: String,
}

impl Runtime {
    /// What a script of a crate that depends on `verilator` was told; nothing where Verilator is not installed.
    pub fn told() -> Option<Self> {
        let told = |name: &str| env::var_os(format!("DEP_VERILATOR_{name}"));
        Some(Self {
            include: env::split_paths(&told("INCLUDE")?).collect(),
            precompiled: told("PRECOMPILED").map(PathBuf::from),
            compiler: told("COMPILER").and_then(|name| name.into_string().ok()),
            verilator: told("DIGEST")?.into_string().ok()?,
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
        // An assertion of the runtime asks what clang leaves to a library that may be missing.
        .define("NDEBUG", None)
        .compile("verilator-runtime");

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

/// Folders in which a compilation looks for headers.
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

/// Has cargo run this script again when a program is installed: it may be Verilator.
fn watch_search_path() {
    println!("cargo::rerun-if-env-changed=PATH");
    let path = env::var_os("PATH").unwrap_or_default();
    for folder in env::split_paths(&path).filter(|folder| folder.is_absolute() && folder.is_dir()) {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
}

/// The sources of the runtime that each block includes.
pub fn headers() -> impl Iterator<Item = Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("verilator").join("src");
    ["device.h", "image.h", "coverage.h"]
        .into_iter()
        .map(move |name| fs::read(folder.join(name)).unwrap_or_default())
}
