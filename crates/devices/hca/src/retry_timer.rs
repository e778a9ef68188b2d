//! Retry timer: counts ticks while a connection has an outstanding request, and schedules its send queue to
//! check the deadline (IBA volume 1, section 9.7.6.1.3).
//!
//! Each tick of 128 cycles, 1.024 us, serves every sixteenth queue pair, one in 8 cycles, the highest number first. So
//! an expired deadline is found within 16 ticks. Without an outstanding request the count of time stops, and the block
//! is quiescent; otherwise it is until a queue pair is due or the tick ends.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

use crate::numbers::Numbers;

hdl::bundle! {
    /// Input pins of the retry timer.
    pub struct In in retry_timer_pkg {
        /// A send queue has ended its turn.
        turn: bool,
        /// Queue pair of the turn.
        pair: u8,
        /// The queue pair has an outstanding request.
        active: bool,
    }
}

hdl::bundle! {
    /// Output pins of the retry timer.
    pub struct Out in retry_timer_pkg {
        /// Time in ticks of 1.024 us; wraps.
        now: u32,
        /// The deadline of `late` is to be checked.
        due: bool,
        /// A queue pair with an outstanding request.
        late: u8,
    }
}

hdl::bundle! {
    /// Registers of the retry timer.
    pub struct RetryTimer in retry_timer_pkg {
        /// Cycles of the tick so far; 0 to 127.
        cycles: u8 : 7,
        /// Time in ticks of 1.024 us; wraps.
        now: u32,
        /// Queue pairs with an outstanding request.
        active: Numbers,
        /// The deadline of `late` is to be checked.
        due: bool,
        /// Queue pair that is due, or was due last.
        late: u8,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/retry_timer_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for RetryTimer {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { now: self.now, due: self.due, late: self.late }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let part = self.pair_of(self.cycles);
        self.due = self.cycles % PART == PART - 1 && self.active.has(part);
        if self.due {
            self.late = part;
        }
        if !self.active.is_empty() {
            if self.cycles == LAST {
                self.now = self.now.wrapping_add(1);
            }
            self.cycles = Self::WIDTHS.cycles.wrap(self.cycles + 1);
        }
        if pins.turn {
            self.active.set(pins.pair, pins.active);
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.rests() {
            return Quiet::UntilInput;
        }
        match self.next_due() - self.cycles {
            left @ 1.. if !self.due => Quiet::For(left.into()),
            _ => Quiet::Busy,
        }
    }
}

/// Cycles of the part of a tick in which one queue pair is served.
const PART: u8 = 8;
/// Last cycle of a tick.
const LAST: u8 = 0x7f;

impl RetryTimer {
    /// Whether no request is outstanding, and none was due in the cycle before.
    #[inline(always)]
    pub(crate) fn rests(&self) -> bool {
        self.active.is_empty() && !self.due
    }

    /// Queue pair of a cycle of this tick.
    #[inline(always)]
    fn pair_of(&self, cycle: u8) -> u8 {
        (LAST - cycle) / PART * 16 + (self.now % 16) as u8
    }

    /// Next cycle of the tick in which a queue pair is due; the last one if none is.
    #[inline]
    fn next_due(&self) -> u8 {
        let mut ends = (self.cycles | (PART - 1)..LAST).step_by(PART.into());
        ends.find(|&cycle| self.active.has(self.pair_of(cycle))).unwrap_or(LAST)
    }

    /// Skips edges of one tick while the block is quiescent.
    pub fn skip(&mut self, edges: u64) {
        if !self.active.is_empty() {
            self.cycles += edges as u8;
        }
    }
}

impl Probe for RetryTimer {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(pair: u8, active: bool) -> In {
        In { turn: true, pair, active }
    }

    #[test]
    fn time_goes_by_while_a_request_is_under_way() {
        let mut timer = RetryTimer::default();
        (0..1_000).for_each(|_| timer.tick(&In::default()));
        assert_eq!((timer.now, timer.cycles), (0, 0));
        timer.tick(&turn(3, true));
        (0..128 * 40).for_each(|_| timer.tick(&In::default()));
        assert_eq!(timer.outputs().now, 40);
        timer.tick(&turn(3, false));
        let stands = timer;
        (0..1_000).for_each(|_| timer.tick(&In::default()));
        assert_eq!(timer, stands);
    }

    #[test]
    fn time_goes_through_all_ticks_of_its_32_bits() {
        for now in [0x7fff_ffff, 0xffff_ffff] {
            let mut timer = RetryTimer { now, ..RetryTimer::default() };
            timer.tick(&turn(3, true));
            (0..128).for_each(|_| timer.tick(&In::default()));
            assert_eq!(timer.outputs().now, now.wrapping_add(1));
        }
    }

    #[test]
    fn each_queue_with_a_request_is_due_once_in_sixteen_ticks() {
        let mut timer = RetryTimer::default();
        let expected = [0, 15, 17, 33, 63, 64, 200, 255];
        for pair in expected.into_iter().chain([6]) {
            timer.tick(&turn(pair, true));
        }
        // One queue pair has no request in its turn; the request of another one ends.
        timer.tick(&turn(6, false));
        timer.tick(&turn(7, false));
        let mut due = [0; 256];
        for _ in 0..128 * 32 {
            timer.tick(&In::default());
            due[usize::from(timer.late)] += u32::from(timer.due);
        }
        let expected: [u32; 256] =
            std::array::from_fn(|pair| if expected.contains(&(pair as u8)) { 2 } else { 0 });
        assert_eq!(due, expected);
    }

    #[test]
    fn cycles_without_a_queue_that_is_due_can_be_skipped() {
        let mut timer = RetryTimer::default();
        [0, 18, 19, 255].into_iter().for_each(|pair| timer.tick(&turn(pair, true)));
        let (mut skipped, mut passed, mut cycles) = (timer, 0, 0);
        while cycles < 128 * 64 {
            match skipped.quiescent() {
                Quiet::For(edges) => {
                    skipped.skip(edges);
                    (cycles, passed) = (cycles + edges, passed + edges);
                    (0..edges).for_each(|_| timer.tick(&In::default()));
                }
                _ => {
                    skipped.tick(&In::default());
                    timer.tick(&In::default());
                    cycles += 1;
                }
            }
            assert_eq!(timer, skipped);
        }
        assert!(passed * 100 > cycles * 95, "{passed} of {cycles}");
    }
}
