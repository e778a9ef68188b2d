//! Errors that end a run before its programs.

use std::fmt::Write;

use hdl::NicError;
use thiserror::Error;

use crate::{TaskReport, Time};

/// Error that ended a run before its programs.
#[derive(Debug, Error)]
pub enum RunError {
    /// A device failed.
    #[error("the device of node {node} stopped at {time}: {source}")]
    Nic {
        /// Number of the node.
        node: usize,
        /// Virtual time of the failure.
        time: Time,
        /// Error of the device.
        source: NicError,
    },
    /// All programs wait for events that cannot happen.
    #[error("the cluster stalled at {time}: no event is pending{}", list(.waiting))]
    Stalled {
        /// Time of the last event.
        time: Time,
        /// Unfinished programs.
        waiting: Vec<TaskReport>,
    },
    /// Another part of the cluster failed.
    #[error("{0}")]
    Elsewhere(String),
    /// Programs were unfinished, or devices not idle, when the time limit was reached.
    #[error("the limit of {limit} was reached{}", list(.waiting))]
    Limit {
        /// End of the permitted time.
        limit: Time,
        /// Unfinished programs.
        waiting: Vec<TaskReport>,
    },
}

impl RunError {
    /// The more informative of two failures of a run: the earlier one, and a local one rather than a report
    /// of another part's failure.
    pub(crate) fn worse(before: Option<RunError>, other: RunError) -> RunError {
        match (before, other) {
            (None | Some(RunError::Elsewhere(_)), other) => other,
            (Some(RunError::Nic { time: first, .. }), RunError::Nic { node, time, source })
                if time < first =>
            {
                RunError::Nic { node, time, source }
            }
            (Some(RunError::Limit { limit, mut waiting }), RunError::Limit { waiting: more, .. }) => {
                waiting.extend(more);
                RunError::Limit { limit, waiting }
            }
            (Some(RunError::Stalled { time, mut waiting }), RunError::Stalled { waiting: more, .. }) => {
                waiting.extend(more);
                RunError::Stalled { time, waiting }
            }
            (Some(before), _) => before,
        }
    }
}

fn list(waiting: &[TaskReport]) -> String {
    waiting.iter().fold(String::new(), |mut text, task| {
        write!(text, "; {task}").expect("text has room");
        text
    })
}
