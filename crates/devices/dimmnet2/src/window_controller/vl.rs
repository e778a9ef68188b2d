//! VL module: makes the Prefetch Unit read own SO-DIMM into own Prefetch Window for VL, VLS and VLI (thesis
//! section 5.3.4, figure 5.12).
//!
//! While the rest of a message is in flight to SO-DIMM, a VL of that process waits until it is stored: the
//! host may request the rest as soon as it sees the head (decision 0021).
//!
//! The module waits until the Prefetch Unit has stored everything. It does not wait for the first half of a
//! copy from SO-DIMM to SO-DIMM, because the VS or VSS of the second half must start. Figure 5.12 detects a
//! copy by SRCOff; section 4.6.8 names DSTOff, the offset that a copy does not use. The Prefetch Unit parks
//! the request (decision 0022).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::prefetch_unit::pins::VectorLoad;

hdl::fsm! {
    /// VL module of the Request Executor (figure 5.12).
    pub enum State in vl_pkg {
        /// Waits for a VL, VLS or VLI.
        Prim => [
            Wait: "Prefetch Unit busy, or hold",
            Vl1: "Prefetch Unit not busy, no hold",
            Prim: "no primitive",
        ],
        /// Waits for the Prefetch Unit.
        Wait => [Vl1: "Prefetch Unit not busy, no hold", Wait: "Prefetch Unit busy, or hold"],
        /// Sends the request to the Prefetch Unit.
        Vl1 => [Vl2: "otherwise", VlEnd: "first half of a SO-DIMM copy"],
        /// Waits until the Prefetch Unit is done.
        Vl2 => [VlEnd: "Prefetch Unit not busy", Vl2: "Prefetch Unit busy"],
        /// Resets the internal registers.
        VlEnd => [Prim],
    }
}

hdl::bundle! {
    /// Input pins of the VL module.
    pub struct In in vl_pkg {
        /// The Request Executor dispatches a VL, VLS or VLI; high for one cycle, only while `idle`.
        start: bool,
        /// The request of the primitive.
        vector_load: VectorLoad,
        /// The Prefetch Unit is executing a request.
        prefetch_unit_busy: bool,
        /// Requests of this process wait, bit per WID.
        hold: u8 : 2,
    }
}

hdl::bundle! {
    /// Output pins of the VL module.
    pub struct Out in vl_pkg {
        /// Request, to Prefetch Unit.
        vector_load: VectorLoad,
        /// The Prefetch Unit accepts `vector_load` in this cycle.
        vector_load_start: bool,
        /// A primitive is complete; high for one cycle.
        done: bool,
        /// Process whose primitive is complete.
        done_wid: bool,
        /// The module can accept a primitive.
        idle: bool,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the VL module.
    pub struct Vl in vl_pkg {
        /// State of the state machine.
        state: State,
        /// The latched request.
        vector_load: VectorLoad,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/window_controller/vl_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for Vl {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            vector_load: q.vector_load,
            vector_load_start: q.state == Vl1,
            done: q.state == VlEnd,
            done_wid: q.vector_load.wid,
            idle: q.state == Prim,
            state: q.state,
        }
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
        if self.state == State::Prim { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Vl {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let held = |load: VectorLoad| pins.prefetch_unit_busy || pins.hold >> load.wid as u8 & 1 == 1;

        match q.state {
            // Prim: the Prefetch Unit may still be working for another module.
            Prim => {
                if pins.start {
                    d.vector_load = pins.vector_load;
                    d.state = if held(pins.vector_load) { Wait } else { Vl1 };
                }
            }
            // Wait: no other module uses the Prefetch Unit meanwhile.
            Wait => {
                if !held(q.vector_load) {
                    d.state = Vl1;
                }
            }
            // Vl1: the Prefetch Unit is busy from the next cycle on.
            Vl1 => d.state = if q.vector_load.first_half { VlEnd } else { Vl2 },
            // Vl2: all data is in the Prefetch Window when the Prefetch Unit is no longer busy.
            Vl2 => {
                if !pins.prefetch_unit_busy {
                    d.state = VlEnd;
                }
            }
            // VlEnd: back to the reset values.
            VlEnd => d = Self::default(),
        }
        d
    }
}

impl Probe for Vl {
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
    use crate::command::SODIMM_COPY;

    const LOAD: VectorLoad = VectorLoad {
        wid: true,
        variant: 1,
        dtype: 3,
        iteration: 4,
        size_list_stride: 5,
        srcoff: 6,
        dstoff: 7,
        to_packet: false,
        total: 0,
        first_half: false,
        wanted: 32,
        reach: 512,
    };

    /// States of the module from the cycle of `start` on, given the cycles in which the Prefetch Unit is
    /// busy.
    fn walk(vector_load: VectorLoad, busy: &[bool]) -> Vec<State> {
        let mut vl = Vl::default();
        let mut states = vec![];
        for (cycle, &prefetch_unit_busy) in busy.iter().enumerate() {
            states.push(vl.state);
            assert_eq!(vl.outputs().vector_load_start, vl.state == Vl1);
            if vl.state == Vl1 {
                assert_eq!(vl.outputs().vector_load, vector_load);
            }
            assert_eq!((vl.outputs().done, vl.outputs().idle), (vl.state == VlEnd, vl.state == Prim));
            vl.tick(&In { start: cycle == 0, vector_load, prefetch_unit_busy, hold: 0 });
        }
        states
    }

    #[test]
    fn prim_sends_the_request_to_a_free_prefetch_unit_at_once() {
        assert_eq!(
            walk(LOAD, &[false, false, true, true, false, false, false]),
            [Prim, Vl1, Vl2, Vl2, Vl2, VlEnd, Prim]
        );
    }

    #[test]
    fn prim_prefetch_unit_busy_waits_until_it_is_free() {
        assert_eq!(
            walk(LOAD, &[true, true, true, false, true, true, false, false]),
            [Prim, Wait, Wait, Wait, Vl1, Vl2, Vl2, VlEnd]
        );
    }

    #[test]
    fn prim_waits_for_a_message_in_flight_to_its_own_process() {
        let mut vl = Vl::default();
        for (cycle, hold, state) in [(0, 0b10, Wait), (1, 0b11, Wait), (2, 0b10, Wait), (3, 0b01, Vl1)] {
            vl.tick(&In { start: cycle == 0, vector_load: LOAD, prefetch_unit_busy: false, hold });
            assert_eq!(vl.state, state);
        }
    }

    #[test]
    fn vl1_copy_does_not_wait_for_the_prefetch_unit() {
        let copy = VectorLoad { dstoff: SODIMM_COPY, first_half: true, ..LOAD };
        assert_eq!(walk(copy, &[false, false, true, true]), [Prim, Vl1, VlEnd, Prim]);
    }

    #[test]
    fn vl_end_returns_to_the_reset_values() {
        let mut vl = Vl { state: VlEnd, vector_load: LOAD };
        assert!(vl.outputs().done_wid);
        vl.tick(&In { start: true, ..In::default() });
        assert_eq!(vl, Vl::default());
    }
}
