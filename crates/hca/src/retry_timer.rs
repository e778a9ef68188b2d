//! Retry timer: counts ticks while a request of a connection is under way, and has its send queue look at the deadline (IBA volume 1, section
//! 9.7.6.1.3).
//!
//! One queue pair is looked at in each tick of 128 cycles, 1.024 us, so a deadline is found passed within 16 ticks. Without a request under
//! way time stands still, and nothing wakes.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

hdl::bundle! {
    /// Input pins of the retry timer.
    pub struct In in retry_timer_pkg {
        /// The send queue of a queue pair had its turn.
        turn: bool,
        /// Which one.
        pair: u8 : 4,
        /// It has a request under way.
        active: bool,
    }
}

hdl::bundle! {
    /// Output pins of the retry timer.
    pub struct Out in retry_timer_pkg {
        /// Time in ticks.
        now: u32,
        /// Send queues that shall look at their deadline, a bit each.
        due: u16,
    }
}

hdl::bundle! {
    /// Registers of the retry timer.
    pub struct RetryTimer in retry_timer_pkg {
        /// Cycles of the tick.
        cycles: u8 : 7,
        /// Time in ticks.
        now: u32,
        /// Queue pairs with a request under way.
        active: u16,
        /// Send queues that shall look at their deadline.
        due: u16,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "hca/retry_timer_pkg",
    source: "crates/hca/src/retry_timer.rs",
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
        let ends = q.cycles == 0x7f;
        if q.active != 0 {
            self.cycles = (q.cycles + 1) & 0x7f;
            if ends {
                self.now = q.now.wrapping_add(1);
            }
        }
        self.due = if ends { q.active & 1 << (q.now & 0xf) } else { 0 };
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
        if self.active == 0 && self.due == 0 && self.cycles != 0x7f { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Probe for RetryTimer {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
