//! User Register: one process's page of registers (thesis section 5.2, figures 4.12 and 4.13, table 4.8, appendix A).
//!
//! Writing a Lower raises the flag of the single request slot. The request leaves with the Upper of the same
//! command and with Command Ex, as they are when it is taken, and the flag falls. A Lower written while the
//! flag is up is ignored (decision 0007). Values that only configure the transaction side are kept there;
//! Configuration Distribution sends them.
//!
//! Three bits of Controller Status per Write Window report the result of the last VS-family primitive from
//! it. They are cleared when the next one is written, so that a poll before its dispatch does not see the old
//! result. A copy from SO-DIMM (SRCOff 0xffff_ffff) has no window and clears nothing (decision 0017).
//!
//! The Prefetch Window Flag of a window is cleared when a VL, VLS or VLI into it is written, not when it is
//! executed, so that no poll sees the old bits. When the transfer begins, the quarters that it will not touch
//! are set; the others are set as they are stored. The same applies to an RVL, RVLS or RVLI of Command1,
//! whose data comes from a remote node.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

use super::pins::VsResult;
use crate::command::{Lower, SODIMM_COPY, Upper};
use crate::prefetch_unit::pins::WindowFlag;
use crate::primitive::{Family, is_rvl, is_vl};
use crate::registers::UserRegister::*;
use crate::registers::{self, UserRegister};

hdl::bundle! {
    /// Input pins of the User Register.
    pub struct In in user_register_block_pkg {
        /// Byte offset in the page.
        offset: u16 : 12,
        /// The host writes all 64 bits of the register at `offset`.
        write: bool,
        /// The host reads the register at `offset`; it is on `rdata` in the next cycle.
        read: bool,
        /// Data from the host.
        wdata: u64,
        /// The Request FIFO accepts the request in this cycle.
        request_taken: bool,
        /// SO-DIMM initialisation is done, from System Register.
        sdimm_initialized: bool,
        /// The Request FIFO is almost full, from Window Controller.
        request_fifo_almost_full: bool,
        /// The ring of receive statuses is full, from Status Write Unit.
        status_area_full: bool,
        /// The ring of receive statuses is empty, from Status Write Unit.
        status_area_empty: bool,
        /// LLCM byte address of the next receive status, from Status Write Unit.
        status_next_write_address: u16 : 15,
        /// Byte offset of the next message head, from LH Buffer.
        lh_next_write_address: u16 : 12,
        /// Module State, the same for both processes.
        module_state: u64 : 58,
        /// A BOTF of this process is complete; one cycle.
        botf_done: bool,
        /// Result of a VS-family primitive of this process.
        vs_result: VsResult,
        /// A VL, VLS or VLI of this process is complete; one cycle.
        vl_done: bool,
        /// An RVL, RVLS or RVLI of this process is complete; one cycle.
        rvl_done: bool,
        /// An RVS, RVSS or RVSI of this process is complete; one cycle.
        rvs_done: bool,
        /// An IPUSH of this process is complete; one cycle.
        ipush_done: bool,
        /// Update of this process's Prefetch Window Flag, from Prefetch Unit; `wid` is ignored.
        flag: WindowFlag,
        /// Update of the Prefetch Window Flag, from Window Controller; `wid` is ignored.
        request_flag: WindowFlag,
        /// Update of the Prefetch Window Flag, from Receive Controller; `wid` is ignored.
        receive_flag: WindowFlag,
        /// A packet for this process was accepted; one cycle.
        packet_received: bool,
        /// Received data extended past the receive area of this process; one cycle.
        receive_overrun: bool,
        /// Error of the Receive Controller, a `ReceiveCondition`, nonzero for one cycle.
        receive_condition: u8 : 2,
    }
}

hdl::bundle! {
    /// Output pins of the User Register.
    pub struct Out in user_register_block_pkg {
        /// Register that the host read most recently.
        rdata: u64,
        /// The slot holds a request.
        request_waiting: bool,
        /// Command Lower.
        lower: u64,
        /// Upper of the command in the slot.
        upper: u64,
        /// Command Ex; 0 unless Command Ex Flag is 1.
        ex: u64,
        /// The command in the slot is Command1.
        to_prefetch_window: bool,
    }
}

hdl::bundle! {
    /// Registers of the User Register.
    pub struct UserRegisterPage in user_register_block_pkg {
        /// The slot holds a request: bit 0 of Controller Status.
        request_waiting: bool,
        /// The command in the slot is Command1.
        to_prefetch_window: bool,
        /// Lower of the command in the slot.
        lower: u64,
        /// Command0 Upper.
        upper0: u64,
        /// Command1 Upper.
        upper1: u64,
        /// SRCOff of Command0 Upper is 0xffff_ffff: the VS half of an SO-DIMM copy.
        source0_copies: bool,
        /// DSTOff of Command0 Upper is 0xffff_ffff: the VL half of an SO-DIMM copy.
        destination0_copies: bool,
        /// SRCOff of Command1 Upper is 0xffff_ffff.
        source1_copies: bool,
        /// DSTOff of Command1 Upper is 0xffff_ffff.
        destination1_copies: bool,
        /// Command Ex.
        ex: u64,
        /// Command Ex Flag.
        ex_enabled: bool,
        /// BOTFs completed.
        botf_count: u16 : 10,
        /// VS, VSS and VSI completed.
        vs_count: u16 : 10,
        /// Controller Status bits 16:5: for each window complete, source clamped, destination clamped.
        windows: u16 : 12,
        /// VL, VLS and VLI completed.
        vl_count: u16 : 10,
        /// RVL, RVLS and RVLI completed.
        rvl_count: u16 : 10,
        /// RVS, RVSS and RVSI completed.
        rvs_count: u16 : 10,
        /// IPUSH, LHSv1 and LHSv2 completed.
        ipush_count: u16 : 10,
        /// Prefetch Window Flag.
        window_flag: u16,
        /// Packets received.
        packet_count: u64,
        /// Received data has extended past the receive area since the last reset.
        receive_overrun: bool,
        /// First error of the Receive Controller since the last reset, a `ReceiveCondition`.
        receive_condition: u8 : 2,
        /// Register that the host read most recently.
        rdata: u64,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/host_interface/user_register_block_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// Controller Status bits set by a finished primitive of the VS family.
#[inline]
fn window_bits(result: VsResult) -> u16 {
    if result.copied {
        return 0;
    }
    let bits = 1 | (result.source_clamped as u16) << 1 | (result.destination_clamped as u16) << 2;
    bits << (3 * result.window)
}

/// Whether SRCOff and DSTOff of an Upper mark the VS and VL half of an SO-DIMM copy.
#[inline]
fn copies(upper: u64) -> (bool, bool) {
    let upper = Upper::from_bits(upper);
    (upper.srcoff == SODIMM_COPY, upper.dstoff == SODIMM_COPY)
}

/// Controller Status bits cleared by an issued command: those of its window if it is of the VS family.
#[inline]
fn cleared_windows(lower: u64, upper: u64, copies: bool) -> u16 {
    let (lower, upper) = (Lower::from_bits(lower), Upper::from_bits(upper));
    let window = upper.srcoff >> 9 & 3;
    let clears = lower.otype >> 2 == Family::FamilyVs.code() && !copies;
    if clears { 7 << (3 * window) } else { 0 }
}

/// Prefetch Window Flag bits of a window.
#[inline]
fn flag_bits(window: u8, quarters: u8) -> u16 {
    u16::from(quarters) << (4 * window)
}

/// Prefetch Window Flag bits cleared by a command: those of the window named by a VL, VLS or VLI that is not
/// a copy, or by an RVL, RVLS or RVLI of Command1.
#[inline]
fn cleared_flag(lower: u64, upper: u64, copies: bool, command1: bool) -> u16 {
    let (lower, upper) = (Lower::from_bits(lower), Upper::from_bits(upper));
    let remote = command1 && is_rvl(lower.otype);
    if remote || is_vl(lower.otype) && !copies { flag_bits((upper.dstoff >> 9 & 3) as u8, 0xf) } else { 0 }
}

impl Clocked for UserRegisterPage {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = self;
        Out {
            rdata: q.rdata,
            request_waiting: q.request_waiting,
            lower: q.lower,
            upper: if q.to_prefetch_window { q.upper1 } else { q.upper0 },
            ex: if q.ex_enabled { q.ex } else { 0 },
            to_prefetch_window: q.to_prefetch_window,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let reported = pins.request_taken
            || pins.botf_done
            || pins.vs_result.done
            || pins.vl_done
            || pins.rvl_done
            || pins.rvs_done
            || pins.ipush_done
            || [pins.flag, pins.request_flag, pins.receive_flag]
                .iter()
                .any(|flag| flag.opened || flag.quarters != 0)
            || pins.packet_received
            || pins.receive_overrun
            || pins.receive_condition != 0;
        if pins.write || pins.read || reported {
            *self = self.next(pins);
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.request_waiting { Quiet::Busy } else { Quiet::UntilInput }
    }
}

impl UserRegisterPage {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        let q = self;
        let mut d = *q;

        // Events of the transaction side. The first error is kept, because later ones may be its
        // consequences.
        if pins.request_taken {
            d.request_waiting = false;
        }
        if pins.botf_done {
            d.botf_count = Self::WIDTHS.botf_count.wrap(q.botf_count + 1);
        }
        if pins.vs_result.done {
            d.vs_count = Self::WIDTHS.vs_count.wrap(q.vs_count + 1);
            d.windows |= window_bits(pins.vs_result);
        }
        if pins.vl_done {
            d.vl_count = Self::WIDTHS.vl_count.wrap(q.vl_count + 1);
        }
        if pins.rvl_done {
            d.rvl_count = Self::WIDTHS.rvl_count.wrap(q.rvl_count + 1);
        }
        if pins.rvs_done {
            d.rvs_count = Self::WIDTHS.rvs_count.wrap(q.rvs_count + 1);
        }
        if pins.ipush_done {
            d.ipush_count = Self::WIDTHS.ipush_count.wrap(q.ipush_count + 1);
        }
        for flag in [pins.flag, pins.request_flag, pins.receive_flag] {
            if flag.opened {
                d.window_flag &= !flag_bits(flag.window, 0xf);
            }
            d.window_flag |= flag_bits(flag.window, flag.quarters);
        }
        if pins.packet_received {
            d.packet_count = q.packet_count.wrapping_add(1);
        }
        if pins.receive_overrun {
            d.receive_overrun = true;
        }
        if q.receive_condition == 0 {
            d.receive_condition = pins.receive_condition;
        }

        // Host writes. Clearing a counter takes precedence over counting.
        if pins.write {
            match UserRegister::write(pins.offset) {
                Some(Command0Lower) if !q.request_waiting => {
                    d.lower = pins.wdata;
                    d.to_prefetch_window = false;
                    d.request_waiting = true;
                    d.windows &= !cleared_windows(pins.wdata, q.upper0, q.source0_copies);
                    d.window_flag &= !cleared_flag(pins.wdata, q.upper0, q.destination0_copies, false);
                }
                Some(Command1Lower) if !q.request_waiting => {
                    d.lower = pins.wdata;
                    d.to_prefetch_window = true;
                    d.request_waiting = true;
                    d.windows &= !cleared_windows(pins.wdata, q.upper1, q.source1_copies);
                    d.window_flag &= !cleared_flag(pins.wdata, q.upper1, q.destination1_copies, true);
                }
                Some(Command0Upper) => {
                    d.upper0 = pins.wdata;
                    (d.source0_copies, d.destination0_copies) = copies(pins.wdata);
                }
                Some(Command1Upper) => {
                    d.upper1 = pins.wdata;
                    (d.source1_copies, d.destination1_copies) = copies(pins.wdata);
                }
                Some(CommandEx) => d.ex = pins.wdata,
                Some(CommandExFlag) => d.ex_enabled = pins.wdata & 1 == 1,
                Some(PrimitiveCounterReset) => {
                    d.botf_count = 0;
                    d.vs_count = 0;
                    d.vl_count = 0;
                    d.rvl_count = 0;
                    d.rvs_count = 0;
                    d.ipush_count = 0;
                }
                Some(PacketCounterReset) => d.packet_count = 0,
                _ => {}
            }
        }

        // Host reads.
        if pins.read {
            d.rdata = match UserRegister::read(pins.offset) {
                Some(ControllerStatus) => q.controller_status(pins).bits(),
                Some(PrimitiveCounter) => {
                    let (botf, vl, vs) = (q.botf_count, q.vl_count, q.vs_count);
                    let (rvl, rvs, ipush) = (q.rvl_count, q.rvs_count, q.ipush_count);
                    registers::PrimitiveCounter { botf, vl, vs, rvl, rvs, ipush }.bits()
                }
                Some(PrefetchWindowFlag) => u64::from(q.window_flag),
                Some(PacketCounter) => q.packet_count,
                Some(ModuleState) => pins.module_state,
                Some(LhBufferNextWriteAddress) => u64::from(pins.lh_next_write_address),
                Some(StatusNextWriteAddress) => u64::from(pins.status_next_write_address),
                _ => 0,
            };
        }
        d
    }

    #[inline]
    fn controller_status(&self, pins: &In) -> registers::ControllerStatus {
        let window = |bit: u32| self.windows >> bit & 1 == 1;
        registers::ControllerStatus {
            request_waiting: self.request_waiting,
            sdimm_initialized: pins.sdimm_initialized,
            request_fifo_almost_full: pins.request_fifo_almost_full,
            status_area_full: pins.status_area_full,
            status_area_empty: pins.status_area_empty,
            window0_complete: window(0),
            window0_source_clamped: window(1),
            window0_destination_clamped: window(2),
            window1_complete: window(3),
            window1_source_clamped: window(4),
            window1_destination_clamped: window(5),
            window2_complete: window(6),
            window2_source_clamped: window(7),
            window2_destination_clamped: window(8),
            window3_complete: window(9),
            window3_source_clamped: window(10),
            window3_destination_clamped: window(11),
            receive_overrun: self.receive_overrun,
            receive_condition: self.receive_condition,
        }
    }
}

impl Probe for UserRegisterPage {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(page: &mut UserRegisterPage, register: UserRegister, wdata: u64) {
        page.tick(&In { offset: register.info().offset, write: true, wdata, ..In::default() });
    }

    fn read(page: &mut UserRegisterPage, register: UserRegister) -> u64 {
        page.tick(&In { offset: register.info().offset, read: true, ..In::default() });
        page.outputs().rdata
    }

    #[test]
    fn idle_lower_waits_with_the_upper_of_its_command() {
        for (lower, upper, other, to_prefetch_window) in [
            (Command0Lower, Command0Upper, Command1Upper, false),
            (Command1Lower, Command1Upper, Command0Upper, true),
        ] {
            let mut page = UserRegisterPage::default();
            write(&mut page, upper, 2);
            write(&mut page, other, 3);
            assert!(!page.outputs().request_waiting);
            write(&mut page, lower, 1);
            let expected =
                Out { request_waiting: true, lower: 1, upper: 2, to_prefetch_window, ..Out::default() };
            assert_eq!(page.outputs(), expected);
        }
    }

    #[test]
    fn waiting_lower_written_again_is_ignored() {
        let mut page = UserRegisterPage::default();
        write(&mut page, Command0Lower, 1);
        write(&mut page, Command0Lower, 2);
        write(&mut page, Command1Lower, 3);
        assert_eq!((page.lower, page.to_prefetch_window), (1, false));
        let offset = Command1Lower.info().offset;
        page.tick(&In { offset, write: true, wdata: 4, request_taken: true, ..In::default() });
        assert_eq!((page.lower, page.request_waiting), (1, false), "the flag was still up in that cycle");
    }

    #[test]
    fn waiting_request_taken_lowers_the_flag() {
        let mut page = UserRegisterPage::default();
        write(&mut page, Command0Lower, 1);
        assert_eq!(read(&mut page, ControllerStatus) & 1, 1);
        page.tick(&In { request_taken: true, ..In::default() });
        assert_eq!(read(&mut page, ControllerStatus) & 1, 0);
    }

    #[test]
    fn command_ex_is_sent_only_while_its_flag_is_1() {
        let mut page = UserRegisterPage::default();
        write(&mut page, CommandEx, 0x55);
        assert_eq!(page.outputs().ex, 0);
        write(&mut page, CommandExFlag, 0xffff_ffff_ffff_ffff);
        assert_eq!(page.outputs().ex, 0x55);
        write(&mut page, CommandExFlag, 0xffff_ffff_ffff_fffe);
        assert_eq!(page.outputs().ex, 0);
    }

    #[test]
    fn botf_counter_wraps_at_1024_without_a_carry() {
        let mut page = UserRegisterPage::default();
        for _ in 0..1023 {
            page.tick(&In { botf_done: true, ..In::default() });
        }
        assert_eq!(read(&mut page, PrimitiveCounter), 1023);
        page.tick(&In { botf_done: true, ..In::default() });
        assert_eq!(read(&mut page, PrimitiveCounter), 0);
    }

    #[test]
    fn counter_cleared_while_counting_is_0() {
        let mut page = UserRegisterPage { botf_count: 7, packet_count: 8, ..Default::default() };
        let pulses = In { botf_done: true, packet_received: true, write: true, ..In::default() };
        page.tick(&In { offset: PrimitiveCounterReset.info().offset, ..pulses });
        assert_eq!((page.botf_count, page.packet_count), (0, 9));
        page.tick(&In { offset: PacketCounterReset.info().offset, ..pulses });
        assert_eq!((page.botf_count, page.packet_count), (1, 0));
    }

    fn done(window: u8, source_clamped: bool, destination_clamped: bool) -> In {
        let vs_result =
            VsResult { done: true, wid: false, window, copied: false, source_clamped, destination_clamped };
        In { vs_result, ..In::default() }
    }

    #[test]
    fn vs_result_sets_only_the_bits_of_its_window() {
        let mut page = UserRegisterPage::default();
        page.tick(&done(0, false, false));
        page.tick(&done(1, true, false));
        page.tick(&done(3, false, true));
        page.tick(&In {
            vs_result: VsResult { done: false, ..done(2, true, true).vs_result },
            ..In::default()
        });
        assert_eq!(read(&mut page, ControllerStatus), 1 << 5 | 0b011 << 8 | 0b101 << 14);
        assert_eq!(read(&mut page, PrimitiveCounter), 3 << 20);
        write(&mut page, PrimitiveCounterReset, 0);
        assert_eq!(read(&mut page, PrimitiveCounter), 0);
    }

    #[test]
    fn kick_of_a_vs_family_primitive_clears_the_bits_of_its_window() {
        for (lower, upper) in [(Command0Lower, Command0Upper), (Command1Lower, Command1Upper)] {
            // Primitive code, SRCOff, and the window whose bits are cleared.
            for (otype, srcoff, cleared) in [
                (8u64, 0x0000_0400u64, Some(2)),
                (9, 0xffff_fbfc, Some(1)),
                (10, 0x0000_0000, Some(0)),
                (8, 0xffff_ffff, None),
                (1, 0x0000_0400, None),
                (4, 0x0000_0600, None),
            ] {
                let mut page = UserRegisterPage { windows: 0xfff, ..Default::default() };
                write(&mut page, upper, 0xdddd_dddd << 32 | srcoff);
                assert_eq!(page.windows, 0xfff, "Upper issues nothing");
                write(&mut page, lower, 0x200 << 32 | otype);
                let left = cleared.map_or(0xfff, |window: u32| 0xfff & !(7 << (3 * window)));
                assert_eq!(page.windows, left, "code {otype}, SRCOff {srcoff:#x}");
                // An ignored Lower clears nothing.
                write(&mut page, upper, 0x600);
                write(&mut page, lower, 8);
                assert_eq!(page.windows, left);
            }
        }
    }

    #[test]
    fn kick_in_the_cycle_of_an_earlier_result_leaves_the_bits_clear() {
        let mut page = UserRegisterPage::default();
        page.tick(&In { offset: Command0Lower.info().offset, write: true, wdata: 8, ..done(0, true, true) });
        assert_eq!((page.windows, page.vs_count), (0, 1));
    }

    #[test]
    fn first_receive_condition_is_kept_until_reset() {
        let mut page = UserRegisterPage::default();
        page.tick(&In { receive_condition: 2, ..In::default() });
        page.tick(&In { receive_condition: 1, receive_overrun: true, ..In::default() });
        page.tick(&In::default());
        assert_eq!(read(&mut page, ControllerStatus), 2 << 18 | 1 << 17);
        page.reset();
        assert_eq!(read(&mut page, ControllerStatus), 0);
    }
    #[test]
    fn vl_written_clears_the_bits_of_its_window_only() {
        for (upper_of, lower_of) in [(Command0Upper, Command0Lower), (Command1Upper, Command1Lower)] {
            for (otype, dstoff, flag) in [
                (4, 0x000, 0xfff0),
                (5, 0x1fc, 0xfff0),
                (6, 0x200, 0xff0f),
                (4, 0xffff_fdff, 0xf0ff),
                (4, 0x7ff, 0x0fff),
                // A copy, an unassigned code, other families.
                (4, SODIMM_COPY, 0xffff),
                (7, 0x000, 0xffff),
                (8, 0x000, 0xffff),
                (1, 0x000, 0xffff),
                (20, 0x000, 0xffff),
            ] {
                let mut page = UserRegisterPage { window_flag: 0xffff, ..Default::default() };
                write(&mut page, upper_of, u64::from(dstoff) << 32);
                write(&mut page, lower_of, otype);
                assert_eq!(read(&mut page, PrefetchWindowFlag), flag, "code {otype}, {dstoff:#x}");
            }
        }
    }

    #[test]
    fn waiting_vl_written_clears_nothing() {
        let mut page = UserRegisterPage { window_flag: 0xffff, ..Default::default() };
        write(&mut page, Command0Lower, 1);
        write(&mut page, Command0Lower, 4);
        assert_eq!(read(&mut page, PrefetchWindowFlag), 0xffff);
    }

    #[test]
    fn window_flag_follows_the_transfer() {
        let mut page = UserRegisterPage { window_flag: 0x0ff0, ..Default::default() };
        let news = |opened, quarters| WindowFlag { opened, quarters, window: 2, wid: false };
        page.tick(&In { flag: news(true, 0b1001), ..In::default() });
        assert_eq!(page.window_flag, 0x09f0);
        page.tick(&In { flag: news(false, 0b0010), ..In::default() });
        page.tick(&In { flag: news(false, 0), ..In::default() });
        assert_eq!(page.window_flag, 0x0bf0);
        // A command written in the same cycle takes precedence.
        let kick = In { offset: Command0Lower.info().offset, write: true, wdata: 4, ..In::default() };
        page.tick(&In { flag: WindowFlag { window: 0, ..news(false, 0xf) }, ..kick });
        assert_eq!(page.window_flag, 0x0bf0 & !0xf);
    }

    #[test]
    fn window_flag_accepts_three_updates_in_one_cycle() {
        let mut page = UserRegisterPage { window_flag: 0x0f0f, ..Default::default() };
        let news = |window, opened, quarters| WindowFlag { opened, quarters, window, wid: false };
        page.tick(&In {
            flag: news(0, true, 0b0001),
            request_flag: news(2, true, 0b1000),
            receive_flag: news(3, false, 0b0110),
            ..In::default()
        });
        assert_eq!(page.window_flag, 0x6801);
    }

    #[test]
    fn rvl_of_command1_clears_the_bits_of_its_window() {
        for (upper_of, lower_of, cleared) in
            [(Command0Upper, Command0Lower, 0), (Command1Upper, Command1Lower, 0x0f00)]
        {
            for otype in 16..19 {
                let mut page = UserRegisterPage { window_flag: 0xffff, ..Default::default() };
                write(&mut page, upper_of, 0xffff_fc00 << 32);
                write(&mut page, lower_of, otype);
                assert_eq!(read(&mut page, PrefetchWindowFlag), 0xffff & !cleared, "code {otype}");
            }
        }
    }

    #[test]
    fn rvs_and_rvl_counters_are_independent_of_botf() {
        let mut page = UserRegisterPage { botf_count: 1023, rvs_count: 1022, ..Default::default() };
        page.tick(&In { rvs_done: true, ..In::default() });
        assert_eq!(read(&mut page, PrimitiveCounter), 1023 << 40 | 1023);
        page.tick(&In { rvs_done: true, rvl_done: true, ..In::default() });
        assert_eq!(read(&mut page, PrimitiveCounter), 1 << 30 | 1023);
        page.tick(&In { rvs_done: true, rvl_done: true, ..In::default() });
        write(&mut page, PrimitiveCounterReset, 0);
        assert_eq!(read(&mut page, PrimitiveCounter), 0);
    }

    #[test]
    fn ipush_counter_counts_in_bits_59_to_50_and_wraps() {
        let mut page = UserRegisterPage { ipush_count: 1022, rvs_count: 5, ..Default::default() };
        for expected in [1023, 0, 1] {
            page.tick(&In { ipush_done: true, ..In::default() });
            assert_eq!(read(&mut page, PrimitiveCounter), expected << 50 | 5 << 40);
        }
        write(&mut page, PrimitiveCounterReset, 0);
        assert_eq!(read(&mut page, PrimitiveCounter), 0);
    }

    #[test]
    fn vl_counter_is_independent_of_botf() {
        let mut page = UserRegisterPage { botf_count: 1023, vl_count: 1023, ..Default::default() };
        page.tick(&In { vl_done: true, ..In::default() });
        assert_eq!(read(&mut page, PrimitiveCounter), 1023);
        page.tick(&In { vl_done: true, ..In::default() });
        assert_eq!(read(&mut page, PrimitiveCounter), 1 << 10 | 1023);
        write(&mut page, PrimitiveCounterReset, 0);
        assert_eq!(read(&mut page, PrimitiveCounter), 0);
    }
}
