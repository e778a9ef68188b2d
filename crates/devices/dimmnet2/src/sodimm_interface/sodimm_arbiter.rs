//! Arbiter of the SO-DIMMs: grants the right to one master at a time (thesis table 7.4).
//!
//! A request is granted in the next cycle, and the right is held until the request falls. If both masters,
//! the Write Unit and the Prefetch Unit, request in the same cycle, the one that was not served last gets the
//! right (decision 0016).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

hdl::fsm! {
    /// Holder of the right to use the SO-DIMMs.
    pub enum State in sodimm_arbiter_pkg {
        /// No holder; a request gets the right.
        Free => [
            WriteUnit: "Write Unit alone, or its turn",
            PrefetchUnit: "Prefetch Unit alone, or its turn",
            Free: "no request",
        ],
        /// The Write Unit, until its request falls.
        WriteUnit => [Free: "request falls", WriteUnit: "otherwise"],
        /// The Prefetch Unit, until its request falls.
        PrefetchUnit => [Free: "request falls", PrefetchUnit: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the SO-DIMM arbiter.
    pub struct In in sodimm_arbiter_pkg {
        /// Requests the right to write, from Write Unit.
        write_right_request: bool,
        /// Requests the right to read, from Prefetch Unit.
        read_right_request: bool,
    }
}

hdl::bundle! {
    /// Output pins of the SO-DIMM arbiter.
    pub struct Out in sodimm_arbiter_pkg {
        /// The Write Unit has the right to write.
        write_right: bool,
        /// The Prefetch Unit has the right to read.
        read_right: bool,
    }
}

hdl::bundle! {
    /// Registers of the SO-DIMM arbiter.
    pub struct SodimmArbiter in sodimm_arbiter_pkg {
        /// State of the state machine, the holder of the right.
        state: State,
        /// The Prefetch Unit has priority if both request.
        turn: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/sodimm_interface/sodimm_arbiter_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
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
            // Free: the right is granted in the next cycle.
            Free => {
                if pins.write_right_request && !(pins.read_right_request && q.turn) {
                    d.state = WriteUnit;
                    d.turn = true;
                } else if pins.read_right_request {
                    d.state = PrefetchUnit;
                    d.turn = false;
                }
            }
            // WriteUnit: the right is held as long as it is requested.
            WriteUnit => {
                if !pins.write_right_request {
                    d.state = Free;
                }
            }
            // PrefetchUnit: the right is held as long as it is requested.
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
    fn masters_that_always_request_alternate() {
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
            // Each releases the right immediately.
            arbiter.tick(&In { write_right_request: !write_right, read_right_request: !read_right });
        }
        assert_eq!(served, "-w-r-w-r-w-r");
    }

    #[test]
    fn held_right_is_not_preempted() {
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
