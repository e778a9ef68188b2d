//! The option that an error of a traffic pattern belongs to.

use workload::{PatternError, Problem};

use super::{Args, NODES, WORKLOAD};
use crate::shell_words::text;
use crate::usage;

/// The error for a pattern with messages of `bytes` bytes at the load `share`.
pub(super) fn refused(args: &Args, bytes: u64, share: f64, error: &PatternError) -> anyhow::Error {
    let (length, value) = args.measuring.length_option();
    match error {
        PatternError::NoSquare(_)
        | PatternError::NoPower { .. }
        | PatternError::TooFewNodes { .. }
        | PatternError::Problem(Problem::Nodes(_)) => usage::invalid(NODES, args.nodes, error),
        PatternError::Window => usage::invalid("--window <MESSAGES>", 0, error),
        PatternError::Load(_) => usage::invalid("--load <LOAD>", share, error),
        PatternError::NoHotSpot { node, .. } => usage::invalid("--hot-node <NODE>", node, error),
        PatternError::TooShort(_) | PatternError::TooLate | PatternError::Problem(Problem::TooMany) => {
            usage::invalid(length, value, error)
        }
        PatternError::Problem(Problem::NoBytes | Problem::Bytes { .. }) => {
            usage::invalid("--size <SIZE>", bytes, error)
        }
        PatternError::Link | PatternError::Problem(_) => {
            usage::invalid(WORKLOAD, text(&args.workload), error)
        }
    }
}
