//! Write right to the SO-DIMMs: one master at a time (thesis table 7.4).
//!
//! A request in one cycle is answered in the next, and the right stays until the request falls. One master
//! takes part in this device, the Write Unit; a second one adds a state beside `WriteUnit` (decision 0011).

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

hdl::machine! {
    /// Holder of the right to use the SO-DIMMs.
    pub enum State in sodimm_arbiter_pkg {
        /// Nobody; a request gets the right.
        Free => [WriteUnit],
        /// The Write Unit, until its request falls.
        WriteUnit => [Free],
    }
}

hdl::bundle! {
    /// Input pins of the SO-DIMM arbiter.
    pub struct In in sodimm_arbiter_pkg {
        /// From Write Unit.
        write_right_request: bool,
    }
}

hdl::bundle! {
    /// Output pins of the SO-DIMM arbiter.
    pub struct Out in sodimm_arbiter_pkg {
        /// To Write Unit: it has the right to write.
        write_right: bool,
    }
}

hdl::bundle! {
    /// Registers of the SO-DIMM arbiter.
    pub struct SodimmArbiter in sodimm_arbiter_pkg {
        /// State.
        state: State,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/sodimm_interface/sodimm_arbiter_pkg",
    source: "crates/dimmnet2/src/sodimm_interface/sodimm_arbiter.rs",
    items: &[Item::Machine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for SodimmArbiter {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { write_right: self.state == State::WriteUnit }
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
                if pins.write_right_request {
                    d.state = WriteUnit;
                }
            }
            // WriteUnit: the right is held as long as it is wanted.
            WriteUnit => {
                if !pins.write_right_request {
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
            arbiter.tick(&In { write_right_request });
            right
        });
        assert_eq!(rights, [false, false, true, true, true, false, false]);
    }
}
