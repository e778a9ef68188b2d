//! Copy control of the Prefetch Unit: holds the first halves of copies from SO-DIMM to SO-DIMM (thesis
//! section 4.6.8).
//!
//! A VL or VLS with DSTOff 0xffff_ffff is parked, one per process. The Prefetch Unit stays free for other
//! requests until the second half, a VS or VSS, arrives. The VS module then requests one chunk of 512 bytes
//! after another. The Prefetch Unit reads each chunk into the copy buffer as into a Prefetch Window, and the
//! Write Unit takes it from there as from a Write Window. Elements have at most 128 bytes, so a chunk holds
//! whole elements (decision 0022).
//!
//! A chunk is read only after the one before has been stored. No block holds a resource while it waits for
//! another, so deadlock is impossible.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::pins::{CopyChunk, CopyRequest, LIST, STRIDED, VectorLoad, WINDOW_BYTES, room};

hdl::fsm! {
    /// Copy control of the Prefetch Unit.
    pub enum State in pu_copy_pkg {
        /// Waits for the request for a chunk.
        Idle => [
            Start: "chunk requested, bytes left",
            Ready: "chunk requested, nothing left",
            Idle: "otherwise",
        ],
        /// Makes the control read the chunk.
        Start => [Load],
        /// Waits until the chunk is in the copy buffer.
        Load => [Ready: "control not busy", Load: "otherwise"],
        /// Reports the length of the chunk.
        Ready => [Idle],
    }
}

hdl::bundle! {
    /// The unread part of the first half of a copy.
    pub struct Parked in pu_copy_pkg {
        /// The elements are strided; otherwise the data is contiguous.
        strided: bool,
        /// Element size: 1 << dtype bytes.
        dtype: u8 : 3,
        /// Bytes left; 0 when nothing is parked.
        left: u32,
        /// Stride in bytes.
        stride: u32,
        /// Source offset in the process's region.
        srcoff: u32,
    }
}

hdl::bundle! {
    /// Input pins of the copy control.
    pub struct In in pu_copy_pkg {
        /// Request, from Window Controller.
        vector_load: VectorLoad,
        /// `vector_load` is valid.
        start: bool,
        /// Request for a chunk, from Window Controller.
        copy_request: CopyRequest,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// The control is executing a request.
        busy: bool,
        /// Bytes of the run after the control has clamped the request.
        run_bytes: u16 : 10,
        /// Bytes of the run that the reader did not find in the region.
        run_remaining: u16 : 10,
    }
}

hdl::bundle! {
    /// Output pins of the copy control.
    pub struct Out in pu_copy_pkg {
        /// Request for the next chunk, to the control.
        load: VectorLoad,
        /// The control accepts `load` in this cycle.
        load_start: bool,
        /// A chunk is being read; stored data goes into the copy buffer.
        owns: bool,
        /// Chunk, to Window Controller.
        chunk: CopyChunk,
    }
}

hdl::bundle! {
    /// Registers of the copy control.
    pub struct PuCopy in pu_copy_pkg {
        /// State of the state machine.
        state: State,
        /// First half of a copy of WID 0.
        parked0: Parked,
        /// First half of a copy of WID 1.
        parked1: Parked,
        /// Process whose copy is executed.
        wid: bool,
        /// Bytes of the chunk: those requested, then those read.
        bytes: u16 : 10,
        /// Elements requested.
        elements: u8,
        /// Distance from the offset of the chunk to that of the next one.
        step: u32,
        /// Bytes available in the region for the chunk, up to 512.
        reach: u16 : 10,
        /// Offset of the next chunk; bit 32 is set beyond 4 GB.
        next: u64 : 33,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/prefetch_unit/pu_copy_pkg",
    source: file!(),
    items: &[
        Item::StateMachine(State::TABLE),
        Item::Bundle(Parked::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Parked {
    /// The first half of a copy as requested, of which nothing is read yet.
    #[inline]
    fn new(load: &VectorLoad) -> Self {
        let strided = load.variant == STRIDED;
        Self {
            strided,
            dtype: load.dtype,
            left: if strided { u32::from(load.iteration) << load.dtype } else { load.size_list_stride },
            stride: load.size_list_stride,
            srcoff: load.srcoff,
        }
    }

    /// Bytes of the next chunk, 0 to 512.
    #[inline]
    fn chunk(&self) -> u16 {
        self.left.min(WINDOW_BYTES.into()) as u16
    }

    /// Distance from the offset of a chunk to that of the next one.
    #[inline]
    fn step(&self) -> u32 {
        if self.strided { self.stride << (9 - self.dtype.max(2)) } else { WINDOW_BYTES.into() }
    }

    /// Bytes available in the region for the next chunk. Strided elements are checked one by one while they
    /// are read.
    #[inline]
    fn reach(&self, capacity: u8) -> u16 {
        if self.strided { WINDOW_BYTES } else { room(self.srcoff, capacity) }
    }

    /// The rest after a chunk, from `next` on. Contiguous data ends at 4 GB; strided elements wrap.
    #[inline]
    fn rest(&self, bytes: u16, next: u64) -> Self {
        let (srcoff, beyond) = (next as u32, next >> 32 != 0);
        let left = if beyond && !self.strided { 0 } else { self.left.wrapping_sub(bytes.into()) };
        Self { srcoff, left, ..*self }
    }
}

impl Clocked for PuCopy {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let parked = if q.wid { q.parked1 } else { q.parked0 };
        Out {
            load: VectorLoad {
                wid: q.wid,
                variant: u8::from(parked.strided),
                dtype: parked.dtype,
                iteration: q.elements,
                size_list_stride: if parked.strided { parked.stride } else { q.bytes.into() },
                srcoff: parked.srcoff,
                dstoff: 0,
                to_packet: false,
                total: 0,
                first_half: false,
                wanted: q.bytes,
                reach: q.reach,
            },
            load_start: q.state == Start,
            owns: matches!(q.state, Start | Load),
            chunk: CopyChunk { ready: q.state == Ready, bytes: q.bytes },
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
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl PuCopy {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let asked = if pins.copy_request.wid { q.parked1 } else { q.parked0 };
        match q.state {
            // Idle: when nothing is left, the chunk is empty.
            Idle => {
                if pins.copy_request.request {
                    d.wid = pins.copy_request.wid;
                    d.bytes = asked.chunk();
                    d.elements = (d.bytes >> asked.dtype) as u8;
                    d.step = asked.step();
                    d.reach = asked.reach(pins.capacity);
                    d.state = if asked.left == 0 { Ready } else { Start };
                }
            }
            // Start: the control is idle, because the VS module waits for that. The start of the next chunk
            // is computed before this one is read.
            Start => {
                let parked = if q.wid { q.parked1 } else { q.parked0 };
                d.next = u64::from(parked.srcoff) + u64::from(q.step);
                d.state = Load;
            }
            // Load: an element beyond the region ends the run; the elements read before it count.
            Load => {
                if !pins.busy {
                    d.bytes = pins.run_bytes.saturating_sub(pins.run_remaining);
                    if q.wid {
                        d.parked1 = q.parked1.rest(q.bytes, q.next);
                    } else {
                        d.parked0 = q.parked0.rest(q.bytes, q.next);
                    }
                    d.state = Ready;
                }
            }
            // Ready: the length is reported to the VS module.
            Ready => d.state = Idle,
        }

        // A new first half replaces one that is still parked. A list is not parked.
        let copies = pins.start && pins.vector_load.first_half && pins.vector_load.variant != LIST;
        let ended = pins.copy_request.end_copy;
        let parked = if copies { Parked::new(&pins.vector_load) } else { Parked::default() };
        let wid = if copies { pins.vector_load.wid } else { pins.copy_request.wid };
        if (copies || ended) && wid {
            d.parked1 = parked;
        } else if copies || ended {
            d.parked0 = parked;
        }
        d
    }
}

impl Probe for PuCopy {
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

    const COPY: VectorLoad = VectorLoad {
        wid: true,
        variant: 0,
        dtype: 0,
        iteration: 0,
        size_list_stride: 1200,
        srcoff: 0x40,
        dstoff: SODIMM_COPY,
        to_packet: false,
        total: 0,
        first_half: true,
        wanted: 0,
        reach: 0,
    };

    fn pu_copy_in_idle(vector_load: VectorLoad) -> PuCopy {
        let mut pu_copy = PuCopy::default();
        pu_copy.tick(&In { vector_load, start: true, ..In::default() });
        pu_copy
    }

    /// Requests the next chunk; returns the request to the control, and the bytes of the chunk when the
    /// reader does not find `missing` of them.
    fn chunk(pu_copy: &mut PuCopy, wid: bool, missing: u16) -> Option<(VectorLoad, u16)> {
        let copy_request = CopyRequest { request: true, wid, ..CopyRequest::default() };
        pu_copy.tick(&In { copy_request, ..In::default() });
        if pu_copy.state == Ready {
            assert_eq!(pu_copy.outputs().chunk, CopyChunk { ready: true, bytes: 0 });
            pu_copy.tick(&In::default());
            return None;
        }
        let load = pu_copy.outputs().load;
        assert!(pu_copy.outputs().load_start);
        let run_bytes = match load.variant {
            0 => load.size_list_stride as u16,
            _ => u16::from(load.iteration) << load.dtype,
        };
        for busy in [true, true, true, false] {
            assert!(pu_copy.outputs().owns && !pu_copy.outputs().chunk.ready);
            pu_copy.tick(&In { busy, run_bytes, run_remaining: missing, ..In::default() });
        }
        let bytes = pu_copy.outputs().chunk.bytes;
        assert!(pu_copy.outputs().chunk.ready);
        pu_copy.tick(&In::default());
        Some((load, bytes))
    }

    #[test]
    fn idle_contiguous_copy_is_read_in_chunks_of_512_bytes() {
        for wid in [false, true] {
            let copy = VectorLoad { wid, ..COPY };
            let mut pu_copy = pu_copy_in_idle(copy);
            for (srcoff, bytes) in [(0x40, 512), (0x240, 512), (0x440, 176)] {
                let load = VectorLoad { size_list_stride: bytes, srcoff, dstoff: 0, ..copy }.measured(0);
                let (asked, read) = chunk(&mut pu_copy, wid, 0).unwrap();
                assert_eq!((VectorLoad { iteration: 0, ..asked }, u32::from(read)), (load, bytes));
            }
            assert_eq!(chunk(&mut pu_copy, wid, 0), None);
        }
    }

    #[test]
    fn idle_strided_copy_continues_after_the_previous_chunk() {
        let strided = VectorLoad { variant: 1, dtype: 4, iteration: 40, size_list_stride: 0x102, ..COPY };
        let mut pu_copy = pu_copy_in_idle(strided);
        let (first, _) = chunk(&mut pu_copy, true, 0).unwrap();
        let (second, _) = chunk(&mut pu_copy, true, 0).unwrap();
        assert_eq!((first.iteration, first.srcoff, first.size_list_stride), (32, 0x40, 0x102));
        assert_eq!((second.iteration, second.srcoff), (8, 0x40 + 32 * 0x102));
        assert_eq!(chunk(&mut pu_copy, true, 0), None);
    }

    #[test]
    fn load_bytes_outside_the_region_do_not_count() {
        let mut pu_copy = pu_copy_in_idle(COPY);
        assert_eq!(chunk(&mut pu_copy, true, 500).unwrap().1, 12);
    }

    #[test]
    fn contiguous_copy_does_not_wrap_at_4_gb() {
        let mut pu_copy = pu_copy_in_idle(VectorLoad { srcoff: 0xffff_fe00, ..COPY });
        assert_eq!(chunk(&mut pu_copy, true, 0).unwrap().1, 512);
        assert_eq!(chunk(&mut pu_copy, true, 0), None);
    }

    #[test]
    fn idle_each_process_parks_its_latest_first_half() {
        let mut pu_copy = pu_copy_in_idle(COPY);
        let (own, later) = (VectorLoad { wid: false, ..COPY }, VectorLoad { srcoff: 0x80, ..COPY });
        for vector_load in [own, later] {
            pu_copy.tick(&In { vector_load, start: true, ..In::default() });
        }
        assert_eq!((pu_copy.parked0.srcoff, pu_copy.parked1.srcoff), (0x40, 0x80));
        pu_copy.tick(&In {
            copy_request: CopyRequest { end_copy: true, ..CopyRequest::default() },
            ..In::default()
        });
        assert_eq!((pu_copy.parked0, pu_copy.parked1.srcoff), (Parked::default(), 0x80));
    }

    #[test]
    fn idle_list_and_window_are_not_parked() {
        for vector_load in
            [VectorLoad { variant: 2, ..COPY }, VectorLoad { dstoff: 0, first_half: false, ..COPY }]
        {
            assert_eq!(pu_copy_in_idle(vector_load), PuCopy::default());
        }
    }
}
