//! Kinds of findings.

use crate::core::kinds;

kinds! {
    /// A kind of finding.
    pub enum Wrong {
        Duplicate = "duplicate": "a block is handed over twice",
        Misorder = "wrong order": "a block is handed over before the one that precedes it",
        Torn = "torn block": "a block is not as it was sent",
        SilentLoss = "silent loss": "a block counts as arrived that its receiver does not have",
        Memory = "memory": "blocks take more memory than there is for them",
        Overrun = "window": "more is on the way than the whole window of the receiver",
        Overflow = "socket buffer": "more is on the way to a node than its socket buffer holds",
        Unpermitted = "permits": "more is sent again than is permitted, or more is permitted than the budget",
        Deadlock (trap) = "deadlock": "from here on all comes to rest before everything has arrived",
        Livelock (trap) = "livelock": "from here on it goes on for ever, and not everything can arrive",
        Storm = "storm": "packets chase each other for ever, although nothing is done and no time passes",
    }
}
