//! Errors for arguments that clap accepts but a command refuses: clap's format and exit code 2.

use std::fmt::Display;

use clap::Error;
use clap::error::ErrorKind;

/// Error for a value that the command does not accept.
pub fn invalid(argument: &str, value: impl Display, reason: impl Display) -> anyhow::Error {
    let text = format!("invalid value '{value}' for '{argument}': {reason}");
    Error::raw(ErrorKind::ValueValidation, text).into()
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
