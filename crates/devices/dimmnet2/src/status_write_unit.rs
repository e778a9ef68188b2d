//! Status Write Unit: stores receive statuses in rings in LLCM (thesis section 5.3.4, figure 5.17).
//!
//! A status has 128 bits and LLCM takes 64 at a time. The upper half is written first, at offset 8 of the
//! status address, then the lower half at offset 0; a host that sees the lower half therefore sees a whole status (decision
//! 0009). Each process has one ring, in its own LLCM. The Next Write Address of the ring advances only after
//! both halves are stored. The unit wins the LLCM port in both write states, because its state machine has no
//! wait state.
//!
//! A status is accepted in a cycle in which `status_busy` of its process is low; the Receive Controller holds
//! it until then. From the request to `Write2`, both included, a status takes 3 cycles.
//!
//! Addresses are kept in slots of 16 bytes: the low 4 bits of Status Initial Address and Status Next Read
//! Address are ignored. Writing Status Initial Address or Status Area Size empties the ring of that process.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::host_interface::pins::Configuration;
use crate::request::Request;

/// Code that Configuration Distribution sends with Status Initial Address (thesis table 5.1).
pub const INITIAL_ADDRESS: u8 = 5;
/// Code of Status Area Size.
pub const AREA_SIZE: u8 = 6;
/// Code of Status Next Read Address.
pub const NEXT_READ_ADDRESS: u8 = 7;

hdl::fsm! {
    /// Status Write Unit (figure 5.17).
    pub enum State in status_write_unit_pkg {
        /// Waits for a status and latches it.
        Nop => [Write1: "Status Write Enable, area not full", Nop: "otherwise"],
        /// Writes the upper 64 bits.
        Write1 => [Write2],
        /// Writes the lower 64 bits and advances Status Next Write Address.
        Write2 => [Nop],
    }
}

hdl::bundle! {
    /// Input pins of the Status Write Unit.
    pub struct In in status_write_unit_pkg {
        /// A receive status, from Request Separator; `wid` is the receiving process.
        status: Request,
        /// `status` is valid; accepted in a cycle with `status_busy` low for its process, held until then.
        status_enable: bool,
        /// Configuration values, from the registers.
        configuration: Configuration,
    }
}

hdl::bundle! {
    /// Output pins of the Status Write Unit.
    pub struct Out in status_write_unit_pkg {
        /// Bytes of an LLCM word to write; 0 writes nothing. Wins over every other writer.
        llcm_byte_enable: u8,
        /// Word of 8 bytes: WID, word in the process's 32 KB.
        llcm_address: u16 : 13,
        /// Data for LLCM.
        llcm_wdata: u64,
        /// LLCM byte address of the next status of WID 0.
        next_write_address0: u16 : 15,
        /// LLCM byte address of the next status of WID 1.
        next_write_address1: u16 : 15,
        /// The ring is full, bit per WID.
        full: u8 : 2,
        /// The ring is empty, bit per WID.
        empty: u8 : 2,
        /// A status for this WID cannot be accepted now, bit per WID.
        status_busy: u8 : 2,
    }
}

hdl::bundle! {
    /// Registers of the Status Write Unit.
    pub struct StatusWriteUnit in status_write_unit_pkg {
        /// State of the state machine.
        state: State,
        /// Upper half of the status.
        upper: u64,
        /// Lower half of the status.
        lower: u64,
        /// Receiving process.
        wid: bool,
        /// First slot of the ring of WID 0.
        initial0: u16 : 11,
        /// First slot of the ring of WID 1.
        initial1: u16 : 11,
        /// Status Area Size of WID 0, as written.
        size0: u8 : 7,
        /// Status Area Size of WID 1, as written.
        size1: u8 : 7,
        /// Slot that the host of WID 0 reads next; all slots are counted in units of 16 bytes from the start
        /// of LLCM.
        next_read0: u16 : 11,
        /// Slot that the host of WID 1 reads next.
        next_read1: u16 : 11,
        /// Slot that is written next for WID 0.
        next_write0: u16 : 11,
        /// Slot that is written next for WID 1.
        next_write1: u16 : 11,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/status_write_unit_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "InitialAddress",
            width: 3,
            value: INITIAL_ADDRESS as u64,
            doc: "Code that Configuration Distribution sends with Status Initial Address (thesis table 5.1).",
        },
        Item::Constant {
            name: "AreaSize",
            width: 3,
            value: AREA_SIZE as u64,
            doc: "Code of Status Area Size.",
        },
        Item::Constant {
            name: "NextReadAddress",
            width: 3,
            value: NEXT_READ_ADDRESS as u64,
            doc: "Code of Status Next Read Address.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

/// Index of the last slot of a ring; the first has index 0 (thesis table A.5).
const fn last(size: u8) -> u16 {
    crate::registers::code::status_area_bytes(size) / 16 - 1
}

/// The slot after `slot` in its ring; addresses wrap at the end of LLCM.
#[inline]
const fn after(slot: u16, initial: u16, size: u8) -> u16 {
    let index = slot.wrapping_sub(initial) & 0x7ff;
    if index == last(size) { initial } else { (slot + 1) & 0x7ff }
}

impl Clocked for StatusWriteUnit {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let full0 = after(q.next_write0, q.initial0, q.size0) == q.next_read0;
        let full1 = after(q.next_write1, q.initial1, q.size1) == q.next_read1;
        let writing = q.state != Nop;
        let slot = if q.wid { q.next_write1 } else { q.next_write0 };
        Out {
            llcm_byte_enable: if writing { 0xff } else { 0 },
            llcm_address: (q.wid as u16) << 12 | slot << 1 | (q.state == Write1) as u16,
            llcm_wdata: if q.state == Write1 { q.upper } else { q.lower },
            next_write_address0: q.next_write0 << 4,
            next_write_address1: q.next_write1 << 4,
            full: (full1 as u8) << 1 | full0 as u8,
            empty: ((q.next_write1 == q.next_read1) as u8) << 1 | (q.next_write0 == q.next_read0) as u8,
            status_busy: ((full1 || writing) as u8) << 1 | (full0 || writing) as u8,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        if self.state != State::Nop || pins.status_enable || pins.configuration.user_code != 0 {
            *self = self.next(pins);
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Nop { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl StatusWriteUnit {
    /// The output pins while the unit rests; the constants let the compiler remove the logic that depends on
    /// them.
    #[inline(always)]
    pub fn outputs_at_rest(&self) -> Out {
        let out = self.outputs();
        let at_rest = Out { llcm_byte_enable: 0, ..out };
        debug_assert_eq!(at_rest, out, "a resting Status Write Unit requests nothing");
        at_rest
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let busy = self.outputs().status_busy >> pins.status.wid as u8 & 1 == 1;
        let slot = (pins.configuration.value >> 4) & 0x7ff;

        match q.state {
            // Nop: a status of a process whose ring is full is latched but not accepted.
            Nop => {
                if pins.status_enable {
                    d.upper = pins.status.upper;
                    d.lower = pins.status.lower;
                    d.wid = pins.status.wid;
                }
                if pins.status_enable && !busy {
                    d.state = Write1;
                }
            }
            // Write1: the upper half leaves.
            Write1 => d.state = Write2,
            // Write2: the lower half leaves; from now on the host may see the status.
            Write2 => {
                if q.wid {
                    d.next_write1 = after(q.next_write1, q.initial1, q.size1);
                } else {
                    d.next_write0 = after(q.next_write0, q.initial0, q.size0);
                }
                d.state = Nop;
            }
        }

        // A new start or size empties the ring in any state.
        match (pins.configuration.user_code, pins.configuration.wid) {
            (INITIAL_ADDRESS, false) => (d.initial0, d.next_read0, d.next_write0) = (slot, slot, slot),
            (INITIAL_ADDRESS, true) => (d.initial1, d.next_read1, d.next_write1) = (slot, slot, slot),
            (AREA_SIZE, false) => {
                d.size0 = (pins.configuration.value & 0x7f) as u8;
                (d.next_read0, d.next_write0) = (q.initial0, q.initial0);
            }
            (AREA_SIZE, true) => {
                d.size1 = (pins.configuration.value & 0x7f) as u8;
                (d.next_read1, d.next_write1) = (q.initial1, q.initial1);
            }
            (NEXT_READ_ADDRESS, false) => d.next_read0 = slot,
            (NEXT_READ_ADDRESS, true) => d.next_read1 = slot,
            _ => {}
        }
        d
    }
}

impl Probe for StatusWriteUnit {
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

    fn configure(user_code: u8, wid: bool, value: u16) -> In {
        In { configuration: Configuration { user_code, wid, value, system_code: 0 }, ..In::default() }
    }

    fn status(wid: bool, number: u64) -> In {
        let status = Request { lower: number, upper: number << 32, wid, ..Default::default() };
        In { status, status_enable: true, ..In::default() }
    }

    /// Passes one status through the unit and returns its LLCM writes.
    fn write(unit: &mut StatusWriteUnit, wid: bool, number: u64) -> Vec<(u16, u64)> {
        let mut writes = vec![];
        unit.tick(&status(wid, number));
        while unit.state != Nop {
            let out = unit.outputs();
            assert_eq!(out.llcm_byte_enable, 0xff);
            writes.push((out.llcm_address, out.llcm_wdata));
            unit.tick(&In::default());
        }
        writes
    }

    #[test]
    fn nop_status_takes_three_cycles_upper_half_first() {
        let mut unit = StatusWriteUnit::default();
        let mut states = vec![unit.state];
        unit.tick(&status(true, 7));
        while unit.state != Nop {
            states.push(unit.state);
            unit.tick(&In::default());
        }
        assert_eq!(states, [Nop, Write1, Write2]);
        assert_eq!(unit.outputs().next_write_address1, 16);
        let writes = write(&mut unit, true, 8);
        assert_eq!(writes, [(1 << 12 | 3, 8 << 32), (1 << 12 | 2, 8)]);
    }

    #[test]
    fn write1_and_write2_write_all_bits_of_both_halves() {
        let mut unit = StatusWriteUnit::default();
        let writes = write(&mut unit, false, u64::MAX);
        assert_eq!(writes, [(1, u64::MAX << 32), (0, u64::MAX)]);
    }

    #[test]
    fn nop_without_a_status_leaves_llcm_unchanged() {
        let mut unit = StatusWriteUnit::default();
        unit.tick(&In { status: Request { lower: 1, ..Default::default() }, ..In::default() });
        assert_eq!(unit, StatusWriteUnit::default());
        assert_eq!(unit.outputs().llcm_byte_enable, 0);
    }

    #[test]
    fn write2_last_slot_of_every_size_wraps_to_the_first() {
        let sizes = (0..7).map(|bit| 1 << bit).chain([0, 3, 0x7f]);
        for (size, wid) in sizes.flat_map(|size| [(size, false), (size, true)]) {
            let next = |unit: &StatusWriteUnit| {
                let out = unit.outputs();
                if wid { out.next_write_address1 } else { out.next_write_address0 }
            };
            let mut unit = StatusWriteUnit::default();
            unit.tick(&configure(INITIAL_ADDRESS, wid, 0x200));
            unit.tick(&configure(AREA_SIZE, wid, size));
            let slots = crate::registers::code::status_area_bytes(size as u8) as u64 / 16;
            for number in 0..slots {
                let at = 0x200 + number as u16 * 16;
                assert_eq!(next(&unit), at);
                let place = (u16::from(wid) << 12) + at / 8;
                let writes = write(&mut unit, wid, number);
                assert_eq!(writes, [(place + 1, number << 32), (place, number)]);
                unit.tick(&configure(NEXT_READ_ADDRESS, wid, next(&unit)));
            }
            assert_eq!(next(&unit), 0x200);
            assert_eq!(unit.outputs().empty, 0b11);
        }
    }

    #[test]
    fn nop_ring_full_waits_until_the_host_reads() {
        let mut unit = StatusWriteUnit::default();
        unit.tick(&configure(AREA_SIZE, true, 1));
        for number in 0..3 {
            assert_eq!(unit.outputs().full, 0);
            write(&mut unit, true, number);
        }
        let out = unit.outputs();
        assert_eq!((out.full, out.empty, out.status_busy), (0b10, 0b01, 0b10));
        for _ in 0..10 {
            unit.tick(&status(true, 3));
            assert_eq!(unit.state, Nop);
        }
        // A full ring of one process does not delay the other.
        assert_eq!(write(&mut unit, false, 4).len(), 2);
        unit.tick(&configure(NEXT_READ_ADDRESS, true, 16));
        assert_eq!(unit.outputs().status_busy, 0);
        assert_eq!(write(&mut unit, true, 3)[1], (1 << 12 | 6, 3));
        assert_eq!(unit.outputs().full, 0b10);
    }

    #[test]
    fn nop_new_place_or_size_empties_the_ring() {
        for (code, value, initial) in [(INITIAL_ADDRESS, 0x7f8f, 0x7f80), (AREA_SIZE, 1, 0)] {
            let mut unit = StatusWriteUnit::default();
            write(&mut unit, false, 1);
            write(&mut unit, true, 1);
            unit.tick(&configure(code, false, value));
            let out = unit.outputs();
            assert_eq!((out.empty, out.next_write_address0, out.next_write_address1), (0b01, initial, 16));
        }
    }

    #[test]
    fn write2_ring_at_the_end_of_llcm_continues_at_its_beginning() {
        let mut unit = StatusWriteUnit::default();
        unit.tick(&configure(INITIAL_ADDRESS, false, 0x7ff0));
        assert_eq!(write(&mut unit, false, 1), [(0xfff, 1 << 32), (0xffe, 1)]);
        assert_eq!(write(&mut unit, false, 2), [(1, 2 << 32), (0, 2)]);
    }

    #[test]
    fn write1_other_status_is_not_taken() {
        let mut unit = StatusWriteUnit::default();
        unit.tick(&status(false, 1));
        assert_eq!(unit.outputs().status_busy, 0b11);
        unit.tick(&status(true, 2));
        unit.tick(&status(true, 2));
        assert_eq!((unit.state, unit.lower), (Nop, 1));
    }
}
