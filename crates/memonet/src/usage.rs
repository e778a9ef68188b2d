//! Arguments that clap takes and a command does not: told as clap tells it, with exit code 2.

use std::fmt::Display;

use clap::Error;
use clap::error::ErrorKind;

/// An argument has a value that cannot be.
pub fn invalid(argument: &str, value: impl Display, reason: impl Display) -> anyhow::Error {
    let text = format!("invalid value '{value}' for '{argument}': {reason}");
    Error::raw(ErrorKind::ValueValidation, text).into()
}

/// An argument means nothing beside another one.
pub fn conflict(argument: &str, other: impl Display) -> anyhow::Error {
    let text = format!("the argument '{argument}' cannot be used with '{other}'");
    Error::raw(ErrorKind::ArgumentConflict, text).into()
}

/// The command cannot be run like this.
pub fn refused(reason: impl Display) -> anyhow::Error {
    Error::raw(ErrorKind::InvalidSubcommand, reason.to_string()).into()
}
