//! Errors for arguments that clap accepts but a command refuses: clap's format and exit code 2.

use std::fmt::Display;

use clap::Error;
use clap::error::ErrorKind;
use cluster::Duration;
use workload::parse_duration;

/// Error for a value that the command does not accept.
pub fn invalid(argument: &str, value: impl Display, reason: impl Display) -> anyhow::Error {
    let text = format!("invalid value '{value}' for '{argument}': {reason}");
    Error::raw(ErrorKind::ValueValidation, text).into()
}

/// The duration of an option such as `--limit`; more than 0.
pub fn duration(argument: &str, text: &str) -> anyhow::Result<Duration> {
    match parse_duration(text) {
        Ok(Duration::ZERO) => Err(invalid(argument, text, "the time is more than 0")),
        parsed => parsed.map_err(|error| invalid(argument, text, error)),
    }
}

/// Error for two arguments that exclude each other.
pub fn conflict(argument: &str, other: impl Display) -> anyhow::Error {
    let text = format!("the argument '{argument}' cannot be used with '{other}'");
    Error::raw(ErrorKind::ArgumentConflict, text).into()
}

/// Error without reference to a single argument.
pub fn refused(reason: impl Display) -> anyhow::Error {
    Error::raw(ErrorKind::InvalidSubcommand, reason.to_string()).into()
}
