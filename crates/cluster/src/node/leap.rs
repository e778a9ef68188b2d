//! Turns of a program's loop that are left out.
//!
//! A host that waits for a message reads the same word of its network interface again and again. If the device rests at the end of a turn
//! just as it rested at the end of an earlier one, and nothing else came to it in between, then the turns between the two will come
//! again and again, until something else happens to the node. Nobody needs to see them:
//!
//! ```text
//!       base    leap                                            until
//! turns |---|---|  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  |--|
//!         one round   rounds that are left out                  the turn under way
//! ```
//!
//! What happens in the midst of a turn, a sample for the fingerprint above all, finds the device where it would be: the turn that is
//! under way is gone through.

use crate::{Duration, Time};

/// The device at rest at the end of a turn, to be compared with later ones.
pub(super) struct Base {
    pub at: Time,
    /// All its signals.
    pub signals: Vec<u64>,
    /// For how long the bus of the host was taken until then.
    pub bus: Duration,
}

/// Rounds that are left out.
#[derive(Clone, Copy)]
pub(super) struct Leap {
    /// The end of the last turn that was gone through.
    since: Time,
    /// Turns that come again and again: how long they take, and for how long they take the bus.
    round: Duration,
    bus: Duration,
}

impl Leap {
    /// The turns from one to the other come again and again.
    pub fn new(before: &Base, now: &Base) -> Leap {
        Leap { since: now.at, round: now.at - before.at, bus: now.bus - before.bus }
    }

    /// The end of the last round that is over by `until`, and for how long the rounds that were left out took the bus.
    pub fn land(&self, until: Time) -> (Time, Duration) {
        let rounds = (until - self.since).ps() / self.round.ps();
        (self.since + self.round * rounds, self.bus * rounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leap_lands_at_the_end_of_the_last_round_before_something_comes() {
        let (ns, long) = (|ns: u64| Time::from_ps(ns * 1_000), Duration::from_ns);
        let base = |at, bus| Base { at: ns(at), signals: Vec::new(), bus: long(bus) };
        let leap = Leap::new(&base(100, 7), &base(300, 17));
        assert_eq!(leap.land(ns(300)), (ns(300), long(0)));
        assert_eq!(leap.land(ns(499)), (ns(300), long(0)));
        assert_eq!(leap.land(ns(500)), (ns(500), long(10)));
        assert_eq!(leap.land(ns(2_000)), (ns(1_900), long(80)));
    }
}
