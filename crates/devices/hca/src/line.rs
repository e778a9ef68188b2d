//! A line of queue pairs that wait for a turn, first come, first served.
//!
//! Each source of work has a line of its own, so none has to wait until another one has joined. The number in
//! front lies in a register, the others in a memory. A number joins a line once at a time, so as many places as
//! numbers are enough.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Ram, Role, Visitor};

use crate::contexts::QPS;

hdl::bundle! {
    /// Input pins of a line.
    pub struct In in line_pkg {
        /// A queue pair joins the end.
        joins: bool,
        /// Its number; it is not in the line.
        pair: u8,
        /// The one in front leaves; only while `ready`. The next one is in front two cycles later.
        leaves: bool,
    }
}

hdl::bundle! {
    /// Output pins of a line.
    pub struct Out in line_pkg {
        /// A queue pair is in front.
        ready: bool,
        /// Its number.
        front: u8,
    }
}

hdl::bundle! {
    /// Registers of a line.
    pub struct Registers in line_pkg {
        /// A queue pair is in front.
        ready: bool,
        /// Its number.
        front: u8,
        /// The memory hands on the next one in this cycle.
        moves: bool,
        /// Place in the memory of the one behind the front.
        head: u8,
        /// First place in the memory behind the last one.
        tail: u8,
    }
}

/// A line.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Registers except the memory.
    pub q: Registers,
    /// Numbers behind the front.
    pub numbers: Ram<u8, QPS>,
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/line_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for Line {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { ready: self.q.ready, front: self.q.front }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let q = self.q;
        let d = &mut self.q;
        let alone = q.head == q.tail;
        // A number goes to the front at once if no other one is there or on its way.
        let fills = pins.joins && alone && !q.moves && (pins.leaves || !q.ready);
        let stores = pins.joins && !fills;
        let fetches = pins.leaves && !alone;
        d.ready = q.ready && !pins.leaves || q.moves || fills;
        if q.moves {
            d.front = self.numbers.rdata();
        }
        if fills {
            d.front = pins.pair;
        }
        d.moves = fetches;
        d.head = q.head.wrapping_add(fetches.into());
        d.tail = q.tail.wrapping_add(stores.into());
        self.numbers.tick(fetches.then_some(q.head.into()), stores.then_some((q.tail.into(), pins.pair)));
    }

    fn reset(&mut self) {
        self.q = Registers::default();
        self.numbers.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.q.moves { Quiet::Busy } else { Quiet::UntilInput }
    }
}

impl Probe for Line {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(&self.q);
        visitor.block("numbers", &self.numbers);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    #[test]
    fn numbers_leave_in_the_order_in_which_they_joined() {
        for period in [1, 2, 3, 7] {
            let (mut line, mut expected) = (Line::default(), VecDeque::new());
            let (mut number, mut left) = (0_u8, 0);
            for cycle in 0..4_000_usize {
                let out = line.outputs();
                // Places fill up to all 256 and drain again, twice.
                let leaves = out.ready && cycle % 2 == 0 && (cycle / 1_000 % 2 == 1 || cycle % 5 == 0);
                let joins = expected.len() < 256 && cycle % period == 0;
                let pins = In { joins, pair: number, leaves };
                if leaves {
                    assert_eq!(Some(out.front), expected.pop_front());
                    left += 1;
                }
                if joins {
                    expected.push_back(number);
                    number = number.wrapping_add(1);
                }
                line.tick(&pins);
                assert!(!expected.is_empty() || !line.outputs().ready);
            }
            assert!(left > 500, "{left}");
        }
    }

    #[test]
    fn first_number_is_in_front_a_cycle_after_it_joined() {
        let mut line = Line::default();
        for (pair, leaves) in [(9, false), (200, true), (201, true)] {
            line.tick(&In { joins: true, pair, leaves });
            assert_eq!(line.outputs(), Out { ready: true, front: pair });
        }
        line.tick(&In { joins: true, pair: 7, leaves: false });
        line.tick(&In { leaves: true, ..In::default() });
        assert!(!line.outputs().ready);
        line.tick(&In { joins: true, pair: 8, leaves: false });
        assert_eq!(line.outputs(), Out { ready: true, front: 7 });
    }

    #[test]
    fn reset_empties_the_line() {
        let mut line = Line::default();
        (0..5).for_each(|pair| line.tick(&In { joins: true, pair, leaves: false }));
        line.reset();
        (0..3).for_each(|_| line.tick(&In::default()));
        assert_eq!(line.outputs(), Out::default());
    }
}
