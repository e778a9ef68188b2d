//! RVL family: requests data from the SO-DIMM of a remote node (thesis section 5.3, figure 5.14).
//!
//! The request is a packet of four header lines in consecutive cycles. The fourth line is Command Ex: the
//! layout of the data in the requester's SO-DIMM, or 0 unless Command Ex is enabled. The primitive is
//! complete when the request has been sent; the data arrives in packets of the RVS family (decision 0018).
//!
//! A read into a Prefetch Window (Command1) appears in the Prefetch Window Flag: with the last line of the
//! request, the quarters that the data will not touch are reported. The Receive Controller reports the
//! others.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::address::clid_to_lid;
use crate::command::{Ex, Lower, Upper};
use crate::line::{FIRST, LAST, Line, MIDDLE};
use crate::packet::{FirstLine, SecondLine, ThirdLine};
use crate::prefetch_unit::pins::{WINDOW_BYTES, WindowFlag};
use crate::prefetch_unit::pu_ctl::untouched_quarters;
use crate::request::Request;

/// Packet Size of a request: four header lines.
const REQUEST_BYTES: u16 = 32;

hdl::fsm! {
    /// RVL module of the Request Executor (figure 5.14).
    pub enum State in rvl_pkg {
        /// Waits for an RVL, RVLS or RVLI.
        Prim => [
            Wait: "SWIF FIFO almost full",
            Rvl1: "SWIF FIFO not almost full",
            Prim: "no primitive",
        ],
        /// Waits for room in the SWIF FIFO.
        Wait => [Rvl1: "SWIF FIFO not almost full", Wait: "SWIF FIFO almost full"],
        /// The first line leaves.
        Rvl1 => [Rvl2],
        /// The second line leaves.
        Rvl2 => [Rvl3],
        /// The third line leaves.
        Rvl3 => [RvlEnd],
        /// The fourth line leaves; resets the internal registers.
        RvlEnd => [Prim],
    }
}

hdl::bundle! {
    /// Input pins of the RVL module.
    pub struct In in rvl_pkg {
        /// The Request Executor dispatches an RVL, RVLS or RVLI; high for one cycle, only while `idle`.
        start: bool,
        /// The request to send.
        request: Request,
        /// Command Ex of `request`.
        ex: u64,
        /// Process group of WID 0, from Configuration Register.
        pgid0: u8,
        /// Process group of WID 1, from Configuration Register.
        pgid1: u8,
        /// The SWIF FIFO has less room than one packet needs.
        swif_fifo_almost_full: bool,
    }
}

hdl::bundle! {
    /// Output pins of the RVL module.
    pub struct Out in rvl_pkg {
        /// Line to the SWIF FIFO.
        line: Line,
        /// Writes `line` into the SWIF FIFO.
        line_enable: bool,
        /// Update of the Prefetch Window Flag.
        flag: WindowFlag,
        /// A primitive is complete: its request has been sent; high for one cycle.
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
    /// Registers of the RVL module.
    pub struct Rvl in rvl_pkg {
        /// State of the state machine.
        state: State,
        /// The request being sent.
        request: Request,
        /// Command Ex of `request`.
        ex: u64,
        /// Process group of the issuer.
        pgid: u8,
        /// End of the data, counted from the start of its Prefetch Window; all ones far beyond the end of the
        /// window.
        reached: u16 : 10,
        /// Quarters of the Prefetch Window that the data will not touch.
        quarters: u8 : 4,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/window_controller/rvl_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "RequestBytes",
            width: 12,
            value: REQUEST_BYTES as u64,
            doc: "Packet Size of a request: four header lines.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for Rvl {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let (data, id) = match q.state {
            Rvl1 => (q.first_line(), FIRST),
            Rvl2 => (q.second_line(), MIDDLE),
            Rvl3 => (q.third_line(), MIDDLE),
            RvlEnd => (q.ex & Ex::TABLE.mask(), LAST),
            Prim | Wait => (0, 0),
        };
        Out {
            line: Line { data, id },
            line_enable: !matches!(q.state, Prim | Wait),
            flag: q.flag(),
            done: q.state == RvlEnd,
            done_wid: q.request.wid,
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

impl Rvl {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        match q.state {
            // Prim: the FIFO has room for a whole packet unless it is almost full, so it is not tested again.
            Prim => {
                if pins.start {
                    d.request = pins.request;
                    d.ex = pins.ex;
                    d.pgid = if pins.request.wid { pins.pgid1 } else { pins.pgid0 };
                    d.state = if pins.swif_fifo_almost_full { Wait } else { Rvl1 };
                }
            }
            // Wait: PGID is sampled in the cycle before the first line.
            Wait => {
                d.pgid = if q.request.wid { pins.pgid1 } else { pins.pgid0 };
                if !pins.swif_fifo_almost_full {
                    d.state = Rvl1;
                }
            }
            // Rvl1: one line per cycle.
            Rvl1 => d.state = Rvl2,
            // Rvl2: one line per cycle; the end of the data is computed before its quarters.
            Rvl2 => {
                d.reached = q.reached();
                d.state = Rvl3;
            }
            // Rvl3: one line per cycle.
            Rvl3 => {
                d.quarters = q.quarters();
                d.state = RvlEnd;
            }
            // RvlEnd: back to the reset values.
            RvlEnd => d = Self::default(),
        }
        d
    }

    /// First header line.
    #[inline]
    fn first_line(&self) -> u64 {
        let lower = Lower::from_bits(self.request.lower);
        FirstLine {
            packet_size: REQUEST_BYTES,
            otype: lower.otype,
            pgid: self.pgid,
            dwid: lower.dwid,
            swid: self.request.wid,
            dlid: clid_to_lid(lower.dclid),
            dtype: lower.dtype,
            iteration: lower.iteration,
            rflag: self.request.to_prefetch_window,
            eflag: lower.eflag,
            hflag: true,
            lflag: false,
        }
        .bits()
    }

    /// Second header line.
    #[inline]
    fn second_line(&self) -> u64 {
        let upper = Upper::from_bits(self.request.upper);
        SecondLine::reading(upper.srcoff, upper.dstoff).bits()
    }

    /// Third header line.
    #[inline]
    fn third_line(&self) -> u64 {
        let lower = Lower::from_bits(self.request.lower);
        let stride_list = if lower.otype & 3 == 0 { 0 } else { lower.size_list_stride };
        ThirdLine { total_transfer_size: self.total(), stride_list }.bits()
    }

    /// Bytes of the transfer.
    #[inline]
    fn total(&self) -> u32 {
        let lower = Lower::from_bits(self.request.lower);
        if lower.otype & 3 == 0 { lower.size_list_stride } else { u32::from(lower.iteration) << lower.dtype }
    }

    /// Start of the data in its Prefetch Window.
    #[inline]
    fn start(&self) -> u16 {
        Upper::from_bits(self.request.upper).dstoff as u16 & (WINDOW_BYTES - 4)
    }

    /// End of the data in its Prefetch Window; 0x3ff if it is far beyond the end.
    #[inline]
    fn reached(&self) -> u16 {
        if self.total() < WINDOW_BYTES.into() { self.start() + self.total() as u16 } else { 0x3ff }
    }

    /// Quarters of the window that the data will not touch; computed one line before the end (decision 0052).
    #[inline]
    fn quarters(&self) -> u8 {
        untouched_quarters(self.start(), self.reached.min(WINDOW_BYTES).saturating_sub(self.start()))
    }

    /// Update of the Prefetch Window Flag; empty except with the last line of a Command1 request.
    #[inline]
    fn flag(&self) -> WindowFlag {
        let dstoff = Upper::from_bits(self.request.upper).dstoff;
        let opened = self.state == State::RvlEnd && self.request.to_prefetch_window;
        WindowFlag {
            opened,
            quarters: if opened { self.quarters } else { 0 },
            window: (dstoff >> 9) as u8 & 3,
            wid: self.request.wid,
        }
    }
}

impl Probe for Rvl {
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
    use crate::Primitive;

    fn request(lower: Lower, dstoff: u32, to_prefetch_window: bool) -> Request {
        let upper = Upper { srcoff: 0x1000, dstoff }.bits();
        Request { lower: lower.bits(), upper, to_prefetch_window, wid: false }
    }

    fn rvl() -> Request {
        let lower = Lower { dwid: true, dclid: 3, eflag: true, ..Lower::new(Primitive::Rvl, 0x800) };
        request(lower, 0x2000, false)
    }

    /// States, lines and flag updates from the cycle of `start` on, with the SWIF FIFO almost full in the
    /// first `full` cycles.
    fn send(request: Request, ex: u64, full: usize) -> (Vec<State>, Vec<Line>, Vec<WindowFlag>) {
        let mut module = Rvl::default();
        let (mut states, mut lines, mut flags) = (vec![], vec![], vec![]);
        for cycle in 0.. {
            let out = module.outputs();
            if cycle > 0 && out.idle {
                break;
            }
            states.push(out.state);
            lines.extend(out.line_enable.then_some(out.line));
            flags.extend(out.flag.opened.then_some(out.flag));
            assert_eq!(out.done, out.state == RvlEnd);
            let swif_fifo_almost_full = cycle < full;
            let (pgid0, pgid1) = (0xa5, 0x5a);
            module.tick(&In { start: cycle == 0, request, ex, pgid0, pgid1, swif_fifo_almost_full });
        }
        assert_eq!(module, Rvl::default());
        (states, lines, flags)
    }

    #[test]
    fn request_of_four_lines_takes_five_cycles() {
        let (states, lines, flags) = send(rvl(), 0, 0);
        assert_eq!(states, [Prim, Rvl1, Rvl2, Rvl3, RvlEnd]);
        let expected = [
            Line { data: 0x3000_0003_1a51_0020, id: FIRST },
            Line { data: 0x0000_2000_0000_1000, id: MIDDLE },
            Line { data: 0x0000_0000_0000_0800, id: MIDDLE },
            Line { data: 0, id: LAST },
        ];
        assert_eq!((lines, flags), (expected.to_vec(), vec![]));
    }

    #[test]
    fn prim_fifo_almost_full_waits_until_it_is_not() {
        let (states, lines, _) = send(Request { wid: true, ..rvl() }, 0, 4);
        assert_eq!(states, [Prim, Wait, Wait, Wait, Wait, Rvl1, Rvl2, Rvl3, RvlEnd]);
        let first = FirstLine::from_bits(lines[0].data);
        assert_eq!((first.pgid, first.swid), (0x5a, true));
    }

    #[test]
    fn third_line_has_the_byte_count_and_stride_or_list() {
        for primitive in [Primitive::Rvls, Primitive::Rvli] {
            let lower = Lower { dtype: 4, iteration: 10, ..Lower::new(primitive, 0x40) };
            let (_, lines, _) = send(request(lower, 0, false), 0, 0);
            assert_eq!(lines[2].data, 0x40 << 32 | 160);
            let first = FirstLine::from_bits(lines[0].data);
            assert_eq!((first.otype, first.dtype, first.iteration), (primitive.code(), 4, 10));
        }
    }

    #[test]
    fn fourth_line_is_command_ex_without_its_unused_bits() {
        let (_, lines, _) = send(rvl(), u64::MAX, 0);
        assert_eq!(lines[3].data, 0xffff_ffff_0000_ffff);
    }

    #[test]
    fn command1_reports_the_quarters_that_the_data_will_not_touch() {
        for (dstoff, size, window, quarters) in [
            (0u32, 512, 0, 0b0000),
            (0x280, 8, 1, 0b1101),
            (0xffff_fc7c, 8, 2, 0b1100),
            (0x7f8, 100, 3, 0b0111),
            (0x200, 0, 1, 0b1111),
        ] {
            let request = request(Lower::new(Primitive::Rvl, size), dstoff, true);
            let (_, lines, flags) = send(request, 0, 0);
            assert!(FirstLine::from_bits(lines[0].data).rflag);
            let expected = WindowFlag { opened: true, quarters, window, wid: false };
            assert_eq!(flags, [expected], "{size} bytes at {dstoff:#x}");
        }
    }
}
