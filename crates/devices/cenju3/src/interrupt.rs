//! Interrupt causes: that of a ring is set after its position has moved (paper, section 6.2).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

hdl::bundle! {
    /// Input pins of the interrupt.
    pub struct In in interrupt_pkg {
        /// Causes raised in this cycle, a bit each.
        raise: u8 : 4,
        /// Causes that the host clears, a bit each.
        clear: u8 : 4,
        /// Causes that request an interrupt, a bit each.
        enable: u8 : 4,
    }
}

hdl::bundle! {
    /// Output pins of the interrupt.
    pub struct Out in interrupt_pkg {
        /// Pending causes, a bit each.
        cause: u8 : 4,
        /// An enabled cause was pending in the cycle before.
        request: bool,
    }
}

hdl::bundle! {
    /// Registers of the interrupt.
    pub struct Interrupt in interrupt_pkg {
        /// Pending causes, a bit each.
        cause: u8 : 4,
        /// An enabled cause was pending in the cycle before.
        request: bool,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/interrupt_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for Interrupt {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { cause: self.cause, request: self.request }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        // A cause that is raised while it is cleared stays.
        let cause = self.cause & !pins.clear | pins.raise;
        *self = Self { cause, request: self.cause & pins.enable != 0 };
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

impl Interrupt {
    /// Time for which the block does not change, with these causes enabled.
    pub fn rest(&self, enable: u8) -> Quiet {
        if self.request == (self.cause & enable != 0) { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Probe for Interrupt {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
