//! Rules left out on purpose. The functions of the library stay as they are: a defect changes their inputs or outputs.

use mpi::window_rules::{Call, Condition, Signal, Signals, Step};

/// A rule that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Target: a lock is granted at once.
    GrantsAll,
    /// Target: the end of a lock grants no other.
    GrantsNone,
    /// Target: messages that are whole overtake others.
    Overtakes,
    /// Target: locks of dead ranks stay.
    KeepsDeadLocks,
    /// Target: the end of an exposure epoch keeps the messages that ended it.
    KeepsCompletes,
    /// Origin: an unlock does not wait for its answer.
    UnlocksUnanswered,
    /// Origin: an unlock does not wait for the acknowledgements of remote writes.
    UnlocksOverWrites,
    /// Origin: an unlock stops at a dead target.
    UnlocksUntilDead,
    /// Origin: a complete does not wait for the acknowledgements of remote writes.
    CompletesOverWrites,
    /// Origin: a lock of all ranks that fails keeps the granted ones.
    KeepsPartialLocks,
    /// Origin: a lock is given up without waiting for the answer.
    WithdrawsUnanswered,
    /// Origin: a start does not wait for posts.
    StartsUnposted,
    /// Origin: a fence has no flush.
    FencesUnflushed,
    /// Carrier: messages of a pair of ranks overtake each other.
    Reorders,
    /// Carrier: a message comes twice.
    Repeats,
}

impl Defect {
    /// The rules with this defect, in a few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::GrantsAll => "all locks are granted",
            Self::GrantsNone => "the next lock is not granted",
            Self::Overtakes => "whole messages overtake",
            Self::KeepsDeadLocks => "dead ranks keep locks",
            Self::KeepsCompletes => "completes are kept",
            Self::UnlocksUnanswered => "unlocks wait for no answer",
            Self::UnlocksOverWrites => "unlocks overtake writes",
            Self::UnlocksUntilDead => "unlocks stop at dead ranks",
            Self::CompletesOverWrites => "completes overtake writes",
            Self::KeepsPartialLocks => "partial locks are kept",
            Self::WithdrawsUnanswered => "withdrawals wait for no answer",
            Self::StartsUnposted => "starts wait for no post",
            Self::FencesUnflushed => "fences flush nothing",
            Self::Reorders => "messages are reordered",
            Self::Repeats => "messages are repeated",
        }
    }

    /// Whether a step of a call is left out.
    pub(super) fn skips(self, call: Call, step: Step) -> bool {
        match self {
            Self::UnlocksUnanswered => call == Call::Unlock && step == Step::Await(Condition::Flushed),
            Self::UnlocksOverWrites => call == Call::Unlock && step == Step::Await(Condition::Written),
            Self::CompletesOverWrites => call == Call::Complete && step == Step::Await(Condition::Written),
            Self::WithdrawsUnanswered => call == Call::Withdraw && step == Step::Await(Condition::Flushed),
            Self::KeepsPartialLocks => call == Call::Withdraw,
            Self::StartsUnposted => call == Call::Start,
            _ => false,
        }
    }

    /// Whether a call ends at a dead rank, although others are left.
    pub(super) fn stops_at_dead(self, call: Call) -> bool {
        self == Self::UnlocksUntilDead && call == Call::Unlock
    }

    /// The answers of a target to a message.
    pub(super) fn answers(self, from: usize, signal: Signal, mut answers: Signals) -> Signals {
        match (self, signal) {
            (Self::GrantsAll, Signal::Lock(_)) => return vec![(from, Signal::Granted)],
            (Self::GrantsAll | Self::GrantsNone, Signal::Unlock) => {
                answers.retain(|(_, answer)| *answer != Signal::Granted);
            }
            _ => {}
        }
        answers
    }
}
