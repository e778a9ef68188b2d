//! Kinds of findings.

use crate::core::kinds;

kinds! {
    /// A kind of finding.
    pub enum Wrong {
        WrongData = "wrong data": "a unit is read that is not the one that was sent",
        Held = "held link": "a message finds no place although its sender had a credit",
        Refused = "refused header": "a header comes that no rule allows",
        ForeignWindow = "foreign window": "an entry writes into the window of another task",
        Overrun = "overrun": "a ring is full and counts as empty: what lies in it is lost",
        Late = "late": "nothing goes on before the progress thread's next period",
        Deadlock (trap) = "deadlock": "from here on it can never be completed",
    }
}

impl Wrong {
    /// Nothing has to follow it: it is reported by its own name and not as a deadlock too.
    pub(super) fn is_final(self) -> bool {
        !matches!(self, Self::Late | Self::Held)
    }
}
