//! VS module: stores data of a Write Window in own SO-DIMM, for the VS family (thesis section 5.3, figure
//! 5.13).
//!
//! VS stores contiguous bytes, VSS strided elements, VSI listed elements. The module clamps the data to the
//! end of the window, sends the Write Unit a request, and reads the rows that the Write Unit asks for. The
//! Read Enable of the Write Window belongs to the Window Controller, and the Write Unit reads only through it
//! (thesis section 5.1.1).
//!
//! Figure 5.13 leaves `Vs1` when the Write Unit is not busy. But the Write Unit may be busy with a packet
//! before the store and right after it, so `Vs1` holds the request until the store begins, and ends with its
//! status (decision 0017). The list of a VSI is read by the Prefetch Unit at the request of the Write Unit
//! when the store begins; `Vss1` waits until both are free (decision 0022).
//!
//! With SRCOff 0xffff_ffff, VS and VSS are the second half of a copy from SO-DIMM to SO-DIMM. The module
//! alternates two requests until the smaller of the two totals is copied: the Prefetch Unit reads a chunk of
//! at most 512 bytes, and the Write Unit stores it. Packets are stored between the chunks. A copy touches no
//! window (decision 0022).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::botf::WINDOW_BYTES;
use super::pins::{VectorStore, VectorStoreStatus};
use crate::host_interface::pins::VsResult;
use crate::prefetch_unit::pins::{CopyChunk, CopyRequest};

hdl::fsm! {
    /// VS module of the Request Executor (figure 5.13).
    pub enum State in vs_pkg {
        /// Waits for a VS, VSS or VSI.
        Prim => [
            Wait: "VS, Write Unit (copy: or PU) busy",
            Vss1: "VSS or VSI",
            Vs1: "VS, Write Unit (copy: and PU) free",
            Prim: "no primitive",
        ],
        /// VS: waits until the Write Unit is not busy, for a copy the Prefetch Unit too.
        Wait => [Vs1: "Write Unit (copy: and PU) not busy", Wait: "Write Unit (copy: or PU) busy"],
        /// VSS, VSI: clamps the number of elements, waits until the Write Unit is not busy, and for VSI and
        /// copies the Prefetch Unit too.
        Vss1 => [
            Vs1: "Write Unit (VSI, copy: and PU) not busy",
            Vss1: "Write Unit (VSI, copy: or PU) busy",
        ],
        /// Waits until the data is in SO-DIMM.
        Vs1 => [
            VsEnd: "stored, no chunk follows; or empty chunk",
            Vs1: "Write Unit busy, or chunk follows",
        ],
        /// Reports, and resets the internal registers.
        VsEnd => [Prim],
    }
}

hdl::bundle! {
    /// Input pins of the VS module.
    pub struct In in vs_pkg {
        /// The Request Executor dispatches a VS, VSS or VSI; high for one cycle, only while `idle`.
        start: bool,
        /// The primitive is a VSS or VSI.
        strided: bool,
        /// The primitive is a VSI.
        listed: bool,
        /// The primitive is the second half of a copy.
        copies: bool,
        /// Process that issued the primitive.
        wid: bool,
        /// Byte offset in the process's 2 KB of Write Windows; bits 1:0 are ignored.
        source: u16 : 11,
        /// Byte offset in the process's SO-DIMM region.
        offset: u32,
        /// VS: bytes. VSS: stride in bytes. VSI: offset of the list.
        size_list_stride: u32,
        /// VSS, VSI: elements have 1 << dtype bytes.
        dtype: u8 : 3,
        /// VSS, VSI: number of elements.
        iteration: u8,
        /// Bytes from the source to the end of its Write Window.
        room: u16 : 10,
        /// VS: Size exceeds `room`.
        too_long: bool,
        /// Progress of the store, from Write Unit.
        status: VectorStoreStatus,
        /// The Prefetch Unit is executing a request.
        prefetch_unit_busy: bool,
        /// Chunk of a copy, from Prefetch Unit.
        copy_chunk: CopyChunk,
    }
}

hdl::bundle! {
    /// Output pins of the VS module.
    pub struct Out in vs_pkg {
        /// Store request, to Write Unit.
        vector_store: VectorStore,
        /// Request for a chunk, to Prefetch Unit.
        copy_request: CopyRequest,
        /// Reads two lines of the Write Window.
        write_window_read_enable: bool,
        /// Row of 16 bytes: WID, window, row in the window.
        write_window_address: u8,
        /// Result, for Controller Status.
        result: VsResult,
        /// The module can accept a primitive.
        idle: bool,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the VS module.
    pub struct Vs in vs_pkg {
        /// State of the state machine.
        state: State,
        /// Requests the store; held until the Write Unit is storing.
        request: bool,
        /// The primitive is a VSS or VSI.
        strided: bool,
        /// The primitive is a VSI.
        listed: bool,
        /// The primitive is the second half of a copy.
        copies: bool,
        /// Requests a chunk from the Prefetch Unit.
        chunk_request: bool,
        /// Bytes of the copy from the present chunk on.
        left: u32,
        /// Process that issued the primitive.
        wid: bool,
        /// Write Window.
        window: u8 : 2,
        /// Next row of the window, or of the chunk, to read.
        row: u8 : 5,
        /// Reads the row in this cycle.
        read: bool,
        /// Unit of 4 bytes in the first row at which the data begins.
        first: u8 : 2,
        /// Bytes from the source to the end of the window.
        room: u16 : 10,
        /// Bytes to store; exceeds `room` only in `Vss1`.
        bytes: u16 : 15,
        /// Byte offset in the process's SO-DIMM region.
        offset: u32,
        /// Elements have 1 << dtype bytes.
        dtype: u8 : 3,
        /// Stride in bytes, or offset of the list.
        stride: u32,
        /// The source extended past the end of the window.
        source_clamped: bool,
        /// The destination extended past the end of the region.
        destination_clamped: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/window_controller/vs_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for Vs {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            vector_store: VectorStore {
                request: q.request,
                wid: q.wid,
                first: q.first,
                bytes: q.bytes & 0x3ff,
                offset: q.offset,
                strided: q.strided,
                listed: q.listed,
                copies: q.copies,
                dtype: q.dtype,
                stride: q.stride,
            },
            copy_request: CopyRequest {
                request: q.chunk_request,
                end_copy: q.state == VsEnd && q.copies,
                wid: q.wid,
                read_enable: q.read && q.copies,
                row: q.row,
            },
            write_window_read_enable: q.read && !q.copies,
            write_window_address: (q.wid as u8) << 7 | q.window << 5 | q.row,
            result: VsResult {
                done: q.state == VsEnd,
                wid: q.wid,
                window: q.window,
                copied: q.copies,
                source_clamped: q.source_clamped,
                destination_clamped: q.destination_clamped,
            },
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

    #[inline(always)]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Prim { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Vs {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let total = u16::from(pins.iteration) << pins.dtype;
        let busy = pins.status.busy || pins.copies && pins.prefetch_unit_busy;
        let now_busy = pins.status.busy || (q.listed || q.copies) && pins.prefetch_unit_busy;

        match q.state {
            // Prim: a VS is clamped at once, a VSS takes one more cycle.
            Prim => {
                if pins.start {
                    d.strided = pins.strided;
                    d.listed = pins.listed;
                    d.copies = pins.copies;
                    d.wid = pins.wid;
                    d.window = (pins.source >> 9) as u8;
                    d.row = (pins.source >> 4) as u8 & 0x1f;
                    d.first = if pins.copies { 0 } else { (pins.source >> 2) as u8 & 3 };
                    d.room = pins.room;
                    d.offset = pins.offset;
                    d.dtype = pins.dtype;
                    d.stride = pins.size_list_stride;
                    d.left = match (pins.strided, pins.listed) {
                        (_, true) => 0,
                        (true, _) => total.into(),
                        _ => pins.size_list_stride,
                    };
                    if pins.strided {
                        d.bytes = if pins.copies { 0 } else { total };
                        d.state = Vss1;
                    } else {
                        d.bytes =
                            if pins.too_long { pins.room } else { pins.size_list_stride as u16 & 0x3ff };
                        d.source_clamped = pins.too_long && !pins.copies;
                        d.request = !busy && !pins.copies;
                        d.chunk_request = !busy && pins.copies;
                        d.state = if busy { Wait } else { Vs1 };
                    }
                }
            }
            // Wait: waits until the packet being stored is in memory.
            Wait => {
                if !now_busy {
                    d.request = !q.copies;
                    d.chunk_request = q.copies;
                    d.state = Vs1;
                }
            }
            // Vss1: only whole elements are taken from the window. A list or a chunk is read only while the
            // Prefetch Unit is idle.
            Vss1 => {
                if q.bytes > q.room {
                    d.bytes = q.room >> q.dtype << q.dtype;
                    d.source_clamped = true;
                }
                if !now_busy {
                    d.request = !q.copies;
                    d.chunk_request = q.copies;
                    d.state = Vs1;
                }
            }
            // Vs1: a packet may still be stored first, so the request is held until the Write Unit is
            // storing.
            Vs1 => {
                if pins.status.storing {
                    d.request = false;
                }
                d.read = pins.status.row_next;
                if q.read {
                    d.row = Self::WIDTHS.row.wrap(q.row + 1);
                }
                if q.chunk_request && pins.copy_chunk.ready {
                    d.take_chunk(pins);
                } else if pins.status.done {
                    d.request = false;
                    d.destination_clamped = pins.status.overrun;
                    d.state = VsEnd;
                    if q.more_follows() && !pins.status.overrun {
                        d.next_chunk();
                    }
                }
            }
            // VsEnd: back to the reset values.
            VsEnd => d = Self::default(),
        }
        d
    }

    /// Requests the store of the chunk; an empty chunk ends the copy.
    #[inline]
    fn take_chunk(&mut self, pins: &In) {
        let chunk = pins.copy_chunk.bytes;
        let bytes = self.left.min(chunk.into()) as u16;
        self.chunk_request = false;
        self.bytes = bytes;
        self.row = 0;
        self.request = bytes != 0;
        if bytes == 0 {
            self.state = State::VsEnd;
        }
    }

    /// Whether the copy continues: the chunk was full, bytes are left, and contiguous data does not wrap at 4
    /// GB.
    #[inline]
    fn more_follows(&self) -> bool {
        let ends = !self.strided && self.offset >= 0xffff_fe00;
        self.copies && self.bytes == WINDOW_BYTES && self.left > 512 && !ends
    }

    /// Requests the next chunk, stored after the one before.
    #[inline]
    fn next_chunk(&mut self) {
        let step = if self.strided { (self.stride & !3) << (9 - self.dtype.max(2)) } else { 512 };
        self.offset = self.offset.wrapping_add(step);
        self.left -= 512;
        self.chunk_request = true;
        self.state = State::Vs1;
    }
}

impl Probe for Vs {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
impl In {
    /// The pins with the window sizes that the Request Acceptor computes.
    pub fn in_window(self) -> Self {
        let room = super::request_acceptor::room(self.source);
        In { room, too_long: self.size_list_stride > room.into(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::State::*;
    use super::*;

    fn vs(source: u16, size: u32) -> In {
        In { start: true, source, size_list_stride: size, ..In::default() }.in_window()
    }

    fn vss(source: u16, dtype: u8, iteration: u8) -> In {
        In { start: true, strided: true, source, dtype, iteration, size_list_stride: 64, ..In::default() }
            .in_window()
    }

    fn busy() -> VectorStoreStatus {
        VectorStoreStatus { busy: true, ..VectorStoreStatus::default() }
    }

    fn vs_in_vs1() -> Vs {
        let mut vs_in_vs1 = Vs::default();
        vs_in_vs1.tick(&vs(0x210, 64));
        vs_in_vs1
    }

    #[test]
    fn prim_vs_requests_the_store_at_once() {
        let vs = vs_in_vs1();
        assert_eq!((vs.state, vs.request, vs.bytes, vs.window, vs.row), (Vs1, true, 64, 1, 1));
    }

    #[test]
    fn prim_write_unit_busy_waits_until_it_is_not() {
        let mut module = Vs::default();
        module.tick(&In { status: busy(), ..vs(0, 8) });
        for _ in 0..5 {
            assert_eq!((module.state, module.request), (Wait, false));
            module.tick(&In { status: busy(), ..In::default() });
        }
        module.tick(&In::default());
        assert_eq!((module.state, module.request), (Vs1, true));
    }

    #[test]
    fn prim_vss_is_clamped_and_waits_in_vss1() {
        let mut module = Vs::default();
        module.tick(&In { status: busy(), ..vss(0x1f0, 3, 5) });
        assert_eq!((module.state, module.bytes), (Vss1, 40));
        for _ in 0..3 {
            module.tick(&In { status: busy(), ..In::default() });
            assert_eq!((module.state, module.bytes, module.source_clamped), (Vss1, 16, true));
        }
        module.tick(&In::default());
        assert_eq!((module.state, module.request, module.bytes), (Vs1, true, 16));
    }

    #[test]
    fn vss1_only_vsi_waits_for_the_prefetch_unit() {
        for (listed, state) in [(false, Vs1), (true, Vss1)] {
            let mut module = Vs::default();
            module.tick(&In { listed, ..vss(0, 3, 5) });
            module.tick(&In { prefetch_unit_busy: true, ..In::default() });
            assert_eq!((module.state, module.request), (state, state == Vs1));
            module.tick(&In::default());
            assert_eq!((module.state, module.outputs().vector_store.listed), (Vs1, listed));
        }
    }

    #[test]
    fn vs_is_cut_at_the_end_of_its_window() {
        for (source, size, bytes, clamped) in [
            (0, 512, 512, false),
            (0, 513, 512, true),
            (0x600, u32::MAX, 512, true),
            (0x5fc, 4, 4, false),
            (0x5fc, 5, 4, true),
            (0x1f3, 16, 16, false),
            (0x40, 0, 0, false),
        ] {
            let mut module = Vs::default();
            module.tick(&vs(source, size));
            assert_eq!(
                (module.bytes, module.source_clamped),
                (bytes, clamped),
                "{size} bytes at {source:#x}"
            );
        }
    }

    #[test]
    fn vss_is_cut_to_whole_elements() {
        for (source, dtype, iteration, bytes, clamped) in [
            (0, 2, 128, 512, false),
            (0, 2, 129, 512, true),
            (0x1f8, 4, 1, 0, true),
            (0x704, 7, 255, 128, true),
            (0, 7, 255, 512, true),
            (0x404, 3, 0, 0, false),
        ] {
            let mut module = Vs::default();
            module.tick(&vss(source, dtype, iteration));
            module.tick(&In::default());
            assert_eq!((module.bytes, module.source_clamped), (bytes, clamped), "{iteration} at {source:#x}");
        }
    }

    #[test]
    fn vs1_request_is_held_until_the_write_unit_stores() {
        let mut vs = vs_in_vs1();
        for _ in 0..4 {
            vs.tick(&In { status: busy(), ..In::default() });
            assert!(vs.outputs().vector_store.request);
        }
        vs.tick(&In { status: VectorStoreStatus { storing: true, ..busy() }, ..In::default() });
        assert!(!vs.outputs().vector_store.request);
        assert_eq!(vs.state, Vs1);
    }

    #[test]
    fn vs1_row_next_reads_rows_in_order() {
        let mut vs = vs_in_vs1();
        let status = VectorStoreStatus { storing: true, row_next: true, ..busy() };
        let mut rows = vec![];
        for _ in 0..4 {
            vs.tick(&In { status, ..In::default() });
            let out = vs.outputs();
            assert!(out.write_window_read_enable);
            rows.push(out.write_window_address);
        }
        assert_eq!(rows, [0x21, 0x22, 0x23, 0x24]);
    }

    fn copy(strided: bool, size_list_stride: u32) -> In {
        In {
            start: true,
            strided,
            copies: true,
            source: 0x7ff,
            offset: 0x1000,
            size_list_stride,
            ..In::default()
        }
        .in_window()
    }

    /// Offsets and bytes of the stored chunks when the Prefetch Unit delivers chunks of `bytes`.
    fn chunks(pins: In, bytes: &[u16], overrun: bool) -> Vec<(u32, u16)> {
        let mut module = Vs::default();
        module.tick(&pins);
        if pins.strided {
            module.tick(&In::default());
        }
        let mut stored = vec![];
        for &bytes in bytes {
            assert_eq!(module.state, Vs1);
            let out = module.outputs();
            assert!(out.copy_request.request && !out.vector_store.request && !out.copy_request.end_copy);
            module.tick(&In::default());
            module.tick(&In { copy_chunk: CopyChunk { ready: true, bytes }, ..In::default() });
            if module.state == VsEnd {
                break;
            }
            let store = module.outputs().vector_store;
            assert!(store.request && store.copies && store.first == 0);
            stored.push((store.offset, store.bytes));
            let status = VectorStoreStatus { storing: true, row_next: true, ..busy() };
            module.tick(&In { status, ..In::default() });
            let out = module.outputs();
            assert!(
                out.copy_request.read_enable && !out.write_window_read_enable && out.copy_request.row == 0
            );
            module.tick(&In { status: VectorStoreStatus { done: true, overrun, ..busy() }, ..In::default() });
            if module.state == VsEnd {
                break;
            }
        }
        let result = module.outputs().result;
        assert_eq!((module.state, result.done, result.copied), (VsEnd, true, true));
        assert!(module.outputs().copy_request.end_copy);
        module.tick(&In::default());
        assert_eq!(module, Vs::default());
        stored
    }

    #[test]
    fn vs1_copy_ends_at_the_smaller_total() {
        assert_eq!(
            chunks(copy(false, 1100), &[512, 512, 512], false),
            [(0x1000, 512), (0x1200, 512), (0x1400, 76)]
        );
        assert_eq!(chunks(copy(false, 1100), &[512, 40], false), [(0x1000, 512), (0x1200, 40)]);
        assert_eq!(chunks(copy(false, 1100), &[512, 0], false), [(0x1000, 512)]);
        assert_eq!(chunks(copy(false, 1024), &[512, 512], false), [(0x1000, 512), (0x1200, 512)]);
        assert_eq!(chunks(copy(false, 0), &[512], false), []);
        assert_eq!(chunks(copy(false, 1100), &[0], false), []);
    }

    #[test]
    fn vs1_copy_ends_at_the_end_of_the_region() {
        assert_eq!(chunks(copy(false, 1100), &[512], true), [(0x1000, 512)]);
        let last = In { offset: 0xffff_fe00, ..copy(false, 1100) };
        assert_eq!(chunks(last, &[512], false), [(0xffff_fe00, 512)]);
    }

    #[test]
    fn vs1_copy_of_vss_continues_after_the_previous_chunk() {
        let strided = In { dtype: 3, iteration: 130, ..copy(true, 0x102) };
        let offsets = [(0x1000, 512), (0x1000 + 64 * 0x100, 512), (0x1000 + 128 * 0x100, 16)];
        assert_eq!(chunks(strided, &[512, 512, 512], false), offsets);
    }

    #[test]
    fn prim_copy_waits_for_write_unit_and_prefetch_unit() {
        for strided in [false, true] {
            let mut module = Vs::default();
            module.tick(&In { prefetch_unit_busy: true, dtype: 2, iteration: 9, ..copy(strided, 64) });
            let waits = if strided { Vss1 } else { Wait };
            for pins in
                [In { status: busy(), ..In::default() }, In { prefetch_unit_busy: true, ..In::default() }]
            {
                module.tick(&pins);
                assert_eq!((module.state, module.chunk_request), (waits, false));
            }
            module.tick(&In::default());
            assert_eq!((module.state, module.chunk_request, module.request), (Vs1, true, false));
        }
    }

    #[test]
    fn vs1_copy_of_vsi_copies_nothing() {
        let listed = In { listed: true, dtype: 2, iteration: 9, ..copy(true, 64) };
        assert_eq!(chunks(listed, &[512], false), []);
    }

    #[test]
    fn vs1_done_reports_for_one_cycle() {
        let mut vs = vs_in_vs1();
        let status = VectorStoreStatus { storing: true, done: true, overrun: true, ..busy() };
        vs.tick(&In { status, ..In::default() });
        let result = vs.outputs().result;
        let expected = VsResult { done: true, window: 1, destination_clamped: true, ..VsResult::default() };
        assert_eq!((vs.state, result), (VsEnd, expected));
        vs.tick(&In::default());
        assert_eq!(vs, Vs::default());
    }
}
