//! Arbiter of local memory: grants a burst to the first requester in a fixed order. Receivers come before
//! senders, or the network would fill.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

hdl::bundle! {
    /// Input pins of the arbiter.
    pub struct In in arbiter_pkg {
        /// Requests, a bit for each block; a request falls for at least a cycle after a burst.
        request: u8 : 6,
    }
}

hdl::bundle! {
    /// Output pins of the arbiter.
    pub struct Out in arbiter_pkg {
        /// Grants, a bit for each block; at most one is set.
        grant: u8 : 6,
    }
}

hdl::bundle! {
    /// Registers of the arbiter.
    pub struct Arbiter in arbiter_pkg {
        /// Grants, a bit for each block; at most one is set.
        grant: u8 : 6,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/arbiter_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for Arbiter {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { grant: self.grant }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        // The lowest bit has the highest priority; a grant stays while its request does.
        if self.grant & pins.request == 0 {
            self.grant = pins.request & pins.request.wrapping_neg();
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.grant == 0 { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Probe for Arbiter {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
