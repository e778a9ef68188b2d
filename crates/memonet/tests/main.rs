//! The command `memonet` as its users see it: output, files and exit codes.

/// Arguments, help texts, exit codes.
mod arguments;
/// `memonet check`: hazards, repairs, exit codes.
mod checks;
/// `memonet cluster`: threads, files, reports, refused arguments.
mod clusters;
/// `memonet bench`, `doctor` and `lockstep`.
mod commands;
/// devices.toml: a toy device, and wrong entries.
mod devices;
/// Reports as JSON: keys, schemas, the page about them.
mod documents;
/// `dsh`: scripts, exit codes, the boards of a server.
mod dsh;
/// Interrupted, failed and simultaneous runs.
mod endings;
/// `memonet explain`: stages, drawings, traces.
mod explain;
/// `memonet fagus`: shared-memory programs.
mod fagus;
/// `memonet figures`: rows, pages, plots.
mod figures;
/// GigaE PM: `memonet run --machine gigae_pm` and `memonet figures --paper gigae_pm`.
mod gigae_pm;
/// `--library-cost` of PM, verbs, Fagus and Suci.
mod library_cost;
/// `memonet run` with a message.
mod messages;
mod own_block;
/// `--per-node`: two processes on each board.
mod per_node;
mod predictions;
/// `memonet run --program`.
mod programs;
/// Wrong arguments of all commands.
mod refused;
/// `memonet shell`: the figures of appendix C on boards of all kinds.
mod shells;
mod suci;
/// `memonet tap`: errors, and devices where their creation is allowed.
mod taps;
/// `memonet run --input`: valid and invalid files.
mod transfers;
/// `memonet wave`: files, layouts and the golden dump.
mod waves;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Output of the command with these arguments and an empty input.
fn memonet(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
    // A server that is running on this computer must not affect a test.
    command.env("XDG_RUNTIME_DIR", "/nowhere");
    // Results of an earlier run must not replace those of this one.
    command.env("MEMONET_CACHE", "off");
    command.args(args).stdin(Stdio::null()).output().expect("memonet starts")
}

/// Stdout of a successful command.
fn prints(args: &[&str]) -> String {
    let output = memonet(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    assert_eq!(stderr(&output), "", "{args:?}: no progress bar or warning without a terminal");
    String::from_utf8(output.stdout).unwrap()
}

/// The JSON report of a successful command, checked against its schema.
fn json(args: &[&str]) -> serde_json::Value {
    let report = serde_json::from_str(&prints(&[args, &["--json"]].concat())).unwrap();
    documents::check(&report);
    report
}

/// Stderr of a command that must fail with this exit code and without a panic.
fn fails(args: &[&str], code: i32) -> String {
    let output = memonet(args);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    assert!(!text.is_empty(), "{args:?}: no reason");
    assert!(!text.contains("panicked") && !text.contains("RUST_BACKTRACE"), "{args:?}: {text}");
    text
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Reports a test that this computer cannot run. The macros for stderr would be captured by the test harness.
fn not_tested(what: &str) {
    std::io::stderr().write_all(format!("NOT TESTED: {what}\n").as_bytes()).expect("stderr can be written");
}

/// The last word of the line that begins with `begins`.
fn value(text: &str, begins: &str) -> String {
    let line =
        text.lines().find(|line| line.starts_with(begins)).unwrap_or_else(|| panic!("{begins} in {text}"));
    line.split_whitespace().next_back().unwrap().to_string()
}

/// A path as an argument.
fn path(path: &Path) -> &str {
    path.to_str().expect("paths of tests are text")
}

/// Path of a folder or file of the repository.
fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

const KINDS: [&str; 3] = ["model", "rtl", "lockstep"];
