//! Skipping of identical polling iterations.
//!
//! A host that waits for a message reads the same word repeatedly: of its memory, or of its network interface.
//! In memory, nothing of an iteration reaches the device. Otherwise, if the device is in the same state of rest
//! at the end of an iteration as at the end of an earlier one, and had no other input in between, the iterations
//! between the two repeat until another event reaches the node. If the device counts, the states are the same if
//! its counters have advanced by the edges in between; iterations then repeat until it has counted to an end
//! (decision 0102). On some machines, iterations without an access repeat until the device changes the memory or
//! the interrupt pin of the host, even while it works ([`Side::accesses`]).
//! These repetitions are skipped:
//!
//! ```text
//!       base    leap                                            until
//! turns |---|---|  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  |--|
//!         one round   rounds that are left out                  the turn under way
//! ```
//!
//! An event within an iteration, above all a sample for the fingerprint, must find the device in the right
//! state: the iteration in progress is executed.
//!
//! Of several programs of a host, each polls, or rests until a fixed time. They are compared at the end of an iteration
//! of one of them, at which no access is in progress. Another program is then within an iteration of its own: it has to be
//! at the same step, for the same time, and until the same time. What it has read in that iteration is the same only if
//! whole iterations of it passed before, so three equal instants at equal distances are needed:
//!
//! ```text
//!              base         base         leap
//! program 0 |---|------------|------------|  -  -  -  -  -  -  |---
//! program 1 ------|------------|------------  -  -  -  -  -  -  --|--
//!               one round    the same     both programs continue one after the other
//! ```

use hdl::{Edges, MOST_CLOCKS, NicError};

use super::{Node, after};
use crate::host::{Position, Spent, spent};
use crate::machine::{CableOf, Machine, Side};
use crate::{Duration, Time};

/// The resting device at the end of an iteration, for comparison with later ones.
pub(super) struct Base {
    at: Time,
    /// Instant up to which all edges had passed in the device.
    passed: Time,
    /// Bus time of the host up to then.
    bus: Duration,
    registers: Registers,
    /// Where each program is in its polling loop, relative to `at`.
    programs: Vec<Position>,
    /// Length of the round that ended then, if all programs were at equal positions before.
    round: Option<Duration>,
    /// Iterations at whose end programs were at other positions, and how many of them the base outlasts.
    misses: u32,
    patience: u32,
}

impl Base {
    /// Counts an iteration at whose end programs are at other positions. Returns whether the base is kept: twice as long as
    /// the one before, so that it is once kept for a whole round, however many iterations this has.
    fn outlasts_miss(&mut self) -> bool {
        self.misses += 1;
        self.misses < self.patience
    }

    /// Patience of the base that replaces this one, at whose programs' positions the programs are again or not.
    fn next_patience(&self, is_again: bool) -> u32 {
        if is_again { self.patience } else { self.patience.saturating_mul(2) }
    }

    /// Whether the iterations since the base `before`, which the programs spent like this, repeat.
    fn repeats(&self, before: &Base, spent: &[Spent]) -> bool {
        let is_confirmed = !spent.contains(&Spent::WithinIterations) || before.round == self.round;
        self.round.is_some() && is_confirmed
    }
}

/// How a resting device is compared with a base.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    /// Nothing has reached the device since.
    Untouched,
    /// By its registers.
    Registers,
    /// Not at all: programs are at other positions, the device counts to another end than then, or its registers were not
    /// sampled.
    Impossible,
}

/// All registers of a resting device.
enum Registers {
    /// They were not sampled: the device soon counts to an end.
    Unknown,
    /// They stay as they are.
    Kept(Vec<u64>),
    /// The device counts until `alarm`: the registers then, and what one edge of its first clock adds to each. A counter
    /// changes equally at each edge.
    Counted { then: Vec<u64>, steps: Vec<u64>, alarm: Time },
}

impl Registers {
    /// A device that counts until `alarm`, with its registers now and after one more edge of its first clock.
    fn counted(then: Vec<u64>, next: Vec<u64>, alarm: Time) -> Registers {
        let mut steps = next;
        for (step, then) in steps.iter_mut().zip(&then) {
            *step = step.wrapping_sub(*then);
        }
        Registers::Counted { then, steps, alarm }
    }

    /// Whether a device shows these registers `edges` of its first clock later.
    fn lead_to(&self, present: &[u64], edges: u64) -> bool {
        match self {
            Registers::Unknown => false,
            Registers::Kept(then) => then == present,
            Registers::Counted { then, steps, .. } => {
                let later = |(then, step): (&u64, &u64)| step.wrapping_mul(edges).wrapping_add(*then);
                then.iter().zip(steps).map(later).eq(present.iter().copied())
            }
        }
    }

    /// The registers of the device at a later instant, at which they have led to the `present` ones.
    fn at_present(self, present: Vec<u64>) -> Registers {
        match self {
            Registers::Counted { steps, alarm, .. } => Registers::Counted { then: present, steps, alarm },
            Registers::Unknown | Registers::Kept(_) => Registers::Kept(present),
        }
    }
}

/// End of a polling iteration since which the device has changed neither memory nor interrupt pin.
#[derive(Clone, Copy)]
pub(super) struct Calm {
    at: Time,
    /// Accesses to the device by then.
    accesses: u64,
}

/// Skipped rounds of iterations.
#[derive(Clone, Copy)]
pub(super) struct Leap {
    /// End of the last executed iteration.
    since: Time,
    /// The repeated round: its length and its bus time.
    round: Duration,
    bus: Duration,
    /// Lasts until the device changes memory or interrupt pin; otherwise until the next event of the node.
    outlasts_events: bool,
}

impl Leap {
    /// The iterations between two equal states repeat.
    pub fn new(before: &Base, now: &Base) -> Leap {
        Leap { since: now.at, round: now.at - before.at, bus: now.bus - before.bus, outlasts_events: false }
    }

    /// The iterations after an earlier one, at `before`, repeat: they access no device.
    fn without_access(before: Time, now: Time) -> Leap {
        Leap { since: now, round: now - before, bus: Duration::ZERO, outlasts_events: true }
    }

    /// End of the last complete round by `until`, and bus time of the skipped rounds.
    pub fn land(&self, until: Time) -> (Time, Duration) {
        let rounds = (until - self.since).ps() / self.round.ps();
        (self.since + self.round * rounds, self.bus * rounds)
    }
}

impl<M: Machine> Node<M> {
    /// The link has a clock of its own, which has no edge while the host polls.
    pub(super) const LINK_HAS_CLOCK: bool = M::CLOCKS.count() > 1;

    /// Forgets the earlier iteration if the link's part of the device takes part in these edges. Where host and
    /// link share a clock, only an arrival is an input of the link.
    pub(super) fn forget_base(&mut self, now: Time, edges: Edges, cable: &CableOf<'_, M>) {
        let takes_part = match Self::LINK_HAS_CLOCK {
            true => edges.meets(Edges::of(M::LINK_CLOCK)),
            false => self.arrival(cable).is_some_and(|arrival| arrival <= now),
        };
        if takes_part {
            self.base = None;
        }
    }

    /// Enables or disables the skipping of identical iterations. Nothing is skipped while pins are observed.
    /// Returns whether iterations had been skipped; they are completed now.
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

    /// Whether the iterations of all programs, one of which is at the end of one, can be skipped from `now` on.
    pub(super) fn leaps(&mut self, now: Time) -> bool {
        let Some(turn) = self.programs.turn().filter(|_| self.services.is_waiting()) else {
            (self.base, self.calm) = (None, None);
            return false;
        };
        if turn == 1 {
            (self.base, self.calm) = (None, None);
        }
        let length = self.turned.replace(now).filter(|_| turn > 1).map(|turned| now - turned);
        let single = self.programs.is_single();
        if single && self.leaps_without_access(now) {
            // The node may have other events before the next iteration that is executed.
            self.base = None;
            return true;
        }
        if !self.asleep || self.side.next_access().is_some() {
            // Otherwise another program may be in its access, and the next end of an iteration may suit.
            if single {
                self.base = None;
            }
            return false;
        }
        (single || self.side.bus_is_free(now)) && self.leaps_from_base(now, length)
    }

    /// Compares the node with the base, and replaces the base. Returns whether iterations can be skipped from `now` on;
    /// `length` is that of the last one.
    fn leaps_from_base(&mut self, now: Time, length: Option<Duration>) -> bool {
        let programs = self.programs.positions(now);
        let (passed, bus) = (self.passed, self.side.bus_busy().unwrap_or_default());
        let at = now;
        let Some(mut before) = self.base.take() else {
            let registers = self.look_again(now, length, None);
            self.base =
                Some(Base { at, passed, bus, registers, programs, round: None, misses: 0, patience: 1 });
            return false;
        };
        let round = now - before.at;
        let spent = spent(&before.programs, &programs, round);
        if spent.is_none() && before.outlasts_miss() {
            self.base = Some(before);
            return false;
        }
        let comparison = if spent.is_some() { self.compares_with(&before) } else { Comparison::Impossible };
        if comparison == Comparison::Registers && !self.is_in_phase(now, round) {
            self.base = Some(before);
            return false;
        }
        let registers = std::mem::replace(&mut before.registers, Registers::Unknown);
        let (registers, is_equal) = match comparison {
            Comparison::Untouched => (registers, true),
            Comparison::Registers => {
                let clock = M::CLOCKS.domain(0);
                let edges = clock.edges_through(passed) - clock.edges_through(before.passed);
                let present = self.registers();
                match registers.lead_to(&present, edges) {
                    true => (registers.at_present(present), true),
                    false => (self.look_again(now, length, Some(present)), false),
                }
            }
            Comparison::Impossible => (self.look_again(now, length, None), false),
        };
        let patience = before.next_patience(spent.is_some());
        let round = is_equal.then_some(round);
        let base = Base { at, passed, bus, registers, programs, round, misses: 0, patience };
        let spent = spent.filter(|spent| base.repeats(&before, spent));
        if let Some(spent) = &spent {
            self.leap = Some(Leap::new(&before, &base));
            self.programs.hold(spent, now);
        }
        self.base = Some(base);
        spent.is_some()
    }

    /// How the resting device is compared with a base.
    fn compares_with(&self, base: &Base) -> Comparison {
        // An iteration that has not reached the device repeats, whatever the device counts.
        if base.passed == self.passed {
            return Comparison::Untouched;
        }
        let comparable = match &base.registers {
            Registers::Unknown => false,
            Registers::Kept(_) => self.alarm.is_none(),
            Registers::Counted { alarm, .. } => self.alarm == Some(*alarm),
        };
        if comparable { Comparison::Registers } else { Comparison::Impossible }
    }

    /// All registers of the resting device, if some iterations can be skipped before it has counted to an end; they are
    /// `present` if sampled already.
    fn look_again(&mut self, now: Time, length: Option<Duration>, present: Option<Vec<u64>>) -> Registers {
        let Some(alarm) = self.alarm else {
            return Registers::Kept(present.unwrap_or_else(|| self.registers()));
        };
        if length.is_none_or(|length| now + length * 2 >= alarm) {
            return Registers::Unknown;
        }
        let (mut edge, mut next) = ([0; MOST_CLOCKS], Vec::new());
        edge[0] = 1;
        if !self.nic.registers_after(&edge[..M::CLOCKS.count()], &mut next) {
            return Registers::Unknown;
        }
        Registers::counted(present.unwrap_or_else(|| self.registers()), next, alarm)
    }

    /// Whether an iteration repeats after this time though the phase of the clocks differs: the time is whole, or
    /// accesses take the same time at any phase. The device must then have been at rest for a cycle before the end of
    /// the iteration, as it is somewhat later at another phase.
    fn is_in_phase(&self, now: Time, round: Duration) -> bool {
        let slowest = M::CLOCKS.iter().map(|clock| clock.period).max().unwrap_or(Duration::ZERO);
        Self::is_whole(round) || self.side.ignores_phase() && self.passed + slowest <= now
    }

    /// Whether the iterations can be skipped because the last one has accessed no device.
    fn leaps_without_access(&mut self, now: Time) -> bool {
        let Some(accesses) = self.side.accesses().filter(|_| !self.side.changes_host(self.nic.outputs()))
        else {
            self.calm = None;
            return false;
        };
        let before =
            self.calm.replace(Calm { at: now, accesses }).filter(|before| before.accesses == accesses);
        self.leap = before.map(|before| Leap::without_access(before.at, now));
        self.leap.is_some()
    }

    /// Before the events of `now`: ends skipping, unless it outlasts them. Returns whether any iterations were skipped.
    pub(super) fn land_at_event(&mut self, now: Time, cable: &mut CableOf<'_, M>) -> Result<bool, NicError> {
        let Some(leap) = self.leap else { return Ok(false) };
        let goes_on = leap.outlasts_events && !self.programs.is_due(now);
        if goes_on { Ok(false) } else { self.land(now, cable) }
    }

    /// Whether iterations are being skipped only until the next event.
    pub(super) fn lands_at_events(&self) -> bool {
        self.leap.is_some_and(|leap| !leap.outlasts_events)
    }

    /// Whether programs poll, and the device may change what they poll in the cycle that begins now.
    #[inline]
    pub(super) fn changes_polled(&self) -> bool {
        (self.calm.is_some() || self.leap.is_some()) && self.side.changes_host(self.nic.outputs())
    }

    /// After the edges of `now`: ends skipping if what programs poll may change now. Returns whether any iterations
    /// were skipped.
    pub(super) fn land_at_change(&mut self, now: Time, cable: &mut CableOf<'_, M>) -> Result<bool, NicError> {
        let watched = self.calm.is_some() || self.leap.is_some();
        if !watched || !self.services.is_due(now) && !self.changes_polled() {
            return Ok(false);
        }
        let landed = self.land(now, cable)?;
        self.calm = None;
        Ok(landed)
    }

    /// Whether a time is a multiple of each clock's period: at another phase of the clocks, the same access takes a
    /// different time. A clock of the link alone is at rest.
    fn is_whole(time: Duration) -> bool {
        let rests = |clock: usize| Self::LINK_HAS_CLOCK && clock == M::LINK_CLOCK;
        let mut clocks = M::CLOCKS.iter().enumerate().filter(|(clock, _)| !rests(*clock));
        clocks.all(|(_, clock)| time.ps().is_multiple_of(clock.period.ps()))
    }

    /// A sample of all registers of the device.
    fn registers(&self) -> Vec<u64> {
        let mut registers = Vec::with_capacity(self.nic.signals().len());
        self.nic.sample_registers(&mut registers);
        registers
    }

    /// Executes the events before `now` of iterations in progress, after adding the skipped ones. Returns
    /// whether any were skipped.
    pub(super) fn land(&mut self, now: Time, cable: &mut CableOf<'_, M>) -> Result<bool, NicError> {
        let leapt = self.leap.is_some();
        while let Some(leap) = self.leap.take() {
            let (at, bus) = leap.land(now.min(self.inspection.next_sample()));
            self.side.add_bus_busy(bus);
            self.programs.release(leap.since, at);
            self.programs.go_on(at);
            self.turned = Some(at);
            // The node is in the state of the base again.
            if let Some(base) = self.base.as_mut().filter(|base| base.at == leap.since) {
                (base.at, base.bus) = (at, base.bus + bus);
            }
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
    fn device_is_equal_if_only_its_counters_have_advanced() {
        // Registers: a register, a counter up, a counter down, a counter at bit 8 of packed pins.
        let (then, next) = (vec![7, 10, 90, 0x2a05], vec![7, 11, 89, 0x2b05]);
        let start = || Registers::counted(then.clone(), next.clone(), Time::from_ps(500));
        assert!(start().lead_to(&[7, 30, 70, 0x3e05], 20));
        for wrong in [[6, 30, 70, 0x3e05], [7, 29, 70, 0x3e05], [7, 30, 90, 0x3e05], [7, 30, 70, 0x3e04]] {
            assert!(!start().lead_to(&wrong, 20), "{wrong:x?}");
        }
        let later = start().at_present(vec![7, 30, 70, 0x3e05]);
        assert!(later.lead_to(&[7, 31, 69, 0x3f05], 1) && !later.lead_to(&[7, 31, 69, 0x3f05], 2));
        assert!(
            Registers::Kept(vec![7, 10]).lead_to(&[7, 10], 5) && !Registers::Kept(vec![7]).lead_to(&[8], 5)
        );
        assert!(!Registers::Unknown.lead_to(&[], 0));
    }

    #[test]
    fn leap_ends_after_the_last_complete_round() {
        let (ns, long) = (|ns: u64| Time::from_ps(ns * 1_000), Duration::from_ns);
        let base = |at, bus| Base {
            at: ns(at),
            passed: Time::ZERO,
            registers: Registers::Unknown,
            bus: long(bus),
            programs: Vec::new(),
            round: None,
            misses: 0,
            patience: 1,
        };
        let leap = Leap::new(&base(100, 7), &base(300, 17));
        assert_eq!(leap.land(ns(300)), (ns(300), long(0)));
        assert_eq!(leap.land(ns(499)), (ns(300), long(0)));
        assert_eq!(leap.land(ns(500)), (ns(500), long(10)));
        assert_eq!(leap.land(ns(2_000)), (ns(1_900), long(80)));
    }
}
