//! Kinds of findings: violations, traps, and steps that waste time or report a dead peer although nothing is violated.

use crate::core::kinds;

kinds! {
    /// A kind of finding.
    pub enum Wrong {
        SilentLoss = "silent loss": "the sender has freed a message that the receiver does not have",
        Duplicate = "duplicate": "the host was given a message twice",
        Misorder = "wrong order": "the host was given a message before the one that precedes it",
        FreedSent = "freed buffer": "the sender may send a message that it has freed",
        Deadlock (trap) = "deadlock": "from here on everything comes to rest before all is delivered",
        Livelock (trap) = "livelock": "from here on it goes on for ever and never delivers all",
        IgnoredLose = "ignored LOSE": "LOSE arrives and is ignored",
        TakenLose = "LOSE taken": "LOSE arrives and is taken",
        GoForTheNext = "GO without rewind": "GO(k) is taken, and the sender goes on behind message k, which was discarded",
        TimerForward = "timer forward": "a timer takes the sender forward, over a message that another timer wanted to send again",
        SecondRewind = "second rewind": "LOSE takes the sender back to where an earlier LOSE has taken it already",
        Report = "report": "the peer is reported dead",
    }
}

impl Wrong {
    /// Findings that a state shows by itself.
    pub const VIOLATIONS: [Self; 4] = [Self::SilentLoss, Self::Duplicate, Self::Misorder, Self::FreedSent];

    /// The kind of finding is a step.
    pub fn is_step(self) -> bool {
        self > Self::Livelock
    }

    /// Name of the property that holds without a violation.
    pub const fn property(self) -> &'static str {
        match self {
            Self::SilentLoss => "no message is freed before it is delivered",
            Self::Duplicate => "no message is delivered twice",
            Self::Misorder => "messages are delivered in order",
            Self::FreedSent => "no freed message is sent",
            _ => "an end can be reached",
        }
    }
}
