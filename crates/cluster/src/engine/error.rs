//! How a run ends before its programs.

use std::fmt::Write;

use hdl::NicError;
use thiserror::Error;

use crate::{TaskReport, Time};

/// Why a run ended before its programs.
#[derive(Debug, Error)]
pub enum RunError {
    /// A device cannot go on.
    #[error("the device of node {node} stopped at {time}: {source}")]
    Nic {
        /// The node.
        node: usize,
        /// When.
        time: Time,
        /// What the device says.
        source: NicError,
    },
    /// Programs wait for something that virtual time cannot bring about.
    #[error("nothing can happen any more at {time}{}", list(.waiting))]
    Stalled {
        /// Since when.
        time: Time,
        /// The programs.
        waiting: Vec<TaskReport>,
    },
    /// Another part of the cluster is gone.
    #[error("{0}")]
    Elsewhere(String),
    /// Programs were not done, or devices not idle, when the limit was reached.
    #[error("the limit of {limit} was reached{}", list(.waiting))]
    Limit {
        /// The limit.
        limit: Time,
        /// Programs that were not done.
        waiting: Vec<TaskReport>,
    },
}

impl RunError {
    /// Of two failures of one run the one that tells more: what happened first, and not that something happened elsewhere.
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
