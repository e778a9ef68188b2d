//! The binary `memonet` as its users see it: what it prints, what it leaves, how it ends.

/// Arguments, help texts, exit codes.
mod arguments;
/// `memonet check`: hazards, repairs, exit codes.
mod checks;
/// `memonet cluster`: threads, files, reports, what is refused.
mod clusters;
/// `memonet bench`, `doctor` and `lockstep`.
mod commands;
/// devices.toml: a toy device, and wrong entries.
mod devices;
/// Reports as JSON: keys, schemas, the page about them.
mod documents;
/// `dsh`: scripts, exit codes, the boards of a server.
mod dsh;
/// Runs that end early, or that meet others.
mod endings;
/// `memonet explain`: stages, drawings, traces.
mod explain;
/// `memonet fagus`: programs that share memory.
mod fagus;
/// `memonet figures`: rows, pages, plots.
mod figures;
/// GigaE PM: `memonet run --machine gigae_pm` and `memonet figures --paper gigae_pm`.
mod gigae_pm;
/// `memonet run` and what it says of a message.
mod messages;
mod own_block;
/// `memonet run --program`.
mod predictions;
mod programs;
/// `memonet shell`: the figures of appendix C on boards of all kinds.
mod shells;
mod suci;
/// `memonet tap`: what it says of devices, and devices where one may make them.
mod taps;
/// `memonet run --input`: files, good and bad.
mod transfers;
/// `memonet wave`: files, layouts and the golden dump.
mod waves;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The binary with its arguments, nothing on its input.
fn memonet(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
    // A server that happens to run is no part of a test.
    command.env("XDG_RUNTIME_DIR", "/nowhere");
    command.args(args).stdin(Stdio::null()).output().expect("memonet starts")
}

/// What it prints when all is well.
fn prints(args: &[&str]) -> String {
    let output = memonet(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    assert_eq!(stderr(&output), "", "{args:?}: nothing but reports where nobody looks");
    String::from_utf8(output.stdout).unwrap()
}

/// Its report as JSON, which is as its schema says.
fn json(args: &[&str]) -> serde_json::Value {
    let report = serde_json::from_str(&prints(&[args, &["--json"]].concat())).unwrap();
    documents::check(&report);
    report
}

/// What it says when it fails with that exit code; a sentence, and no panic.
fn fails(args: &[&str], code: i32) -> String {
    let output = memonet(args);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    assert!(!text.is_empty(), "{args:?} says why");
    assert!(!text.contains("panicked") && !text.contains("RUST_BACKTRACE"), "{args:?}: {text}");
    text
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Says what this machine cannot test. Not by a macro, whose text the test harness keeps for itself.
fn not_tested(what: &str) {
    std::io::stderr().write_all(format!("NOT TESTED: {what}\n").as_bytes()).expect("stderr is there");
}

/// The last word of the line that begins like that.
fn value(text: &str, begins: &str) -> String {
    let line =
        text.lines().find(|line| line.starts_with(begins)).unwrap_or_else(|| panic!("{begins} in {text}"));
    line.split_whitespace().next_back().unwrap().to_string()
}

/// A path as an argument.
fn path(path: &Path) -> &str {
    path.to_str().expect("paths of tests are text")
}

/// A folder or file of the repository.
fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

const KINDS: [&str; 3] = ["model", "rtl", "lockstep"];
