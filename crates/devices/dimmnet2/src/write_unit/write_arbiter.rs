//! Arbiter of the Write Unit: one packet or one local store at a time (thesis sections 4.2 and 5.1.1).
//!
//! Operations run to completion in order of arrival. If both arrive in the same cycle, the packet goes first:
//! its start is a pulse whose cycles table 7.4 counts, while a local store holds its request. A packet that
//! arrives during a local store is remembered, so neither can starve the other (decision 0017).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

hdl::fsm! {
    /// Operation in progress.
    pub enum State in write_arbiter_pkg {
        /// None.
        Free => [Packet: "packet", Store: "no packet, store of a Write Window", Free: "otherwise"],
        /// The data of a received packet.
        Packet => [Free: "done", Packet: "otherwise"],
        /// Data of a Write Window.
        Store => [
            Free: "done, no packet waits",
            LateStart: "done, a packet waits",
            Store: "otherwise",
        ],
        /// Starts a packet that arrived during a local store.
        LateStart => [Packet],
    }
}

hdl::bundle! {
    /// Input pins of the arbiter.
    pub struct In in write_arbiter_pkg {
        /// A packet starts; high for one cycle.
        packet: bool,
        /// A local store is requested; held until it begins.
        store: bool,
        /// The operation in progress has been stored; high for one cycle.
        done: bool,
    }
}

hdl::bundle! {
    /// Output pins of the arbiter.
    pub struct Out in write_arbiter_pkg {
        /// A packet or a store that arrives in this cycle begins in it.
        free: bool,
        /// A packet is being stored.
        packet: bool,
        /// A local store is in progress.
        storing: bool,
        /// The waiting packet begins; high for one cycle.
        late_start: bool,
    }
}

hdl::bundle! {
    /// Registers of the arbiter.
    pub struct WriteArbiter in write_arbiter_pkg {
        /// State of the state machine.
        state: State,
        /// A packet arrived during the store.
        waiting: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/write_unit/write_arbiter_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for WriteArbiter {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            free: q.state == Free,
            packet: q.state == Packet,
            storing: q.state == Store,
            late_start: q.state == LateStart,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline(always)]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Free { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl WriteArbiter {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        match q.state {
            // Free: the packet cannot wait, the store can.
            Free => {
                if pins.packet {
                    d.state = Packet;
                } else if pins.store {
                    d.state = Store;
                }
            }
            // Packet: the next packet arrives only after this one.
            Packet => {
                if pins.done {
                    d.state = Free;
                }
            }
            // Store: at most one packet can arrive, because the Receive Controller waits for its end.
            Store => {
                d.waiting = q.waiting || pins.packet;
                if pins.done {
                    d.waiting = false;
                    d.state = if q.waiting || pins.packet { LateStart } else { Free };
                }
            }
            // LateStart: the read control and the write control are idle now.
            LateStart => d.state = Packet,
        }
        d
    }
}

impl Probe for WriteArbiter {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::State::*;
    use super::*;

    const IDLE: In = In { packet: false, store: false, done: false };

    fn states(pins: &[In]) -> Vec<State> {
        let mut arbiter = WriteArbiter::default();
        pins.iter()
            .map(|pins| {
                arbiter.tick(pins);
                arbiter.state
            })
            .collect()
    }

    #[test]
    fn free_packet_precedes_a_simultaneous_store() {
        let both = In { packet: true, store: true, ..IDLE };
        let store = In { store: true, ..IDLE };
        let done = In { done: true, ..store };
        assert_eq!(states(&[both, store, done, store]), [Packet, Packet, Free, Store]);
    }

    #[test]
    fn packet_during_a_store_starts_after_it() {
        let (packet, done) = (In { packet: true, ..IDLE }, In { done: true, ..IDLE });
        let store = In { store: true, ..IDLE };
        assert_eq!(states(&[store, packet, IDLE, done, IDLE]), [Store, Store, Store, LateStart, Packet]);
        let last = In { packet: true, ..done };
        assert_eq!(states(&[store, IDLE, last, IDLE, done]), [Store, Store, LateStart, Packet, Free]);
    }
}
