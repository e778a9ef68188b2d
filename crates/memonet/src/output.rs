//! What commands print: text for people, JSON for machines.

use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::{PathBufValueParser, TypedValueParser};
use serde::Serialize;

/// How a command that could run to its end came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As it should be.
    Success,
    /// Not so; what was printed says why.
    Failure,
    /// It was ended from outside; what was printed is what there was.
    Interrupted,
}

impl From<bool> for Outcome {
    fn from(good: bool) -> Self {
        if good { Outcome::Success } else { Outcome::Failure }
    }
}

/// Prints a report: as JSON, or as its text.
pub fn print<R: Serialize + Display>(report: &R, json: bool) -> anyhow::Result<()> {
    line(&if json { serde_json::to_string_pretty(report)? } else { report.to_string() })
}

/// Prints a text, and ends its line.
pub fn line(text: &str) -> anyhow::Result<()> {
    bytes(format!("{text}\n").as_bytes())
}

/// Prints what is written already.
pub fn bytes(text: &[u8]) -> anyhow::Result<()> {
    match std::io::stdout().lock().write_all(text) {
        // Whoever reads has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done.context("writing the report"),
    }
}

/// Says something beside the report. What nobody can be told is left unsaid: a full disk is no reason to fall over.
pub fn aside(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// An error with its causes, each said once: the text of some errors ends with that of their cause.
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

/// An error if a file cannot be written because its folder is not there, to be told before what is written takes its time.
pub fn check_folder(file: &Path) -> anyhow::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    anyhow::ensure!(folder.is_none_or(Path::is_dir), "{}: there is no such folder", file.display());
    Ok(())
}

/// Parses the name of a file for a picture.
pub fn svg_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|file| match file.extension() {
        Some(end) if end.eq_ignore_ascii_case("png") => {
            Err("pictures are written as SVG, not as PNG; name a file that ends in .svg")
        }
        _ => Ok(file),
    })
}

/// Writes a file, whole or not at all.
pub fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    files::write_whole(file, bytes).with_context(|| format!("writing {}", file.display()))
}

/// Picoseconds as microseconds.
pub fn us(picoseconds: u64) -> String {
    format!("{:.6}", picoseconds as f64 / 1e6)
}

/// Bytes in hexadecimal, as a digest is told.
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
