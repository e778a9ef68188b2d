//! Request Executor: runs one primitive at a time in the module of its family (thesis section 5.3.2, figure 5.10).
//!
//! The Executor is structural: it decodes the code of the request and starts a module in the cycle in which
//! it accepts the request. It is ready while all modules are idle. A code without a module is accepted and
//! starts nothing. Remote nodes can only read: of their requests, only the RVL family starts a module. It is
//! rewritten to the RVS family and run by the RVS module (decision 0018). IPUSH is run by the RVS module too,
//! with its own TYPE (decision 0023).
//!
//! A copy from SO-DIMM to SO-DIMM is a VL and a VS, executed like any others; the VL is complete when it has
//! been parked.
//!
//! Combinational from `request` to the pins of the modules; outputs depend on registers only.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

use super::botf::{self, Botf, WINDOW_LINES};
use super::pins::{VectorStore, VectorStoreStatus};
use super::request_acceptor::Sizes;
use super::rvl::{self, Rvl};
use super::rvs::{self, CONTIGUOUS, LIST, Rvs, Vector};
use super::vl::{self, Vl};
use super::vs::{self, Vs};
use crate::command::{BotfLower, Ex, LhsUpper, Lower, SODIMM_COPY, Upper};
use crate::host_interface::pins::VsResult;
use crate::line::Line;
use crate::prefetch_unit::pins::{CopyChunk, CopyRequest, VectorLoad, WindowFlag};
use crate::primitive::{Family, Primitive, is_ipush, is_rvl, is_rvs, is_vl, is_vs};
use crate::request::Request;

/// Lines of room kept beyond the longest packet (decision 0008).
pub const SWIF_FIFO_MARGIN: u16 = 4;

hdl::bundle! {
    /// Input pins of the Request Executor.
    pub struct In in request_executor_pkg {
        /// Two lines of the Write Window, read most recently.
        write_window_rdata: u128,
        /// Request, from Request Acceptor.
        request: Request,
        /// Command Ex of `request`.
        ex: u64,
        /// Amount of data that the request moves.
        sizes: Sizes,
        /// The request came from a remote node.
        remote: bool,
        /// `request` is valid; accepted in a cycle with `ready`.
        request_enable: bool,
        /// Process group of WID 0, from Configuration Register.
        pgid0: u8,
        /// Process group of WID 1, from Configuration Register.
        pgid1: u8,
        /// Longest packet in bytes, from Configuration Register.
        mtu: u16 : 13,
        /// A packet begins only when all of its data has been read, from Configuration Register.
        data_awaited: bool,
        /// Lines that the SWIF FIFO can still take.
        swif_fifo_free: u16 : 11,
        /// Progress of the store, from Write Unit.
        vector_store_status: VectorStoreStatus,
        /// The Prefetch Unit is executing a request.
        prefetch_unit_busy: bool,
        /// Chunk of a copy, from Prefetch Unit.
        copy_chunk: CopyChunk,
        /// The most recently taken line of the packet buffer, from Prefetch Unit.
        packet_data: u64,
        /// Lines in the packet buffer.
        packet_lines: u16 : 11,
        /// VLs of this process have to wait, bit per WID.
        vl_hold: u8 : 2,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
    }
}

hdl::bundle! {
    /// Output pins of the Request Executor.
    pub struct Out in request_executor_pkg {
        /// All modules are idle: a request is accepted in this cycle.
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
        /// The request of an RVL, RVLS or RVLI has been sent; high for one cycle.
        rvl_done: bool,
        /// Process whose RVL, RVLS or RVLI has been sent.
        rvl_done_wid: bool,
        /// Update of the Prefetch Window Flag.
        flag: WindowFlag,
        /// An RVS, RVSS or RVSI of the host is complete; high for one cycle.
        rvs_done: bool,
        /// Process whose RVS, RVSS or RVSI is complete.
        rvs_done_wid: bool,
        /// An IPUSH, with or without LHS, is complete; high for one cycle.
        ipush_done: bool,
        /// Process whose IPUSH is complete.
        ipush_done_wid: bool,
        /// Request, to Prefetch Unit.
        vector_load: VectorLoad,
        /// The Prefetch Unit accepts `vector_load` in this cycle.
        vector_load_start: bool,
        /// Takes a line of the packet buffer.
        packet_next: bool,
        /// State number of the running module; 0 when all are idle.
        state: u16 : 10,
        /// Family of the running module; 0 when all are idle.
        family: u8 : 3,
        /// Result of a primitive of the VS family.
        vs_result: VsResult,
        /// Store request, to Write Unit.
        vector_store: VectorStore,
        /// Request for a chunk of a copy, to Prefetch Unit.
        copy_request: CopyRequest,
    }
}

/// The modules of all families.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestExecutor {
    /// Sends a Write Window.
    pub botf: Botf,
    /// Stores a Write Window in SO-DIMM.
    pub vs: Vs,
    /// Reads SO-DIMM into a Prefetch Window.
    pub vl: Vl,
    /// Sends SO-DIMM to a remote node.
    pub rvs: Rvs,
    /// Requests data from a remote node's SO-DIMM.
    pub rvl: Rvl,
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/window_controller/request_executor_pkg",
    source: file!(),
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
        let rvs = self.rvs.outputs();
        let rvl = self.rvl.outputs();
        Out {
            ready: botf.idle && vl.idle && vs.idle && rvs.idle && rvl.idle,
            line: match (rvs.idle, rvl.idle) {
                (false, _) => rvs.line,
                (_, false) => rvl.line,
                _ => botf.line,
            },
            line_enable: botf.line_enable || rvs.line_enable || rvl.line_enable,
            write_window_read_enable: botf.write_window_read_enable
                || vs.write_window_read_enable
                || rvs.write_window_read_enable,
            write_window_address: match (vs.idle, rvs.idle) {
                (false, _) => vs.write_window_address,
                (_, false) => rvs.write_window_address,
                _ => botf.write_window_address,
            },
            botf_done: botf.done,
            botf_done_wid: botf.done_wid,
            // One module runs at a time, and the state of an idle one is 0.
            state: botf.state as u16
                | vl.state as u16
                | vs.state as u16
                | rvs.state as u16
                | rvl.state as u16,
            family: match (vl.idle, vs.idle, rvs.idle, rvl.idle) {
                (false, _, _, _) => Family::FamilyVl.code(),
                (_, false, _, _) => Family::FamilyVs.code(),
                (_, _, false, _) if rvs.ipush => Family::FamilyIpush.code(),
                (_, _, false, _) => Family::FamilyRvs.code(),
                (_, _, _, false) => Family::FamilyRvl.code(),
                _ => Family::FamilyBotf.code(),
            },
            vs_result: vs.result,
            vector_store: vs.vector_store,
            copy_request: vs.copy_request,
            vl_done: vl.done,
            vl_done_wid: vl.done_wid,
            rvl_done: rvl.done,
            rvl_done_wid: rvl.done_wid,
            flag: rvl.flag,
            rvs_done: rvs.done && !rvs.ipush,
            rvs_done_wid: rvs.done_wid,
            ipush_done: rvs.done && rvs.ipush,
            ipush_done_wid: rvs.done_wid,
            // `vector_load` is used only with `vector_load_start`, and the start of the RVS module is a
            // register.
            vector_load: if rvs.vector_load_start { rvs.vector_load } else { vl.vector_load },
            vector_load_start: vl.vector_load_start || rvs.vector_load_start,
            packet_next: rvs.packet_next,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        // An idle Executor without a request does not change.
        let rvs = self.rvs.outputs();
        let others = self.botf.outputs().idle && self.vl.outputs().idle && self.vs.outputs().idle;
        let ready = others && rvs.idle && self.rvl.outputs().idle;
        if ready && !pins.request_enable && !rvs.done {
            return;
        }

        // A module that has begun a packet sends all of it, so there must be room for the longest one. A
        // transfer keeps the MTU with which it began.
        let needed = [WINDOW_LINES + SWIF_FIFO_MARGIN, needed_by(pins.mtu), needed_by(rvs.mtu)];
        let swif_fifo_almost_full = needed.iter().any(|&lines| pins.swif_fifo_free < lines);

        // The request, and the kind of its primitive.
        let lower = Lower::from_bits(pins.request.lower);
        let is_botf = lower.otype == Primitive::Botf.code();
        let is_rvl = is_rvl(lower.otype);
        let accept = pins.request_enable && ready;
        let accept_local = accept && !pins.remote;

        let begins = accept_local && is_botf;
        self.botf.tick_if(begins, || botf_inputs(pins, begins, swif_fifo_almost_full));
        let begins = accept_local && is_vs(lower.otype);
        self.vs.tick_if(begins, || vs_inputs(pins, begins));
        let begins = accept_local && is_vl(lower.otype);
        self.vl.tick_if(begins, || vl::In {
            start: begins,
            vector_load: vector_load(pins.request.wid, lower, Upper::from_bits(pins.request.upper))
                .measured_by(pins.sizes.command, pins.capacity),
            prefetch_unit_busy: pins.prefetch_unit_busy,
            hold: pins.vl_hold,
        });
        let begins = accept_local && is_rvl;
        self.rvl.tick_if(begins, || rvl::In {
            start: begins,
            request: pins.request,
            ex: pins.ex,
            pgid0: pins.pgid0,
            pgid1: pins.pgid1,
            swif_fifo_almost_full,
        });
        let begins =
            accept && if pins.remote { is_rvl } else { is_rvs(lower.otype) || is_ipush(lower.otype) };
        self.rvs.tick_if(begins, || rvs_inputs(pins, begins, swif_fifo_almost_full));
    }

    fn reset(&mut self) {
        self.botf.reset();
        self.vs.reset();
        self.vl.reset();
        self.rvs.reset();
        self.rvl.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        self.botf
            .quiescent()
            .and(self.vl.quiescent())
            .and(self.vs.quiescent())
            .and(self.rvs.quiescent())
            .and(self.rvl.quiescent())
    }
}

/// Free lines that a packet of this MTU requires in the SWIF FIFO.
#[inline]
fn needed_by(mtu: u16) -> u16 {
    mtu / 8 + SWIF_FIFO_MARGIN
}

/// Decodes a request of the VL family for the VL module.
#[inline]
fn vector_load(wid: bool, lower: Lower, upper: Upper) -> VectorLoad {
    VectorLoad {
        wid,
        variant: lower.otype & 3,
        dtype: lower.dtype,
        iteration: lower.iteration,
        size_list_stride: lower.size_list_stride,
        srcoff: upper.srcoff,
        dstoff: upper.dstoff,
        to_packet: false,
        total: 0,
        first_half: false,
        wanted: 0,
        reach: 0,
    }
}

/// Layout of the data in the memory described by the command; an IPUSH is contiguous.
#[inline]
fn command_vector(lower: Lower) -> Vector {
    Vector {
        variant: if is_ipush(lower.otype) { 0 } else { lower.otype & 3 },
        dtype: lower.dtype,
        iteration: lower.iteration,
        size_list_stride: lower.size_list_stride,
    }
}

/// Layout of the data in the memory described by Command Ex; the unassigned variant means contiguous.
#[inline]
fn ex_vector(ex: Ex) -> Vector {
    Vector {
        variant: if ex.otype & 3 == 3 { 0 } else { ex.otype & 3 },
        dtype: ex.dtype,
        iteration: ex.iteration,
        size_list_stride: ex.size_list_stride,
    }
}

/// Window, size and process group of a BOTF request for its module.
#[inline(always)]
fn botf_inputs(pins: &In, start: bool, swif_fifo_almost_full: bool) -> botf::In {
    let botf_lower = BotfLower::from_bits(pins.request.lower);
    botf::In {
        write_window_rdata: pins.write_window_rdata,
        start,
        wid: pins.request.wid,
        window: botf_lower.window,
        size: botf_lower.size,
        pgid0: pins.pgid0,
        pgid1: pins.pgid1,
        swif_fifo_almost_full,
    }
}

/// Addresses, size and stride of a request of the VS family for its module.
#[inline(always)]
fn vs_inputs(pins: &In, start: bool) -> vs::In {
    let lower = Lower::from_bits(pins.request.lower);
    let upper = Upper::from_bits(pins.request.upper);
    let variant = lower.otype & 3;
    vs::In {
        start,
        strided: variant != CONTIGUOUS,
        listed: variant == LIST,
        copies: upper.srcoff == SODIMM_COPY,
        wid: pins.request.wid,
        source: upper.srcoff as u16 & 0x7ff,
        offset: upper.dstoff,
        size_list_stride: lower.size_list_stride,
        dtype: lower.dtype,
        iteration: lower.iteration,
        room: pins.sizes.room,
        too_long: pins.sizes.too_long,
        status: pins.vector_store_status,
        prefetch_unit_busy: pins.prefetch_unit_busy,
        copy_chunk: pins.copy_chunk,
    }
}

/// Inputs of RVS, which also sends IPUSH and the answers to RVL.
#[inline(always)]
fn rvs_inputs(pins: &In, start: bool, swif_fifo_almost_full: bool) -> rvs::In {
    let lower = Lower::from_bits(pins.request.lower);
    let upper = Upper::from_bits(pins.request.upper);
    let lhs_upper = LhsUpper::from_bits(pins.request.upper);
    let variant = lower.otype & 3;
    // The command tells of the node that it came to: for a request of a remote node, of this one.
    let (command, ex) = (command_vector(lower), ex_vector(Ex::from_bits(pins.ex)));
    let (source, target) = if pins.remote { (command, ex) } else { (ex, command) };
    let sends_ipush = is_ipush(lower.otype) && !pins.remote;
    let family = if sends_ipush { Family::FamilyIpush } else { Family::FamilyRvs };
    rvs::In {
        start,
        remote: pins.remote,
        otype: family.code() << 2 | target.variant,
        wid: pins.request.wid,
        dwid: lower.dwid,
        dclid: lower.dclid,
        eflag: lower.eflag,
        // The receiver of an IPUSH chooses the place.
        rflag: pins.request.to_prefetch_window && !sends_ipush,
        lflag: sends_ipush && variant != CONTIGUOUS,
        source,
        srcoff: upper.srcoff,
        target,
        dstoff: if sends_ipush { 0 } else { upper.dstoff },
        sizes: pins.sizes,
        window: (lhs_upper.window_srcoff >> 3) as u8,
        write_window_rdata: pins.write_window_rdata,
        pgid0: pins.pgid0,
        pgid1: pins.pgid1,
        mtu: pins.mtu,
        data_awaited: pins.data_awaited,
        swif_fifo_almost_full,
        prefetch_unit_busy: pins.prefetch_unit_busy,
        packet_data: pins.packet_data,
        packet_lines: pins.packet_lines,
    }
}

impl Probe for RequestExecutor {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("botf", &self.botf);
        visitor.block("vs", &self.vs);
        visitor.block("vl", &self.vl);
        visitor.block("rvs", &self.rvs);
        visitor.block("rvl", &self.rvl);
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

    /// The pins with the sizes of their request, as the Request Acceptor computes them.
    fn prepared(pins: In) -> In {
        In { sizes: Sizes::of(&pins.request, pins.ex), ..pins }
    }

    fn executor_in_botf1() -> RequestExecutor {
        let mut executor = RequestExecutor::default();
        executor.tick(&prepared(botf_request(24)));
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
    fn idle_code_without_a_module_starts_nothing() {
        let modules = [Primitive::Botf, Primitive::Vs, Primitive::Vss, Primitive::Vsi];
        let modules = modules.map(|code| u64::from(code.code()));
        let started = |otype: u64| {
            let code = otype as u8;
            modules.contains(&otype) || is_vl(code) || is_rvs(code) || is_rvl(code) || is_ipush(code)
        };
        for otype in (0..32).filter(|&otype| !started(otype)) {
            for remote in [false, true] {
                let mut executor = RequestExecutor::default();
                let mut pins = botf_request(24);
                pins.request.lower = pins.request.lower & !0x1f | otype;
                executor.tick(&prepared(In { remote, ..pins }));
                assert_eq!(executor.botf, Botf::default(), "code {otype:#07b}");
                assert_eq!(executor.vs, Vs::default(), "code {otype:#07b}");
                assert_eq!(executor.vl, Vl::default(), "code {otype:#07b}");
                assert_eq!(executor.rvs, Rvs::default(), "code {otype:#07b}");
                assert_eq!(executor.rvl, Rvl::default(), "code {otype:#07b}");
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
            executor.tick(&prepared(In { request, request_enable: true, ..In::default() }));
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
                to_packet: false,
                total: 0,
                first_half: false,
                wanted: [0x40, 72, 72][usize::from(variant)],
                reach: 512,
            };
            assert_eq!(out.vector_load, expected);
            // A remote node cannot read into this node's windows.
            let mut executor = RequestExecutor::default();
            executor.tick(&prepared(In { request, request_enable: true, remote: true, ..In::default() }));
            assert!(executor.outputs().ready);
        }
    }

    #[test]
    fn busy_vl_delays_a_botf() {
        let lower = Lower::new(Primitive::Vl, 8).bits();
        let mut executor = RequestExecutor::default();
        executor.tick(&prepared(In { request: Request { lower, ..Request::default() }, ..botf_request(24) }));
        while !executor.outputs().ready {
            executor.tick(&prepared(botf_request(24)));
            assert_eq!(executor.botf, Botf::default());
        }
        executor.tick(&prepared(botf_request(24)));
        assert_eq!(executor.botf.state, State::Botf1);
    }

    #[test]
    fn idle_remote_botf_starts_nothing() {
        let mut executor = RequestExecutor::default();
        executor.tick(&prepared(In { remote: true, ..botf_request(24) }));
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
            executor.tick(&prepared(vs_request(primitive, 0xffff_f404)));
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
        executor.tick(&prepared(In { remote: true, ..vs_request(Primitive::Vs, 0) }));
        assert_eq!(executor.vs, Vs::default());
        assert!(executor.outputs().ready);
    }

    #[test]
    fn idle_srcoff_of_all_ones_is_a_copy() {
        for (srcoff, copies) in [(SODIMM_COPY, true), (SODIMM_COPY - 1, false)] {
            let mut executor = RequestExecutor::default();
            executor.tick(&prepared(vs_request(Primitive::Vss, srcoff)));
            assert_eq!(executor.vs.copies, copies);
        }
    }

    /// The command of GV-20, with another code.
    fn remote_transfer(primitive: Primitive) -> In {
        let lower = Lower {
            otype: primitive.code(),
            dwid: true,
            dclid: 3,
            eflag: true,
            dtype: 3,
            iteration: 5,
            ..Lower::new(primitive, 0x800)
        };
        let upper = Upper { srcoff: 0x1000, dstoff: 0x2000 }.bits();
        let request = Request { lower: lower.bits(), upper, to_prefetch_window: true, wid: true };
        In { request, pgid0: 0xa5, pgid1: 0x5a, ..botf_request(0) }
    }

    #[test]
    fn idle_rvl_family_of_the_host_starts_its_module() {
        for primitive in [Primitive::Rvl, Primitive::Rvls, Primitive::Rvli] {
            let mut executor = RequestExecutor::default();
            let pins = remote_transfer(primitive);
            executor.tick(&prepared(In { ex: 7, ..pins }));
            assert_eq!((executor.rvl.request, executor.rvl.ex), (pins.request, 7));
            let out = executor.outputs();
            assert_eq!((out.ready, out.family, out.state), (false, 4, rvl::State::Rvl1 as u16));
            assert_eq!(executor.rvs, Rvs::default());
        }
    }

    #[test]
    fn idle_host_rvs_gathers_by_command_ex() {
        let ex = Ex { otype: 2, dtype: 4, iteration: 2, size_list_stride: 0x700 }.bits();
        for (primitive, variant, total) in [(Primitive::Rvs, 0, 32), (Primitive::Rvss, 1, 32)] {
            let mut executor = RequestExecutor::default();
            executor.tick(&prepared(In { ex, ..remote_transfer(primitive) }));
            let rvs = executor.rvs;
            assert_eq!((rvs.otype, rvs.target.variant, rvs.remote), (primitive.code(), variant, false));
            let expected = VectorLoad {
                wid: true,
                variant: 2,
                dtype: 4,
                iteration: 2,
                size_list_stride: 0x700,
                srcoff: 0x1000,
                dstoff: 0,
                to_packet: true,
                total,
                first_half: false,
                wanted: 0,
                reach: 0,
            };
            assert_eq!(executor.outputs().vector_load, expected);
            // Without Command Ex the data is contiguous in own SO-DIMM.
            let mut executor = RequestExecutor::default();
            executor.tick(&prepared(remote_transfer(primitive)));
            let total = if variant == 0 { 0x800 } else { 40 };
            let expected =
                VectorLoad { wid: true, srcoff: 0x1000, to_packet: true, total, ..VectorLoad::default() };
            assert_eq!(executor.outputs().vector_load, expected);
        }
    }

    #[test]
    fn idle_remote_rvl_scatters_by_command_ex() {
        let ex = Ex { otype: 0b11101, dtype: 2, iteration: 200, size_list_stride: 0x30 }.bits();
        for (primitive, variant, size_list_stride) in
            [(Primitive::Rvl, 0, 0x800), (Primitive::Rvls, 1, 0x800), (Primitive::Rvli, 2, 0x800)]
        {
            for (ex, otype) in [(0, 0x14), (ex, 0x15), (3, 0x14)] {
                let mut executor = RequestExecutor::default();
                executor.tick(&prepared(In { ex, remote: true, ..remote_transfer(primitive) }));
                let rvs = executor.rvs;
                assert_eq!((rvs.otype, rvs.remote, rvs.rflag, rvs.eflag), (otype, true, true, true));
                // The requester is the destination.
                assert_eq!((rvs.dwid, rvs.dclid, rvs.dstoff), (true, 3, 0x2000));
                let load = executor.outputs().vector_load;
                assert_eq!((load.wid, load.variant, load.srcoff), (true, variant, 0x1000));
                assert_eq!((load.dtype, load.iteration, load.size_list_stride), (3, 5, size_list_stride));
                let total = match (variant, ex >> 32) {
                    (0, 0) => 0x800,
                    (0, _) => 800,
                    _ => 40,
                };
                assert_eq!(load.total, total);
                assert_eq!(executor.rvl, Rvl::default());
            }
        }
    }

    /// An IPUSH with the Upper of figure 7.8: 8 bytes of Write Window 1, then SO-DIMM from 0x1000 on.
    fn ipush(primitive: Primitive, size: u32, ex: u64) -> In {
        let pins = remote_transfer(primitive);
        let lower = Lower { size_list_stride: size, ..Lower::from_bits(pins.request.lower) }.bits();
        let upper = LhsUpper { srcoff: 0x1000, window_size: 8, window_srcoff: 0x200 }.bits();
        In { ex, request: Request { lower, upper, ..pins.request }, ..pins }
    }

    #[test]
    fn idle_ipush_family_runs_in_the_rvs_module() {
        for (primitive, lflag, window) in
            [(Primitive::Ipush, false, 0), (Primitive::LhsV1, true, 0), (Primitive::LhsV2, true, 1)]
        {
            let mut executor = RequestExecutor::default();
            executor.tick(&prepared(ipush(primitive, 600, 0)));
            let (rvs, out) = (executor.rvs, executor.outputs());
            assert_eq!((rvs.otype, rvs.lflag, rvs.rflag, rvs.dstoff), (0b11000, lflag, false, 0));
            assert_eq!((rvs.target, rvs.total), (Vector::default(), 600));
            assert_eq!((rvs.window_left, out.vector_load.total), (window, 600 - 8 * u32::from(window)));
            assert_eq!((out.vector_load.srcoff, out.vector_load.variant), (0x1000, 0));
            if window != 0 {
                assert_eq!((rvs.window, out.write_window_address), (0x40, 0x80 | 0x20));
            }
            assert_eq!((out.family, out.ipush_done, out.rvs_done), (6, false, false));
            executor.tick(&prepared(ipush(primitive, 600, 0)));
            assert!(!executor.outputs().ready);
        }
    }

    #[test]
    fn idle_lhs_v2_takes_whole_window_lines_up_to_its_size() {
        for (size, window_size, lines, rest) in
            [(600, 17, 2, 584), (600, 1023, 64, 88), (20, 24, 2, 4), (7, 8, 0, 7), (512, 512, 64, 0)]
        {
            let pins = ipush(Primitive::LhsV2, size, 0);
            let upper = LhsUpper { window_size, ..LhsUpper::from_bits(pins.request.upper) }.bits();
            let mut executor = RequestExecutor::default();
            executor.tick(&prepared(In { request: Request { upper, ..pins.request }, ..pins }));
            let load = executor.outputs().vector_load;
            assert_eq!((executor.rvs.window_left, load.total, executor.rvs.total), (lines, rest, size));
        }
    }

    #[test]
    fn idle_ipush_gathers_by_command_ex_after_the_window() {
        let ex = Ex { otype: 1, dtype: 4, iteration: 3, size_list_stride: 0x100 }.bits();
        for (primitive, size, total, load) in
            [(Primitive::Ipush, 600, 48, 48), (Primitive::LhsV2, 600, 56, 48), (Primitive::LhsV2, 30, 30, 22)]
        {
            let mut executor = RequestExecutor::default();
            executor.tick(&prepared(ipush(primitive, size, ex)));
            let asked = executor.outputs().vector_load;
            assert_eq!((executor.rvs.total, asked.total), (total, load));
            assert_eq!((asked.variant, asked.dtype, asked.size_list_stride), (1, 4, 0x100));
        }
    }

    #[test]
    fn idle_remote_send_starts_nothing() {
        use Primitive::*;
        for primitive in [Rvs, Rvss, Rvsi, Ipush, LhsV1, LhsV2] {
            let mut executor = RequestExecutor::default();
            executor.tick(&prepared(In { remote: true, ..remote_transfer(primitive) }));
            assert!(executor.outputs().ready);
        }
    }

    #[test]
    fn idle_size_zero_stays_ready() {
        let mut executor = RequestExecutor::default();
        executor.tick(&prepared(botf_request(0)));
        assert!(executor.outputs().ready);
    }

    #[test]
    fn busy_second_request_does_not_disturb_the_first() {
        let mut executor = executor_in_botf1();
        executor.tick(&prepared(botf_request(512)));
        assert_eq!((executor.botf.state, executor.botf.size), (State::Botf2, 24));
    }

    #[test]
    fn botf_needs_room_for_the_longest_packet_and_four_lines() {
        // MTU, and the smallest room that is not almost full.
        for (mtu, room) in [(256, 68), (512, 68), (1024, 132), (2048, 260), (4088, 515)] {
            for (swif_fifo_free, state) in [(room - 1, State::Wait), (room, State::Botf1)] {
                let mut executor = RequestExecutor::default();
                executor.tick(&prepared(In { mtu, swif_fifo_free, ..botf_request(24) }));
                assert_eq!(executor.botf.state, state, "{swif_fifo_free} lines, MTU {mtu}");
            }
        }
    }

    #[test]
    fn skipping_idle_modules_changes_nothing() {
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
