//! Kinds of findings.

use crate::core;

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wrong {
    /// A unit is read that is not the one that was sent.
    WrongData,
    /// A message finds no place although its sender had a credit.
    Held,
    /// A header comes that no rule allows.
    Refused,
    /// An entry writes into the window of another task.
    ForeignWindow,
    /// A ring is full and counts as empty: what lies in it is lost.
    Overrun,
    /// Nothing goes on before the progress thread's next period.
    Late,
    /// No end can be reached any more.
    Deadlock,
}

impl core::Wrong for Wrong {
    fn name(self) -> &'static str {
        match self {
            Self::WrongData => "wrong data",
            Self::Held => "held link",
            Self::Refused => "refused header",
            Self::ForeignWindow => "foreign window",
            Self::Overrun => "overrun",
            Self::Late => "late",
            Self::Deadlock => "deadlock",
        }
    }

    fn says(self) -> &'static str {
        match self {
            Self::WrongData => "a unit is read that is not the one that was sent",
            Self::Held => "a message finds no place although its sender had a credit",
            Self::Refused => "a header comes that no rule allows",
            Self::ForeignWindow => "an entry writes into the window of another task",
            Self::Overrun => "a ring is full and counts as empty: what lies in it is lost",
            Self::Late => "nothing goes on before the progress thread's next period",
            Self::Deadlock => "from here on it can never be completed",
        }
    }

    fn is_trap(self) -> bool {
        self == Self::Deadlock
    }
}

impl Wrong {
    /// Nothing has to follow it: it is reported by its own name and not as a deadlock too.
    pub(super) fn is_final(self) -> bool {
        !matches!(self, Self::Late | Self::Held)
    }
}
