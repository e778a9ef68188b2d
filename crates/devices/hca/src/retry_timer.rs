//! Retry timer: counts ticks while a connection has an outstanding request, and schedules its send queue to
//! check the deadline (IBA volume 1, section 9.7.6.1.3).
//!
//! Each tick of 128 cycles, 1.024 us, serves every sixteenth queue pair, so an expired deadline is found within 16 ticks.
//! Without an outstanding request the count of time stops, and the block is quiescent; otherwise it is until the tick ends.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

hdl::bundle! {
    /// Input pins of the retry timer.
    pub struct In in retry_timer_pkg {
        /// A send queue has ended its turn.
        turn: bool,
        /// Queue pair of the turn; 0 to 63.
        pair: u8 : 6,
        /// The queue pair has an outstanding request.
        active: bool,
    }
}

hdl::bundle! {
    /// Output pins of the retry timer.
    pub struct Out in retry_timer_pkg {
        /// Time in ticks of 1.024 us; wraps.
        now: u32,
        /// Send queues whose deadline is to be checked, a bit each.
        due: u64,
    }
}

hdl::bundle! {
    /// Registers of the retry timer.
    pub struct RetryTimer in retry_timer_pkg {
        /// Cycles of the tick so far; 0 to 127.
        cycles: u8 : 7,
        /// Time in ticks of 1.024 us; wraps.
        now: u32,
        /// Queue pairs with an outstanding request, a bit each.
        active: u64,
        /// Send queues whose deadline is to be checked, a bit each.
        due: u64,
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
        Out { now: self.now, due: self.due }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let q = *self;
        let ends = q.cycles == LAST;
        if q.active != 0 {
            self.cycles = Self::WIDTHS.cycles.wrap(q.cycles + 1);
            if ends {
                self.now = q.now.wrapping_add(1);
            }
        }
        self.due = if ends { q.active & SIXTEENTH << (q.now % 16) } else { 0 };
        if pins.turn {
            let bit = 1 << pins.pair;
            self.active = if pins.active { q.active | bit } else { q.active & !bit };
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        match LAST - self.cycles {
            _ if self.due != 0 => Quiet::Busy,
            0 => Quiet::Busy,
            _ if self.active == 0 => Quiet::UntilInput,
            left => Quiet::For(left.into()),
        }
    }
}

/// Every sixteenth queue pair.
const SIXTEENTH: u64 = 0x0001_0001_0001_0001;
/// Last cycle of a tick.
const LAST: u8 = 0x7f;

impl RetryTimer {
    /// Skips edges of one tick while the block is quiescent.
    pub fn skip(&mut self, edges: u64) {
        if self.active != 0 {
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
        for pair in [0, 6, 15, 17, 33, 63] {
            timer.tick(&turn(pair, true));
        }
        // One queue pair has no request in its turn; the request of another one ends.
        timer.tick(&turn(6, false));
        timer.tick(&turn(7, false));
        let mut due = [0_u64; 64];
        for _ in 0..128 * 32 {
            timer.tick(&In::default());
            for (pair, count) in due.iter_mut().enumerate() {
                *count += timer.outputs().due >> pair & 1;
            }
        }
        let expected: [u64; 64] =
            std::array::from_fn(|pair| if matches!(pair, 0 | 15 | 17 | 33 | 63) { 2 } else { 0 });
        assert_eq!(due, expected);
    }
}
