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

use hdl::NicError;

use super::{Node, after};
use crate::machine::{CableOf, Machine, Side};
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

impl<M: Machine> Node<M> {
    /// Whether turns of loops that are alike may be left out from now on. Where somebody looks at what passes the pins, none are. Tells whether
    /// some were, which have now passed.
    pub(crate) fn set_leaping(
        &mut self,
        leaping: bool,
        now: Time,
        cable: &mut CableOf<'_, M>,
    ) -> Result<bool, NicError> {
        let seen = self.inspection.watches() || self.shared.log.borrow().observing;
        self.shared.leaping.set(leaping && self.skipping && !seen);
        self.land(after(now), cable)
    }

    /// Whether the turns of the only program, which stands at the end of one, are left out from `now` on.
    pub(super) fn leaps(&mut self, now: Time) -> bool {
        let rests = self.asleep && self.alarm.is_none() && self.side.next_access().is_none();
        let Some(turns) = self.programs.turns().filter(|_| rests && self.services.is_waiting()) else {
            self.base = None;
            return false;
        };
        if turns == 1 {
            self.base = None;
        }
        // Where the clocks stand differently, the same access takes another time. That of the link rests.
        let clocks = M::CLOCKS.iter().enumerate().filter(|(clock, _)| *clock != M::LINK_CLOCK);
        let mut periods = clocks.map(|(_, clock)| clock.period.ps());
        let since = self.base.as_ref().map_or(Duration::ZERO, |base| now - base.at);
        if !periods.all(|period| since.ps().is_multiple_of(period)) {
            return false;
        }
        let mut signals = Vec::new();
        self.nic.sample(&mut signals);
        let base = Base { at: now, signals, bus: self.side.bus_busy().unwrap_or_default() };
        let before = self.base.replace(base);
        let now = self.base.as_ref().expect("it was just put there");
        self.leap =
            before.filter(|before| before.signals == now.signals).map(|before| Leap::new(&before, now));
        self.leap.is_some()
    }

    /// Goes through what happens here before `now` in the turns that are under way; those before them were left out. Tells whether there were any.
    pub(super) fn land(&mut self, now: Time, cable: &mut CableOf<'_, M>) -> Result<bool, NicError> {
        let leapt = self.leap.is_some();
        while let Some(leap) = self.leap.take() {
            let (at, bus) = leap.land(now.min(self.inspection.next_sample()));
            self.side.add_bus_busy(bus);
            self.programs.go_on(at);
            loop {
                let next = self.next_event(at, cable);
                if self.leap.is_some() || next >= now {
                    break;
                }
                self.happen(next, cable)?;
            }
        }
        Ok(leapt)
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
