//! Link fault injection: drop, truncate, corrupt, duplicate or delay frames.
//!
//! A fault is queued for a frame and applied to it; the sender does not notice. The affected frames depend
//! only on the order of frames and on a seed, so a run with faults is as reproducible as any other.
//!
//! A truncated or corrupted frame has a wrong CRC. A link that is [checked](Faults::checked) drops it,
//! because its receiver stores frames before it forwards them. Otherwise devices see the rest of the frame.

use std::collections::VecDeque;
use std::fmt;

use hdl::Stimulus;

use super::unit::Unit;

/// A fault that affects one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The frame is lost.
    Drop,
    /// The frame ends after this number of units with an empty last one, as if its sender had been reset.
    Cut(u16),
    /// This bit, counted from the beginning of the frame, is inverted.
    Corrupt(u32),
    /// The frame arrives twice.
    Repeat,
    /// The frame arrives after the one that follows it.
    Delay,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Drop => write!(f, "drop"),
            Fault::Cut(units) => write!(f, "cut {units}"),
            Fault::Corrupt(bit) => write!(f, "corrupt {bit}"),
            Fault::Repeat => write!(f, "repeat"),
            Fault::Delay => write!(f, "delay"),
        }
    }
}

/// Rates of random faults on a link, in frames per million.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// Frames that are lost.
    pub loss: u32,
    /// Frames that arrive twice.
    pub duplication: u32,
    /// Frames that arrive after their successor.
    pub reordering: u32,
    /// Frames with one inverted bit.
    pub corruption: u32,
    /// Frames that begin a burst of lost frames.
    pub burst: u32,
    /// Number of frames in a burst.
    pub burst_length: u32,
    /// Frames that end early.
    pub cut: u32,
}

impl Rates {
    /// Rates at which one frame in `one_in` is lost, truncated or corrupted, each equally often.
    pub fn one_in(one_in: u32) -> Self {
        let each = 1_000_000 / 3 / one_in;
        Rates { loss: each, cut: each, corruption: each, ..Rates::default() }
    }
}

/// Counters of the frames and faults of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkCounters {
    /// Frames that were sent.
    pub frames: u64,
    /// Frames lost, including those in bursts.
    pub lost: u64,
    /// Bursts of lost frames.
    pub bursts: u64,
    /// Frames that arrived twice.
    pub repeated: u64,
    /// Frames that arrived after their successor.
    pub delayed: u64,
    /// Frames with an inverted bit.
    pub damaged: u64,
    /// Frames that ended early.
    pub cut: u64,
}

impl LinkCounters {
    /// Frames that a fault has struck.
    pub fn struck(&self) -> u64 {
        self.lost + self.repeated + self.delayed + self.damaged + self.cut
    }
}

/// Faults of one link: queued, random and applied ones.
#[derive(Debug, Default)]
pub struct Faults {
    /// Frames with a wrong CRC are dropped.
    pub checked: bool,
    random: Option<Random>,
    waiting: VecDeque<Fault>,
    struck: Vec<Fault>,
    counters: LinkCounters,
    /// Fault of the frame in transmission, and number of its next unit.
    frame: Option<Fault>,
    next: u32,
}

/// Source of random faults, with the number of frames still to be lost in the present burst.
#[derive(Clone, Debug)]
struct Random {
    stimulus: Stimulus,
    rates: Rates,
    burst_left: u32,
}

impl Faults {
    /// Enables random faults from the next frame on, in addition to queued ones. The same seed affects the
    /// same frames.
    pub fn strike(&mut self, rates: Rates, seed: u64) {
        self.random = Some(Random { stimulus: Stimulus::new(seed), rates, burst_left: 0 });
    }

    /// Queues a fault; each is applied to one frame.
    pub fn add(&mut self, fault: Fault) {
        self.waiting.push_back(fault);
    }

    /// Removes queued faults and disables random ones.
    pub fn clear(&mut self) {
        self.waiting.clear();
        self.random = None;
    }

    /// Queued faults, in the order in which they will be applied.
    pub fn waiting(&self) -> impl Iterator<Item = Fault> {
        self.waiting.iter().copied()
    }

    /// Applied faults, in order.
    pub fn struck(&self) -> &[Fault] {
        &self.struck
    }

    /// Counters of frames and faults so far.
    pub fn counters(&self) -> LinkCounters {
        self.counters
    }

    /// Begins a frame and returns its fault.
    pub(super) fn begin<U: Unit>(&mut self) -> Option<Fault> {
        self.counters.frames += 1;
        // Random draws do not depend on queued faults.
        let random = self.draw::<U>();
        self.frame = self.waiting.pop_front().or(random);
        self.next = 0;
        self.struck.extend(self.frame);
        let counters = &mut self.counters;
        match self.frame {
            None => {}
            Some(Fault::Drop) => counters.lost += 1,
            Some(Fault::Cut(_)) => counters.cut += 1,
            Some(Fault::Corrupt(_)) => counters.damaged += 1,
            Some(Fault::Repeat) => counters.repeated += 1,
            Some(Fault::Delay) => counters.delayed += 1,
        }
        self.frame
    }

    /// Applies the fault to the next unit of the present frame; returns the unit that arrives, if any.
    pub(super) fn pass<U: Unit>(&mut self, unit: U) -> Option<U> {
        let number = self.next;
        self.next += 1;
        match self.frame {
            None | Some(Fault::Repeat) => Some(unit),
            Some(Fault::Drop | Fault::Delay | Fault::Cut(0)) => None,
            Some(Fault::Cut(_) | Fault::Corrupt(_)) if self.checked => None,
            Some(Fault::Cut(units)) if number < u32::from(units) => Some(unit),
            Some(Fault::Cut(units)) => (number == u32::from(units)).then_some(U::END),
            Some(Fault::Corrupt(bit)) if bit / U::BITS == number => Some(unit.damaged(bit % U::BITS)),
            Some(Fault::Corrupt(_)) => Some(unit),
        }
    }

    fn draw<U: Unit>(&mut self) -> Option<Fault> {
        let Random { stimulus, rates, burst_left } = self.random.as_mut()?;
        if *burst_left > 0 {
            *burst_left -= 1;
            return Some(Fault::Drop);
        }
        let mut drawn = stimulus.below(1_000_000) as u32;
        let mut falls = |rate: u32| {
            let falls = drawn < rate;
            drawn = drawn.wrapping_sub(rate);
            falls
        };
        if falls(rates.loss) {
            Some(Fault::Drop)
        } else if falls(rates.duplication) {
            Some(Fault::Repeat)
        } else if falls(rates.reordering) {
            Some(Fault::Delay)
        } else if falls(rates.corruption) {
            let units = U::DAMAGED;
            let unit = units.start + stimulus.below(u64::from(units.end - units.start)) as u32;
            Some(Fault::Corrupt(unit * U::BITS + stimulus.below(U::BITS.into()) as u32))
        } else if falls(rates.burst) {
            self.counters.bursts += 1;
            *burst_left = rates.burst_length.saturating_sub(1);
            Some(Fault::Drop)
        } else if falls(rates.cut) {
            Some(Fault::Cut(1 + stimulus.below(16) as u16))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::fabric::unit::tests::{Flit, frame};

    /// The units of a frame that arrive.
    fn arrives(faults: &mut Faults, units: u16) -> Vec<Flit> {
        faults.begin::<Flit>();
        frame(1, 7, units).into_iter().filter_map(|unit| faults.pass(unit)).collect()
    }

    /// Draws the faults of the next `frames` frames.
    fn drawn_faults(faults: &mut Faults, frames: usize) -> Vec<Option<Fault>> {
        (0..frames).map(|_| faults.begin::<Flit>()).collect()
    }

    /// The unit that a fault damages.
    fn damaged_unit(fault: &Fault) -> Option<u32> {
        if let Fault::Corrupt(bit) = fault { Some(bit / Flit::BITS) } else { None }
    }

    fn random(rates: Rates, seed: u64) -> Faults {
        let mut faults = Faults::default();
        faults.strike(rates, seed);
        faults
    }

    /// Some faults of every kind.
    const RATES: Rates = Rates {
        loss: 60_000,
        duplication: 50_000,
        reordering: 40_000,
        corruption: 30_000,
        burst: 20_000,
        burst_length: 3,
        cut: 10_000,
    };

    #[test]
    fn each_queued_fault_affects_one_frame() {
        let (mut faults, whole) = (Faults::default(), frame(1, 7, 4));
        assert_eq!(arrives(&mut faults, 4), whole);
        let all = [Fault::Drop, Fault::Cut(2), Fault::Corrupt(2 * 16 + 5), Fault::Repeat, Fault::Delay];
        all.iter().for_each(|fault| faults.add(*fault));
        assert_eq!(arrives(&mut faults, 4), []);
        assert_eq!(arrives(&mut faults, 4), [whole[0], whole[1], Flit::END]);
        assert_eq!(faults.waiting().collect::<Vec<_>>(), all[2..]);
        assert_eq!(
            arrives(&mut faults, 4),
            [whole[0], whole[1], Flit { bits: 3 ^ 32, ..whole[2] }, whole[3]]
        );
        assert_eq!(arrives(&mut faults, 4), whole, "the link sends it once more");
        assert_eq!(arrives(&mut faults, 4), [], "the link sends it later");
        assert_eq!(arrives(&mut faults, 4), whole);
        assert_eq!(faults.struck(), all);
        let counters =
            LinkCounters { frames: 7, lost: 1, cut: 1, damaged: 1, repeated: 1, delayed: 1, bursts: 0 };
        assert_eq!((faults.counters(), counters.struck()), (counters, 5));
    }

    #[test]
    fn fault_beyond_the_end_of_its_frame_changes_nothing() {
        let mut faults = Faults::default();
        faults.add(Fault::Cut(4));
        faults.add(Fault::Corrupt(4 * 16));
        assert_eq!([arrives(&mut faults, 4), arrives(&mut faults, 4)], [frame(1, 7, 4), frame(1, 7, 4)]);
    }

    #[test]
    fn checked_link_drops_frames_with_a_wrong_checksum() {
        let mut faults = Faults { checked: true, ..Faults::default() };
        faults.add(Fault::Cut(2));
        faults.add(Fault::Corrupt(20));
        faults.add(Fault::Repeat);
        assert_eq!([arrives(&mut faults, 4), arrives(&mut faults, 4)], [vec![], vec![]]);
        assert_eq!([arrives(&mut faults, 4), arrives(&mut faults, 4)], [frame(1, 7, 4), frame(1, 7, 4)]);
    }

    #[test]
    fn random_faults_affect_the_same_frames_for_the_same_seed() {
        let struck = |seed| drawn_faults(&mut random(RATES, seed), 1_000);
        assert!(struck(1) == struck(1) && struck(1) != struck(2));
    }

    #[test]
    fn draws_depend_neither_on_queued_faults_nor_on_frames() {
        let drawn = drawn_faults(&mut random(RATES, 3), 1_000);
        let mut faults = random(RATES, 3);
        for (n, drawn) in drawn.into_iter().enumerate() {
            let waits = (n % 3 == 0).then_some(Fault::Cut(n as u16));
            if let Some(fault) = waits {
                faults.add(fault);
            }
            assert_eq!(faults.begin::<Flit>(), waits.or(drawn), "frame {n}");
            for unit in frame(1, 7, n as u16 % 40) {
                faults.pass(unit);
            }
        }
    }

    #[test]
    fn each_rate_is_a_share_of_a_million_frames() {
        let mut faults = random(RATES, 4);
        let struck: Vec<_> = drawn_faults(&mut faults, 100_000).into_iter().flatten().collect();
        let counters = faults.counters();
        let about = |count: u64, rate: u32| {
            let expected = u64::from(rate) / 10;
            assert!(count.abs_diff(expected) < expected / 5, "{count} of {expected}");
        };
        about(counters.bursts, RATES.burst);
        about(counters.lost - 3 * counters.bursts, RATES.loss);
        about(counters.repeated, RATES.duplication);
        about(counters.delayed, RATES.reordering);
        about(counters.damaged, RATES.corruption);
        about(counters.cut, RATES.cut);
        let units: BTreeSet<_> = struck.iter().filter_map(damaged_unit).collect();
        assert_eq!(units, Flit::DAMAGED.collect(), "damage lies where it is found out");
        let one_in = drawn_faults(&mut random(Rates::one_in(4), 5), 1_000).into_iter().flatten().count();
        assert!((200..300).contains(&one_in), "{one_in}");
    }

    #[test]
    fn queued_faults_can_be_removed() {
        let mut faults = random(Rates { loss: 1_000_000, ..Rates::default() }, 0);
        faults.add(Fault::Cut(0));
        faults.clear();
        assert_eq!(arrives(&mut faults, 4), frame(1, 7, 4));
        assert_eq!(faults.struck(), []);
    }
}
