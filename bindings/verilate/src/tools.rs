//! The C++ compiler and Verilator of this machine.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::cache;

/// Name of the precompiled header, built by the build script of `verilator`.
const PRECOMPILED: &str = "precompiled.h";

/// Contents of the precompiled header: most of the text that each block includes.
const HEADERS: &str =
    "#include \"verilated.h\"\n#include \"verilated_syms.h\"\n#include \"verilator/src/device.h\"\n";

/// Include folder of Verilator: as Verilator reports it, or else where Debian installs it.
pub fn verilator_include() -> Option<PathBuf> {
    let said = Command::new("verilator").args(["--getenv", "VERILATOR_ROOT"]).output().ok()?;
    let root = PathBuf::from(String::from_utf8_lossy(&said.stdout).trim());
    [root, PathBuf::from("/usr/share/verilator")]
        .into_iter()
        .map(|root| root.join("include"))
        .find(|include| include.join("verilated.cpp").is_file())
}

/// Release builds optimize the speed of the simulation, other builds the time to compile.
fn is_for_speed() -> bool {
    env::var("OPT_LEVEL").is_ok_and(|level| !matches!(level.as_str(), "0" | "1"))
}

/// The compiler for Verilated C++, other than the default one. Builds that shall compile fast use clang if it
/// is installed and works, which needs less than half of the time of g++. Release builds do not: code of g++
/// 12 simulates up to 1.6 times as fast as code of clang 14 (docs/performance.md). `CXX` overrides both.
pub fn choose_compiler(out: &Path) -> Option<&'static str> {
    println!("cargo::rerun-if-env-changed=CXX");
    if env::var_os("CXX").is_some() || is_for_speed() {
        return None;
    }
    // A clang without a C++ library is useless.
    let (probe, object) = (out.join("probe.cc"), out.join("probe.o"));
    fs::write(
        &probe,
        "#include <memory>\nstd::unique_ptr<int> probe() { return std::make_unique<int>(1); }\n",
    )
    .ok()?;
    let compiled =
        Command::new("clang++").args(["-std=c++20", "-c"]).arg(&probe).arg("-o").arg(object).output();
    compiled.is_ok_and(|output| output.status.success()).then_some("clang++")
}

/// Sets the flags of the runtime and all blocks, which must equal those of the precompiled header.
pub fn flags<'a>(build: &'a mut cc::Build, compiler: Option<&str>) -> &'a mut cc::Build {
    if let Some(compiler) = compiler {
        build.compiler(compiler);
        if compiler.contains("clang") {
            // Verilator's expressions exceed clang's default nesting limit.
            build.flag("-fbracket-depth=4096");
        }
    }
    // Warnings about generated code are disabled.
    build.std("c++20").debug(false).warnings(false).opt_level(if is_for_speed() { 2 } else { 1 })
}

pub fn is_clang(tool: &cc::Tool) -> bool {
    tool.is_like_clang()
}

/// Compiles the precompiled header in `folder`; without it each block reads the headers itself. Compilers refuse it once
/// a header in it has changed, as with an upgrade of the system, so cargo watches all of them.
pub fn precompile(build: &cc::Build, folder: &Path) -> bool {
    let tool = build.get_compiler();
    let header = folder.join(PRECOMPILED);
    if fs::create_dir_all(folder).and_then(|()| fs::write(&header, HEADERS)).is_err() {
        return false;
    }
    let compiled = folder.join(format!("{PRECOMPILED}.{}", if is_clang(&tool) { "pch" } else { "gch" }));
    let read = folder.join("headers.d");
    let mut command = tool.to_command();
    command.args(["-x", "c++-header"]).arg(&header).arg("-o").arg(&compiled).arg("-MD").arg("-MF").arg(&read);
    let is_compiled = command.output().is_ok_and(|output| output.status.success());
    // Those that this build script writes are newer than its run.
    let out = PathBuf::from(crate::env("OUT_DIR"));
    let list = fs::read_to_string(read).unwrap_or_default();
    for header in headers(&list).filter(|header| header.is_file() && !header.starts_with(&out)) {
        println!("cargo::rerun-if-changed={}", header.display());
    }
    is_compiled
}

/// Headers in a list of dependencies as `make` reads it.
fn headers(list: &str) -> impl Iterator<Item = &Path> {
    list.split_whitespace().skip(1).filter(|word| *word != "\\").map(Path::new)
}

/// Arguments that include the precompiled header of `folder`.
pub fn precompiled(tool: &cc::Tool, folder: &Path) -> Vec<PathBuf> {
    let header = folder.join(PRECOMPILED);
    if is_clang(tool) {
        vec!["-include-pch".into(), folder.join(format!("{PRECOMPILED}.pch"))]
    } else {
        vec!["-include".into(), header]
    }
}

/// Digest of Verilator: its version and the headers of its runtime.
pub fn verilator_digest(include: &Path) -> Result<String, String> {
    let version = Command::new("verilator").arg("--version").output();
    let version = version.map_err(|error| format!("verilator --version: {error}"))?.stdout;
    let mut headers: Vec<_> = fs::read_dir(include)
        .map_err(|error| format!("{}: {error}", include.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "h"))
        .collect();
    headers.sort();
    let headers = headers.into_iter().map(|path| fs::read(path).unwrap_or_default());
    Ok(cache::key(std::iter::once(version).chain(headers)))
}

/// Output of the compiler's `--version`, and its path.
pub fn compiler_version(tool: &cc::Tool) -> Vec<u8> {
    let output = Command::new(tool.path()).arg("--version").output();
    let mut version = output.map(|output| output.stdout).unwrap_or_default();
    version.extend(tool.path().as_os_str().as_encoded_bytes());
    version
}

/// Names and versions of the compiler and of Verilator: `clang++ 14.0.6, Verilator 5.006`.
pub fn names(tool: &cc::Tool) -> String {
    let output = |command: &mut Command| {
        command
            .output()
            .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
            .unwrap_or_default()
    };
    let compiler = tool.path().file_name().unwrap_or_default().to_string_lossy();
    let version = output(Command::new(tool.path()).arg("-dumpversion"));
    let verilator = output(Command::new("verilator").arg("--version"));
    let verilator: Vec<_> = verilator.split_whitespace().take(2).collect();
    format!("{compiler} {}, {}", version.trim(), verilator.join(" "))
}
