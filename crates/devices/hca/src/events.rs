//! Events: interrupt causes and armed completion queues (IBA volume 1, section 11.4.2.2).
//!
//! A CQE interrupts only if its queue is armed, and disarms it; a host that polls is not interrupted.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

use crate::numbers::Numbers;
use crate::registers::cause;

hdl::bundle! {
    /// Input pins of the events.
    pub struct In in events_pkg {
        /// Causes raised in this cycle, a bit each.
        raise: u16 : 9,
        /// Causes that the host clears; one that is raised in the same cycle stays set.
        clear: u16 : 9,
        /// Causes that request an interrupt.
        enable: u16 : 9,
        /// The host arms the completion queue `armed`.
        arm: bool,
        /// A completion queue.
        armed: u8,
        /// The completion queue `ring` got a CQE.
        completed: bool,
        /// A completion queue.
        ring: u8,
    }
}

hdl::bundle! {
    /// Output pins of the events.
    pub struct Out in events_pkg {
        /// Pending causes, a bit each.
        causes: u16 : 9,
        /// An enabled cause was pending in the cycle before.
        request: bool,
    }
}

hdl::bundle! {
    /// Registers of the events.
    pub struct Events in events_pkg {
        /// Pending causes, a bit each.
        causes: u16 : 9,
        /// Armed completion queues.
        armed: Numbers,
        /// An enabled cause was pending in the cycle before.
        request: bool,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/events_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "Completion",
            width: 9,
            value: cause::COMPLETION as u64,
            doc: "A CQE has come into a queue that was armed.",
        },
        Item::Constant {
            name: "QueuePair",
            width: 9,
            value: cause::QUEUE_PAIR as u64,
            doc: "A queue pair has failed.",
        },
        Item::Constant {
            name: "Overflow",
            width: 9,
            value: cause::OVERFLOW as u64,
            doc: "A completion queue has overflowed.",
        },
        Item::Constant {
            name: "Access",
            width: 9,
            value: cause::ACCESS as u64,
            doc: "An access was refused.",
        },
        Item::Constant { name: "Command", width: 9, value: cause::COMMAND as u64, doc: "A command is done." },
        Item::Constant {
            name: "Limit",
            width: 9,
            value: cause::LIMIT as u64,
            doc: "Shared receive queue 0 has fewer WQEs than its limit.",
        },
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for Events {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { causes: self.causes, request: self.request }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let wakes = pins.completed && self.armed.has(pins.ring);
        self.request = self.causes & pins.enable != 0;
        self.causes = self.causes & !pins.clear | pins.raise | if wakes { cause::COMPLETION } else { 0 };
        // A host that arms a queue in the cycle of a CQE may have polled before it came: the queue stays
        // armed.
        if pins.completed {
            self.armed.set(pins.ring, false);
        }
        if pins.arm {
            self.armed.set(pins.armed, true);
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        // The request follows the causes by a cycle.
        Quiet::Busy
    }
}

impl Probe for Events {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(events: Events, pins: In) -> Events {
        let mut events = events;
        events.tick(&pins);
        events
    }

    #[test]
    fn cause_stays_until_it_is_cleared() {
        for bit in (0..9).map(|bit| 1 << bit) {
            let raised = after(Events::default(), In { raise: bit, ..In::default() });
            assert_eq!(raised.outputs().causes, bit);
            assert_eq!(after(raised, In { clear: In::WIDTHS.clear.wrap(!bit), ..In::default() }).causes, bit);
            assert_eq!(after(raised, In { clear: bit, ..In::default() }).causes, 0);
            assert_eq!(after(raised, In { clear: bit, raise: bit, ..In::default() }).causes, bit);
        }
    }

    #[test]
    fn interrupt_follows_an_enabled_cause_by_a_cycle() {
        for bit in (0..9).map(|bit| 1 << bit) {
            let raised = after(Events::default(), In { raise: bit, enable: bit, ..In::default() });
            assert!(!raised.request);
            assert!(after(raised, In { enable: bit, ..In::default() }).outputs().request);
            assert!(
                !after(raised, In { enable: In::WIDTHS.enable.wrap(!bit), ..In::default() })
                    .outputs()
                    .request
            );
        }
    }

    #[test]
    fn cqe_of_an_armed_queue_wakes_once() {
        let only = |queue: u8| [queue].into_iter().collect::<Numbers>();
        for queue in 0..=u8::MAX {
            let arm = In { arm: true, armed: queue, ..In::default() };
            let complete = In { completed: true, ring: queue, ..In::default() };
            let armed = after(Events::default(), arm);
            assert_eq!(armed.armed, only(queue));
            assert_eq!(after(armed, In { completed: false, ..complete }), armed);
            let woken = after(armed, complete);
            assert_eq!((woken.causes, woken.armed), (cause::COMPLETION, Numbers::default()));
            // A queue armed in the cycle of a CQE interrupts for it, and again for the next one.
            let both = In { arm: true, armed: queue, ..complete };
            let again = after(armed, both);
            assert_eq!((again.causes, again.armed), (cause::COMPLETION, only(queue)));
            assert_eq!(after(Events::default(), both).causes, 0);
            // The CQE of another queue leaves it armed.
            assert_eq!(after(armed, In { ring: queue ^ 0x41, ..complete }), armed);
        }
    }
}
