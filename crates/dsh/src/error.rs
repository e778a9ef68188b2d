//! Errors of starting a shell and of lines: one line each, with the usage.

use machine_api::command::ParseError;
use machine_api::{Driven, Refusal};
use thiserror::Error;

use crate::break_point::SubjectError;
use crate::expression::ExpressionError;
use crate::looking::TraceError;
use crate::session::SessionError;
use crate::table::usage;

/// Cycles after which `run until` gives up.
pub(crate) const UNTIL: u64 = 1_000_000;

/// Why a shell cannot start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// The number of processes is 0 or too large.
    #[error("there are 1 to {most} processes, not {asked}")]
    Processes {
        /// Most processes of this machine.
        most: usize,
        /// The number given.
        asked: usize,
    },
    /// The PID is not below the number of processes.
    #[error("of {processes} processes the last one has PID {}, there is no {pid}", .processes - 1)]
    Pid {
        /// Number of processes.
        processes: usize,
        /// The PID given.
        pid: usize,
    },
    /// The cluster does not start.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// Why a line failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// The line is not UTF-8.
    #[error("byte {place} of the line, {byte:#04x}, is not UTF-8 text; type the line again in UTF-8")]
    NotText {
        /// The first byte that is not part of a character.
        byte: u8,
        /// Its place in the line, from 1.
        place: usize,
    },
    /// The command is unknown or its arguments are wrong.
    #[error(transparent)]
    Unknown(ParseError),
    /// The command is refused.
    #[error("{command}: {why}; usage: {usage}")]
    Wrong {
        /// Name of the command.
        command: &'static str,
        /// Reason of the refusal.
        why: String,
        /// Syntax of the command.
        usage: String,
    },
    /// The session cannot do it.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A condition or register is wrong.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// The condition of a break point is wrong.
    #[error(transparent)]
    Subject(#[from] SubjectError),
    /// A waveform file failed.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// No point has this name.
    #[error("nothing was saved as `{name}`{}", saved(.known))]
    NotSaved {
        /// The name given.
        name: String,
        /// Names of saved points.
        known: Vec<String>,
    },
    /// `run until` reached its limit.
    #[error("run: `{0}` did not become true in {UNTIL} cycles")]
    Never(String),
    /// The node has not sent a frame yet.
    #[error("dump: node {0} has not sent anything")]
    NothingSent(usize),
    /// The node has no message to explain.
    #[error("explain: node {0} has not issued anything")]
    NothingIssued(usize),
    /// A file cannot be read.
    #[error("source: {0}")]
    File(String),
}

impl LineError {
    /// The arguments of a command contradict its meaning.
    pub(crate) fn wrong<M: Driven>(command: &'static str, why: impl ToString) -> Self {
        LineError::Wrong { command, why: why.to_string(), usage: usage::<M>(command) }
    }

    /// A machine refused a command.
    pub(crate) fn of<M: Driven>(command: &'static str, refusal: Refusal) -> Self {
        match refusal {
            Refusal::Target(error) => LineError::Session(error.into()),
            Refusal::Wrong(why) => Self::wrong::<M>(command, why),
        }
    }
}

fn saved(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!(", only {}", known.join(", ")) }
}
