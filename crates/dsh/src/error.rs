//! Why a shell does not start, and why a line fails: one line each, with the usage.

use thiserror::Error;

use crate::arguments::BadLine;
use crate::execute::ExecuteError;
use crate::expression::ExpressionError;
use crate::looking::TraceError;
use crate::machine::MachineError;
use crate::shell::{PROCESSES, UNTIL};
use crate::table::entries;

/// Why a shell cannot start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// Too many, or none.
    #[error("there are 1 to {PROCESSES} processes, not {0}")]
    Processes(usize),
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
    /// It is no command.
    #[error("{}", bad_line(.0))]
    Bad(BadLine),
    /// The command is not carried out.
    #[error("{command}: {error}; usage: {}", usage(.command))]
    Execute {
        /// Name.
        command: &'static str,
        /// Why.
        error: ExecuteError,
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
    /// No such node.
    #[error("node: the last one is {last}; usage: {}", usage("node"))]
    Node {
        /// Its number.
        last: usize,
    },
    /// No such break point.
    #[error("delete: there is no break point {number}; usage: {}", usage("delete"))]
    NoBreak {
        /// Its number.
        number: usize,
    },
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
    /// No primitive to explain.
    #[error("explain: node {0} has not issued anything")]
    NothingIssued(usize),
    /// A file.
    #[error("source: {0}")]
    File(String),
}

impl LineError {
    /// A command was not carried out.
    pub(crate) fn of(command: &'static str, error: ExecuteError) -> Self {
        match error {
            ExecuteError::Target(error) => LineError::Machine(error.into()),
            error => LineError::Execute { command, error },
        }
    }
}

fn bad_line(bad: &BadLine) -> String {
    match bad.command {
        Some(command) => format!("{command}: {}; usage: {}", bad.error, usage(command)),
        None => bad.error.to_string(),
    }
}

fn usage(command: &str) -> String {
    let syntax = entries().filter(|entry| entry.names.contains(&command)).map(|entry| entry.syntax());
    syntax.collect::<Vec<_>>().join(" or ")
}

fn saved(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!(", only {}", known.join(", ")) }
}
