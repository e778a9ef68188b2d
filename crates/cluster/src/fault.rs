//! Faults of a link: frames that get lost, are cut, or are changed on their way.
//!
//! A fault waits for a frame and strikes it; the sender sees nothing of it. Which frame is struck follows from the order
//! of frames and from a seed alone, so a run with faults repeats itself like any other.
//!
//! A frame that was cut or changed has a wrong CRC. Who [checks](Faults::checked) it drops the frame, which SWIF stores
//! before it hands it over; so here it does not arrive at all. Without, boards see what is left of it.

use std::collections::VecDeque;
use std::fmt;

use dimmnet2::line::{FIRST, LAST, Line};
use hdl::Stimulus;

/// What happens to one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It does not arrive.
    Drop,
    /// It ends after so many lines with an empty last one, as if its sender had been reset.
    Cut(u16),
    /// This bit of it is turned over, 64 to a line.
    Corrupt(u16),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Drop => write!(f, "drop"),
            Fault::Cut(lines) => write!(f, "cut {lines}"),
            Fault::Corrupt(bit) => write!(f, "corrupt {bit}"),
        }
    }
}

/// Faults of one link: those that wait for a frame, and those that have struck.
#[derive(Debug, Default)]
pub struct Faults {
    /// Frames with a wrong CRC are found out.
    pub(crate) checked: bool,
    random: Option<Random>,
    waiting: VecDeque<Fault>,
    struck: Vec<Fault>,
    /// The fault of the frame under way, and the number of its next line.
    frame: Option<Fault>,
    next: u16,
}

/// Faults that strike one frame in so many.
#[derive(Clone, Debug)]
struct Random {
    stimulus: Stimulus,
    one_in: u64,
}

impl Random {
    fn fault(&mut self) -> Option<Fault> {
        let random = &mut self.stimulus;
        random.one_in(self.one_in).then(|| match random.below(3) {
            0 => Fault::Drop,
            1 => Fault::Cut(1 + random.below(16) as u16),
            _ => Fault::Corrupt(random.below(64 * 16) as u16),
        })
    }
}

impl Faults {
    /// Lets faults strike one frame in `one_in` from now on, besides those that wait; the seed decides which and how.
    pub fn strike_one_in(&mut self, one_in: u64, seed: u64) {
        self.random = Some(Random { stimulus: Stimulus::new(seed), one_in });
    }

    /// Lets a fault wait for a frame; one frame has one fault.
    pub fn add(&mut self, fault: Fault) {
        self.waiting.push_back(fault);
    }

    /// Forgets the faults that wait, and lets no others come.
    pub fn clear(&mut self) {
        self.waiting.clear();
        self.random = None;
    }

    /// Faults that wait, in the order of the frames that they will strike.
    pub fn waiting(&self) -> impl Iterator<Item = Fault> {
        self.waiting.iter().copied()
    }

    /// Faults that have struck a frame, in order.
    pub fn struck(&self) -> &[Fault] {
        &self.struck
    }

    /// What becomes of a line on its way.
    pub(crate) fn strike(&mut self, line: Line) -> Option<Line> {
        if line.id == FIRST {
            let random = self.random.as_mut().and_then(Random::fault);
            self.frame = self.waiting.pop_front().or(random);
            self.struck.extend(self.frame);
            self.next = 0;
        }
        let number = self.next;
        self.next = number.saturating_add(1);
        match self.frame {
            None => Some(line),
            Some(_) if self.checked => None,
            Some(Fault::Drop | Fault::Cut(0)) => None,
            Some(Fault::Cut(lines)) if number < lines => Some(line),
            Some(Fault::Cut(lines)) => (number == lines).then_some(Line { id: LAST, data: 0 }),
            Some(Fault::Corrupt(bit)) if bit / 64 == number => {
                Some(Line { data: line.data ^ 1 << (bit % 64), ..line })
            }
            Some(Fault::Corrupt(_)) => Some(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use dimmnet2::line::MIDDLE;

    use super::*;

    /// Lines 1, 2, 3 ... of a frame as they arrive.
    fn arrives(faults: &mut Faults, lines: u64) -> Vec<(u8, u64)> {
        let id = |n| match n {
            1 => FIRST,
            n if n == lines => LAST,
            _ => MIDDLE,
        };
        let sent = (1..=lines).map(|n| Line { data: n, id: id(n) });
        sent.filter_map(|line| faults.strike(line)).map(|line| (line.id, line.data)).collect()
    }

    const WHOLE: [(u8, u64); 4] = [(FIRST, 1), (MIDDLE, 2), (MIDDLE, 3), (LAST, 4)];

    #[test]
    fn each_fault_strikes_one_frame_in_turn() {
        let mut faults = Faults::default();
        assert_eq!(arrives(&mut faults, 4), WHOLE);
        for fault in [Fault::Drop, Fault::Cut(2), Fault::Corrupt(2 * 64 + 5)] {
            faults.add(fault);
        }
        assert_eq!(arrives(&mut faults, 4), []);
        assert_eq!(arrives(&mut faults, 4), [(FIRST, 1), (MIDDLE, 2), (LAST, 0)]);
        assert_eq!(faults.waiting().collect::<Vec<_>>(), [Fault::Corrupt(133)]);
        assert_eq!(arrives(&mut faults, 4), [(FIRST, 1), (MIDDLE, 2), (MIDDLE, 3 ^ 32), (LAST, 4)]);
        assert_eq!(arrives(&mut faults, 4), WHOLE);
        assert_eq!(faults.struck(), [Fault::Drop, Fault::Cut(2), Fault::Corrupt(133)]);
    }

    #[test]
    fn fault_beyond_the_end_of_its_frame_changes_nothing() {
        let mut faults = Faults::default();
        faults.add(Fault::Cut(4));
        faults.add(Fault::Corrupt(4 * 64));
        assert_eq!([arrives(&mut faults, 4), arrives(&mut faults, 4)], [WHOLE, WHOLE]);
    }

    #[test]
    fn frame_with_a_wrong_checksum_does_not_arrive_where_it_is_checked() {
        let mut faults = Faults { checked: true, ..Faults::default() };
        faults.add(Fault::Cut(2));
        faults.add(Fault::Corrupt(70));
        assert_eq!([arrives(&mut faults, 4), arrives(&mut faults, 4)], [vec![], vec![]]);
        assert_eq!(arrives(&mut faults, 4), WHOLE);
    }

    #[test]
    fn random_faults_strike_the_same_frames_for_the_same_seed() {
        let struck = |seed| {
            let mut faults = Faults { checked: true, ..Faults::default() };
            faults.strike_one_in(4, seed);
            (0..1000).filter(|_| arrives(&mut faults, 4).is_empty()).collect::<Vec<_>>()
        };
        assert!(struck(1) == struck(1) && struck(1) != struck(2));
        assert!((150..350).contains(&struck(1).len()), "{}", struck(1).len());
    }

    #[test]
    fn faults_that_wait_can_be_forgotten() {
        let mut faults = Faults::default();
        faults.add(Fault::Cut(0));
        faults.clear();
        assert_eq!(arrives(&mut faults, 4), WHOLE);
        assert_eq!(faults.struck(), []);
    }
}
