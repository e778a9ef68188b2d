//! The option that an error of a traffic pattern belongs to.

use workload::{PatternError, Problem};

use super::{Args, NODES, WORKLOAD};
use crate::shell_words::text;
use crate::usage;

/// The error for a pattern with messages of `bytes` bytes at the load `share`.
pub(super) fn refused(args: &Args, bytes: u64, share: f64, error: &PatternError) -> anyhow::Error {
    let duration = args.time.as_deref().unwrap_or_default();
    match error {
        PatternError::NoSquare(_)
        | PatternError::TooFewNodes { .. }
        | PatternError::Problem(Problem::Nodes(_)) => usage::invalid(NODES, args.nodes, error),
        PatternError::Load(_) => usage::invalid("--load <LOAD>", share, error),
        PatternError::TooShort(_) => usage::invalid("--time <TIME>", duration, error),
        PatternError::Problem(Problem::NoBytes | Problem::Bytes { .. }) => {
            usage::invalid("--size <SIZE>", bytes, error)
        }
        PatternError::TooLate | PatternError::Problem(Problem::TooMany) if args.time.is_some() => {
            usage::invalid("--time <TIME>", duration, error)
        }
        PatternError::TooLate | PatternError::Problem(Problem::TooMany) => {
            usage::invalid("--messages <MESSAGES>", args.messages, error)
        }
        PatternError::Link | PatternError::Problem(_) => {
            usage::invalid(WORKLOAD, text(&args.workload), error)
        }
    }
}
