//! What commands print: text for people, JSON for machines.

use std::fmt::Display;

use serde::Serialize;

/// How a command that could run to its end came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As it should be.
    Success,
    /// Not so; what was printed says why.
    Failure,
}

impl From<bool> for Outcome {
    fn from(good: bool) -> Self {
        if good { Outcome::Success } else { Outcome::Failure }
    }
}

/// Prints a report: as JSON, or as its text.
pub fn print<R: Serialize + Display>(report: &R, json: bool) -> anyhow::Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(report)?);
    } else {
        println!("{report}");
    }
    Ok(())
}

/// Picoseconds as microseconds.
pub fn us(picoseconds: u64) -> String {
    format!("{:.6}", picoseconds as f64 / 1e6)
}
