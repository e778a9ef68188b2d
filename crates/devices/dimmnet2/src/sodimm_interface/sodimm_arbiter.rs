//! Right to use the SO-DIMMs: one master at a time (thesis table 7.4).
//!
//! A request in one cycle is answered in the next, and the right stays until the request falls. If both masters,
//! the Write Unit and the Prefetch Unit, ask in one cycle, the one not served last is served (decision 0016).

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

hdl::machine! {
    /// Holder of the right to use the SO-DIMMs.
    pub enum State in sodimm_arbiter_pkg {
        /// Nobody; a request gets the right.
        Free => [WriteUnit, PrefetchUnit],
        /// The Write Unit, until its request falls.
        WriteUnit => [Free],
        /// The Prefetch Unit, until its request falls.
        PrefetchUnit => [Free],
    }
}

hdl::bundle! {
    /// Input pins of the SO-DIMM arbiter.
    pub struct In in sodimm_arbiter_pkg {
        /// From Write Unit.
        write_right_request: bool,
        /// From Prefetch Unit.
        read_right_request: bool,
    }
}

hdl::bundle! {
    /// Output pins of the SO-DIMM arbiter.
    pub struct Out in sodimm_arbiter_pkg {
        /// To Write Unit: it has the right to write.
        write_right: bool,
        /// To Prefetch Unit: it has the right to read.
        read_right: bool,
    }
}

hdl::bundle! {
    /// Registers of the SO-DIMM arbiter.
    pub struct SodimmArbiter in sodimm_arbiter_pkg {
        /// State.
        state: State,
        /// The Prefetch Unit goes first if both ask.
        turn: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/sodimm_interface/sodimm_arbiter_pkg",
    source: file!(),
    items: &[Item::Machine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for SodimmArbiter {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { write_right: self.state == State::WriteUnit, read_right: self.state == State::PrefetchUnit }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Free { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl SodimmArbiter {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        match q.state {
            // Free: the right is given in the next cycle.
            Free => {
                if pins.write_right_request && !(pins.read_right_request && q.turn) {
                    d.state = WriteUnit;
                    d.turn = true;
                } else if pins.read_right_request {
                    d.state = PrefetchUnit;
                    d.turn = false;
                }
            }
            // WriteUnit: the right is held as long as it is wanted.
            WriteUnit => {
                if !pins.write_right_request {
                    d.state = Free;
                }
            }
            // PrefetchUnit: the same.
            PrefetchUnit => {
                if !pins.read_right_request {
                    d.state = Free;
                }
            }
        }
        d
    }
}

impl Probe for SodimmArbiter {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_is_answered_in_the_next_cycle_and_holds_the_right() {
        let mut arbiter = SodimmArbiter::default();
        let requests = [false, true, true, true, false, false, true];
        let rights = requests.map(|write_right_request| {
            let right = arbiter.outputs().write_right;
            arbiter.tick(&In { write_right_request, read_right_request: false });
            right
        });
        assert_eq!(rights, [false, false, true, true, true, false, false]);
    }
    #[test]
    fn both_masters_that_always_ask_are_served_in_turn() {
        let mut arbiter = SodimmArbiter::default();
        let mut served = String::new();
        for _ in 0..12 {
            let Out { write_right, read_right } = arbiter.outputs();
            assert!(!(write_right && read_right));
            served.push(if write_right {
                'w'
            } else if read_right {
                'r'
            } else {
                '-'
            });
            // Each gives the right back at once.
            arbiter.tick(&In { write_right_request: !write_right, read_right_request: !read_right });
        }
        assert_eq!(served, "-w-r-w-r-w-r");
    }

    #[test]
    fn right_that_is_held_is_not_taken_away() {
        for prefetch in [false, true] {
            let mut arbiter = SodimmArbiter::default();
            arbiter.tick(&In { write_right_request: !prefetch, read_right_request: prefetch });
            for _ in 0..10 {
                let out = arbiter.outputs();
                assert_eq!((out.write_right, out.read_right), (!prefetch, prefetch));
                arbiter.tick(&In { write_right_request: true, read_right_request: true });
            }
        }
    }
}
