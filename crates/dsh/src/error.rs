//! Why a shell does not start, and why a line fails: one line each, with the usage.

use lab::command::ParseError;
use lab::{Driven, Refusal};
use thiserror::Error;

use crate::expression::ExpressionError;
use crate::looking::TraceError;
use crate::machine::MachineError;
use crate::shell::UNTIL;
use crate::table::usage;

/// Why a shell cannot start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// Too many, or none.
    #[error("there are 1 to {most} processes, not {asked}")]
    Processes {
        /// Most of this machine.
        most: usize,
        /// What was asked for.
        asked: usize,
    },
    /// No such process.
    #[error("of {processes} processes the last one has PID {}, there is no {pid}", .processes - 1)]
    Pid {
        /// Processes.
        processes: usize,
        /// PID.
        pid: usize,
    },
    /// The boards.
    #[error(transparent)]
    Machine(#[from] MachineError),
}

/// Why a line failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// There is no such command.
    #[error(transparent)]
    Unknown(ParseError),
    /// The command is not carried out.
    #[error("{command}: {why}; usage: {usage}")]
    Wrong {
        /// Name.
        command: &'static str,
        /// Why.
        why: String,
        /// How it is typed.
        usage: String,
    },
    /// The boards.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// A condition or register.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// A file of waveforms.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// Nothing was saved so.
    #[error("nothing was saved as `{name}`{}", saved(.known))]
    NotSaved {
        /// Name.
        name: String,
        /// Names that there are.
        known: Vec<String>,
    },
    /// `run until` gave up.
    #[error("run: `{0}` did not become true in {UNTIL} cycles")]
    Never(String),
    /// No frame has left the node.
    #[error("dump: node {0} has not sent anything")]
    NothingSent(usize),
    /// Nothing to explain.
    #[error("explain: node {0} has not issued anything")]
    NothingIssued(usize),
    /// A file.
    #[error("source: {0}")]
    File(String),
}

impl LineError {
    /// A command cannot be meant like this.
    pub(crate) fn wrong<M: Driven>(command: &'static str, why: impl ToString) -> Self {
        LineError::Wrong { command, why: why.to_string(), usage: usage::<M>(command) }
    }

    /// A command was not carried out.
    pub(crate) fn of<M: Driven>(command: &'static str, refusal: Refusal) -> Self {
        match refusal {
            Refusal::Target(error) => LineError::Machine(error.into()),
            Refusal::Wrong(why) => Self::wrong::<M>(command, why),
        }
    }
}

fn saved(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!(", only {}", known.join(", ")) }
}
