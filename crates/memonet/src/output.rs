//! Output of commands: text for people, JSON for programs.

use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::{PathBufValueParser, TypedValueParser};
use serde::Serialize;

/// Result of a command that ran without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The command achieved its purpose.
    Success,
    /// The command did not achieve its purpose; its report says why.
    Failure,
    /// Ctrl-C or a signal ended the command; its report covers the part that ran.
    Interrupted,
}

impl From<bool> for Outcome {
    fn from(good: bool) -> Self {
        if good { Outcome::Success } else { Outcome::Failure }
    }
}

/// Prints a report as JSON or as text.
pub fn print<R: Serialize + Display>(report: &R, json: bool) -> anyhow::Result<()> {
    line(&if json { serde_json::to_string_pretty(report)? } else { report.to_string() })
}

/// Prints a text and a newline.
pub fn line(text: &str) -> anyhow::Result<()> {
    bytes(format!("{text}\n").as_bytes())
}

/// Prints formatted bytes.
pub fn bytes(text: &[u8]) -> anyhow::Result<()> {
    match std::io::stdout().lock().write_all(text) {
        // The reader closed the pipe early, as `head` does.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done.context("writing the report"),
    }
}

/// Prints a line on stderr. Write errors are ignored: a full disk or a closed stderr must not end the
/// command.
pub fn aside(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// The text of an error and its causes. A cause is omitted if the text of its error already ends with it.
pub fn told(error: &anyhow::Error) -> String {
    let mut told = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if told.is_empty() {
            told = cause;
        } else if !told.ends_with(&cause) {
            told = format!("{told}: {cause}");
        }
    }
    told
}

/// Fails if the folder of a file does not exist, so that a long run does not fail at its end.
pub fn check_folder(file: &Path) -> anyhow::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    anyhow::ensure!(folder.is_none_or(Path::is_dir), "{}: there is no such folder", file.display());
    Ok(())
}

/// Parses the name of an SVG file.
pub fn svg_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|file| match file.extension() {
        Some(end) if end.eq_ignore_ascii_case("png") => {
            Err("pictures are written as SVG, not as PNG; name a file that ends in .svg")
        }
        _ => Ok(file),
    })
}

/// Writes a file atomically: readers see the whole file or none.
pub fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    files::write_whole(file, bytes).with_context(|| format!("writing {}", file.display()))
}

/// Picoseconds as microseconds with six decimals.
pub fn us(picoseconds: u64) -> String {
    format!("{:.6}", picoseconds as f64 / 1e6)
}

/// Bytes in lowercase hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_told_once() {
        let error =
            waveform::CreateError::Create { path: "x.vcd".into(), source: std::io::Error::other("no room") };
        let error = anyhow::Error::new(error).context("recording");
        assert_eq!(told(&error), "recording: cannot create the waveform file x.vcd: no room");
    }
}
