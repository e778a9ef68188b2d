//! Request Executor: runs one primitive at a time in the module of its family (thesis section 5.3.2, figure 5.10).
//!
//! The Executor is structural: it decodes the kind of the request and starts a module in the cycle in which it
//! takes the request. It is ready while all modules are idle. A kind that no module executes is taken, and
//! starts nothing. Of the families, BOTF, VL and VS have their modules; they run requests of the host only, so that
//! no remote node can make this one send.
//!
//! A copy from SO-DIMM to SO-DIMM is a VL and a VS, run like any other; the VL is done when it is parked.
//!
//! Combinational: `request` to the module's pins; every output is a register's.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

use super::botf::{self, Botf};
use super::pins::{VectorStore, VectorStoreStatus};
use super::vl::{self, Vl};
use super::vs::{self, Vs};
use crate::command::{BotfLower, Lower, SODIMM_COPY, Upper};
use crate::host_interface::pins::VsResult;
use crate::line::Line;
use crate::prefetch_unit::pins::{CopyChunk, CopyRequest, VectorLoad};
use crate::primitive::{Family, Primitive, is_vl};
use crate::request::Request;

/// Lines of a full Write Window: the longest packet that does not depend on MTU.
pub const WINDOW_LINES: u16 = 64;

/// Lines of room kept beyond the longest packet (decision 0008).
pub const SWIF_FIFO_MARGIN: u16 = 4;

hdl::bundle! {
    /// Input pins of the Request Executor.
    pub struct In in request_executor_pkg {
        /// Two lines of the Write Window read last.
        write_window_rdata: u128,
        /// Request, from Request Acceptor.
        request: Request,
        /// Its Command Ex.
        ex: u64,
        /// The request came from a remote node.
        remote: bool,
        /// There is a request; it is taken in a cycle with `ready`.
        request_enable: bool,
        /// Process group of WID 0, from Configuration Register.
        pgid0: u8,
        /// Process group of WID 1, from Configuration Register.
        pgid1: u8,
        /// Longest packet in bytes, from Configuration Register.
        mtu: u16 : 13,
        /// Lines that the SWIF FIFO can still take.
        swif_fifo_free: u16 : 11,
        /// From Write Unit.
        vector_store_status: VectorStoreStatus,
        /// The Prefetch Unit executes a request.
        prefetch_unit_busy: bool,
        /// From Prefetch Unit.
        copy_chunk: CopyChunk,
    }
}

hdl::bundle! {
    /// Output pins of the Request Executor.
    pub struct Out in request_executor_pkg {
        /// All modules are idle: a request is taken in this cycle.
        ready: bool,
        /// Line to the SWIF FIFO.
        line: Line,
        /// Writes `line` into the SWIF FIFO.
        line_enable: bool,
        /// Reads two lines of the Write Window.
        write_window_read_enable: bool,
        /// Row of 16 bytes: WID, window, row in the window.
        write_window_address: u8,
        /// A BOTF is complete; high for one cycle.
        botf_done: bool,
        /// Process whose BOTF is complete.
        botf_done_wid: bool,
        /// A VL, VLS or VLI is complete; high for one cycle.
        vl_done: bool,
        /// Process whose VL, VLS or VLI is complete.
        vl_done_wid: bool,
        /// To Prefetch Unit.
        vector_load: VectorLoad,
        /// The Prefetch Unit takes `vector_load` in this cycle.
        vector_load_start: bool,
        /// State number of the running module; 0 when all are idle.
        state: u16 : 10,
        /// Family of the running module; 0 when all are idle.
        family: u8 : 3,
        /// How a primitive of the VS family went.
        vs_result: VsResult,
        /// To Write Unit.
        vector_store: VectorStore,
        /// To Prefetch Unit.
        copy_request: CopyRequest,
    }
}

/// The Request Executor.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestExecutor {
    /// Sends a Write Window.
    pub botf: Botf,
    /// Stores a Write Window in SO-DIMM.
    pub vs: Vs,
    /// Reads SO-DIMM into a Prefetch Window.
    pub vl: Vl,
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/window_controller/request_executor_pkg",
    source: "crates/dimmnet2/src/window_controller/request_executor.rs",
    items: &[
        Item::Constant {
            name: "WindowLines",
            width: 10,
            value: WINDOW_LINES as u64,
            doc: "Lines of a full Write Window: the longest packet that does not depend on MTU.",
        },
        Item::Constant {
            name: "SwifFifoMargin",
            width: 11,
            value: SWIF_FIFO_MARGIN as u64,
            doc: "Lines of room kept beyond the longest packet (decision 0008).",
        },
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for RequestExecutor {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let botf = self.botf.outputs();
        let vl = self.vl.outputs();
        let vs = self.vs.outputs();
        Out {
            ready: botf.idle && vl.idle && vs.idle,
            line: botf.line,
            line_enable: botf.line_enable,
            write_window_read_enable: botf.write_window_read_enable || vs.write_window_read_enable,
            write_window_address: if vs.idle { botf.write_window_address } else { vs.write_window_address },
            botf_done: botf.done,
            botf_done_wid: botf.done_wid,
            // One module runs at a time, and the state of an idle one is 0.
            state: botf.state as u16 | vl.state as u16 | vs.state as u16,
            family: match (vl.idle, vs.idle) {
                (false, _) => Family::FamilyVl.code(),
                (_, false) => Family::FamilyVs.code(),
                _ => Family::FamilyBotf.code(),
            },
            vs_result: vs.result,
            vector_store: vs.vector_store,
            copy_request: vs.copy_request,
            vl_done: vl.done,
            vl_done_wid: vl.done_wid,
            vector_load: vl.vector_load,
            vector_load_start: vl.vector_load_start,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        // No module does anything in an idle Executor without a request.
        let ready = self.botf.outputs().idle && self.vl.outputs().idle && self.vs.outputs().idle;
        if ready && !pins.request_enable {
            return;
        }

        // A module sends a whole packet once it has begun, so there must be room for the longest one.
        let longest_packet = WINDOW_LINES.max(pins.mtu / 8);
        let swif_fifo_almost_full = pins.swif_fifo_free < longest_packet + SWIF_FIFO_MARGIN;

        let lower = BotfLower::from_bits(pins.request.lower);
        let accept = pins.request_enable && ready;
        let is_botf = lower.otype == Primitive::Botf.code() && !pins.remote;

        self.botf.tick(&botf::In {
            write_window_rdata: pins.write_window_rdata,
            start: accept && is_botf,
            wid: pins.request.wid,
            window: lower.window,
            size: lower.size,
            pgid0: pins.pgid0,
            pgid1: pins.pgid1,
            swif_fifo_almost_full,
        });

        let vs_lower = Lower::from_bits(pins.request.lower);
        let vs_upper = Upper::from_bits(pins.request.upper);
        let is_vsi = vs_lower.otype == Primitive::Vsi.code();
        let is_vss = vs_lower.otype == Primitive::Vss.code() || is_vsi;
        let is_vs = vs_lower.otype == Primitive::Vs.code() || is_vss;
        self.vs.tick(&vs::In {
            start: accept && is_vs && !pins.remote,
            strided: is_vss,
            listed: is_vsi,
            copies: vs_upper.srcoff == SODIMM_COPY,
            wid: pins.request.wid,
            source: vs_upper.srcoff as u16 & 0x7ff,
            offset: vs_upper.dstoff,
            size_list_stride: vs_lower.size_list_stride,
            dtype: vs_lower.dtype,
            iteration: vs_lower.iteration,
            status: pins.vector_store_status,
            prefetch_unit_busy: pins.prefetch_unit_busy,
            copy_chunk: pins.copy_chunk,
        });
        self.vl.tick(&vl::In {
            start: accept && is_vl(lower.otype) && !pins.remote,
            vector_load: vector_load(&pins.request),
            prefetch_unit_busy: pins.prefetch_unit_busy,
        });
    }

    fn reset(&mut self) {
        self.botf.reset();
        self.vs.reset();
        self.vl.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        self.botf.quiescent().and(self.vl.quiescent()).and(self.vs.quiescent())
    }
}

/// What a request of the VL family asks for.
#[inline]
fn vector_load(request: &Request) -> VectorLoad {
    let lower = Lower::from_bits(request.lower);
    let upper = Upper::from_bits(request.upper);
    VectorLoad {
        wid: request.wid,
        variant: lower.otype & 3,
        dtype: lower.dtype,
        iteration: lower.iteration,
        size_list_stride: lower.size_list_stride,
        srcoff: upper.srcoff,
        dstoff: upper.dstoff,
    }
}

impl Probe for RequestExecutor {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("botf", &self.botf);
        visitor.block("vs", &self.vs);
        visitor.block("vl", &self.vl);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::botf::State;
    use super::*;

    fn botf_request(size: u16) -> In {
        let lower = BotfLower { window: 2, ..BotfLower::new(0, size) }.bits();
        In {
            request: Request { lower, wid: true, ..Request::default() },
            request_enable: true,
            mtu: 2048,
            swif_fifo_free: 1024,
            ..In::default()
        }
    }

    fn executor_in_botf1() -> RequestExecutor {
        let mut executor = RequestExecutor::default();
        executor.tick(&botf_request(24));
        executor
    }

    #[test]
    fn idle_botf_starts_in_the_cycle_of_the_transfer() {
        let executor = executor_in_botf1();
        let botf = executor.botf;
        assert_eq!((botf.state, botf.size, botf.window, botf.wid), (State::Botf1, 24, 2, true));
        let out = executor.outputs();
        assert_eq!((out.ready, out.family, out.state), (false, 0, 2));
    }

    #[test]
    fn idle_code_without_a_module_is_taken_and_starts_nothing() {
        let modules = [Primitive::Botf, Primitive::Vs, Primitive::Vss, Primitive::Vsi];
        let modules = modules.map(|code| u64::from(code.code()));
        for otype in (0..32).filter(|otype| !modules.contains(otype) && !is_vl(*otype as u8)) {
            for remote in [false, true] {
                let mut executor = RequestExecutor::default();
                let mut pins = botf_request(24);
                pins.request.lower = pins.request.lower & !0x1f | otype;
                executor.tick(&In { remote, ..pins });
                assert_eq!(executor.botf, Botf::default(), "code {otype:#07b}");
                assert_eq!(executor.vs, Vs::default(), "code {otype:#07b}");
                assert_eq!(executor.vl, Vl::default(), "code {otype:#07b}");
                assert!(executor.outputs().ready);
            }
        }
    }

    #[test]
    fn idle_vl_family_starts_in_the_cycle_of_the_transfer() {
        for (primitive, variant) in [(Primitive::Vl, 0), (Primitive::Vls, 1), (Primitive::Vli, 2)] {
            let lower = Lower { dtype: 3, iteration: 9, ..Lower::new(primitive, 0x40) }.bits();
            let upper = Upper { srcoff: 0x1000, dstoff: 0x80 }.bits();
            let request = Request { lower, upper, wid: true, ..Request::default() };
            let mut executor = RequestExecutor::default();
            executor.tick(&In { request, request_enable: true, ..In::default() });
            let out = executor.outputs();
            assert_eq!((out.ready, out.family, out.state), (false, 1, vl::State::Vl1 as u16));
            assert_eq!((executor.botf, out.vector_load_start), (Botf::default(), true));
            let expected = VectorLoad {
                wid: true,
                variant,
                dtype: 3,
                iteration: 9,
                size_list_stride: 0x40,
                srcoff: 0x1000,
                dstoff: 0x80,
            };
            assert_eq!(out.vector_load, expected);
            // A remote node does not read into this one's windows.
            let mut executor = RequestExecutor::default();
            executor.tick(&In { request, request_enable: true, remote: true, ..In::default() });
            assert!(executor.outputs().ready);
        }
    }

    #[test]
    fn busy_vl_lets_no_botf_in() {
        let lower = Lower::new(Primitive::Vl, 8).bits();
        let mut executor = RequestExecutor::default();
        executor.tick(&In { request: Request { lower, ..Request::default() }, ..botf_request(24) });
        while !executor.outputs().ready {
            executor.tick(&botf_request(24));
            assert_eq!(executor.botf, Botf::default());
        }
        executor.tick(&botf_request(24));
        assert_eq!(executor.botf.state, State::Botf1);
    }

    #[test]
    fn idle_remote_botf_starts_nothing() {
        let mut executor = RequestExecutor::default();
        executor.tick(&In { remote: true, ..botf_request(24) });
        assert_eq!(executor.botf, Botf::default());
    }

    fn vs_request(primitive: Primitive, srcoff: u32) -> In {
        let lower = Lower { dtype: 3, iteration: 4, ..Lower::new(primitive, 64) }.bits();
        let upper = Upper { srcoff, dstoff: 0x1000 }.bits();
        In { request: Request { lower, upper, wid: true, ..Request::default() }, ..botf_request(0) }
    }

    #[test]
    fn idle_vs_family_of_the_host_starts_its_module() {
        use super::vs::State::*;
        for (primitive, state) in [(Primitive::Vs, Vs1), (Primitive::Vss, Vss1), (Primitive::Vsi, Vss1)] {
            let mut executor = RequestExecutor::default();
            executor.tick(&vs_request(primitive, 0xffff_f404));
            let vs = executor.vs;
            assert_eq!((vs.state, vs.wid, vs.window, vs.first, vs.offset), (state, true, 2, 1, 0x1000));
            assert_eq!((vs.strided, vs.listed), (primitive != Primitive::Vs, primitive == Primitive::Vsi));
            let out = executor.outputs();
            assert_eq!((out.ready, out.family, out.state), (false, 2, state as u16));
            assert_eq!(executor.botf, Botf::default());
        }
    }

    #[test]
    fn idle_remote_vs_starts_nothing() {
        let mut executor = RequestExecutor::default();
        executor.tick(&In { remote: true, ..vs_request(Primitive::Vs, 0) });
        assert_eq!(executor.vs, Vs::default());
        assert!(executor.outputs().ready);
    }

    #[test]
    fn idle_srcoff_of_all_ones_is_a_copy() {
        for (srcoff, copies) in [(SODIMM_COPY, true), (SODIMM_COPY - 1, false)] {
            let mut executor = RequestExecutor::default();
            executor.tick(&vs_request(Primitive::Vss, srcoff));
            assert_eq!(executor.vs.copies, copies);
        }
    }

    #[test]
    fn idle_size_zero_stays_ready() {
        let mut executor = RequestExecutor::default();
        executor.tick(&botf_request(0));
        assert!(executor.outputs().ready);
    }

    #[test]
    fn busy_second_request_does_not_disturb_the_first() {
        let mut executor = executor_in_botf1();
        executor.tick(&botf_request(512));
        assert_eq!((executor.botf.state, executor.botf.size), (State::Botf2, 24));
    }

    #[test]
    fn room_for_the_longest_packet_and_four_lines_lets_botf_start() {
        // MTU, and the least room that is not almost full.
        for (mtu, room) in [(256, 68), (512, 68), (1024, 132), (2048, 260), (4088, 515)] {
            for (swif_fifo_free, state) in [(room - 1, State::Wait), (room, State::Botf1)] {
                let mut executor = RequestExecutor::default();
                executor.tick(&In { mtu, swif_fifo_free, ..botf_request(24) });
                assert_eq!(executor.botf.state, state, "{swif_fifo_free} lines, MTU {mtu}");
            }
        }
    }

    #[test]
    fn idle_executor_that_skips_its_modules_misses_nothing() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed >> 33
        };
        let (mut executor, mut botf) = (RequestExecutor::default(), Botf::default());
        for cycle in 0..100_000 {
            let full = random().is_multiple_of(4);
            let request_enable = random().is_multiple_of(8);
            let size = (random() % 200) as u16;
            let rdata = (random() as u128) << 70 | random() as u128;
            let start = request_enable && botf.outputs().idle;
            let pins = In {
                write_window_rdata: rdata,
                request_enable,
                swif_fifo_free: if full { 0 } else { 1024 },
                pgid1: 7,
                ..botf_request(size)
            };
            executor.tick(&pins);
            botf.tick(&botf::In {
                write_window_rdata: rdata,
                start,
                wid: true,
                window: 2,
                size,
                pgid0: 0,
                pgid1: 7,
                swif_fifo_almost_full: full,
            });
            assert_eq!(executor.botf, botf, "cycle {cycle}");
        }
    }
}
