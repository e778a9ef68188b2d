//! Copy control of the Prefetch Unit: keeps the first halves of copies from SO-DIMM to SO-DIMM (thesis section 4.6.8).
//!
//! A VL or VLS with DSTOff 0xffff_ffff is parked, one for each process, so that the Prefetch Unit is free for others until
//! the VS or VSS comes that is its other half. Then the VS module asks for one chunk of 512 bytes after the other; the
//! Prefetch Unit reads each into the copy buffer, as into a Prefetch Window, and the Write Unit takes it from there, as
//! from a Write Window. Elements have at most 128 bytes, so a chunk holds whole ones (decision 0022).
//!
//! Nobody holds anything while he waits for another: a chunk is read only when the one before is stored.

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use super::pins::{CopyChunk, CopyRequest, LIST, STRIDED, VectorLoad, WINDOW_BYTES, room};

hdl::machine! {
    /// Copy control of the Prefetch Unit.
    pub enum State in pu_copy_pkg {
        /// Waits until a chunk is wanted.
        Idle => [Start, Ready],
        /// Has the control read it.
        Start => [Load],
        /// Waits until it is in the copy buffer.
        Load => [Ready],
        /// Tells how long it is.
        Ready => [Idle],
    }
}

hdl::bundle! {
    /// The first half of a copy, as far as it is not read.
    pub struct Parked in pu_copy_pkg {
        /// Elements lie a stride apart.
        strided: bool,
        /// Element size: 1 << dtype bytes.
        dtype: u8 : 3,
        /// Bytes left; 0 when nothing is parked.
        left: u32,
        /// Stride in bytes.
        stride: u32,
        /// Offset read from in the process's region.
        srcoff: u32,
    }
}

hdl::bundle! {
    /// Input pins of the copy control.
    pub struct In in pu_copy_pkg {
        /// From Window Controller.
        vector_load: VectorLoad,
        /// There is a request in this cycle.
        start: bool,
        /// From Window Controller.
        copy_request: CopyRequest,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// The control executes a request.
        busy: bool,
        /// Bytes of the run that the control cut out of its request.
        run_bytes: u16 : 10,
        /// How many of them the reader did not find in the region.
        run_remaining: u16 : 10,
    }
}

hdl::bundle! {
    /// Output pins of the copy control.
    pub struct Out in pu_copy_pkg {
        /// To the control: the next chunk.
        load: VectorLoad,
        /// The control takes `load` in this cycle.
        load_start: bool,
        /// A chunk is being read; what is stored goes into the copy buffer.
        owns: bool,
        /// To Window Controller.
        chunk: CopyChunk,
    }
}

hdl::bundle! {
    /// Registers of the copy control.
    pub struct PuCopy in pu_copy_pkg {
        /// State.
        state: State,
        /// First half of a copy of WID 0.
        parked0: Parked,
        /// First half of a copy of WID 1.
        parked1: Parked,
        /// Process whose copy is under way.
        wid: bool,
        /// Bytes of the chunk: that are asked for, then those that were read.
        bytes: u16 : 10,
        /// Elements that are asked for.
        elements: u8,
        /// From the offset of the chunk to that of the next one.
        step: u32,
        /// Bytes that the region has for the chunk; up to 512.
        reach: u16 : 10,
        /// Offset of the next one; what goes on beyond 4 GB has bit 32.
        next: u64 : 33,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/prefetch_unit/pu_copy_pkg",
    source: file!(),
    items: &[
        Item::Machine(State::TABLE),
        Item::Bundle(Parked::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Parked {
    /// The first half of a copy, as it is asked for.
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

    /// Bytes of the next chunk.
    #[inline]
    fn chunk(&self) -> u16 {
        self.left.min(WINDOW_BYTES.into()) as u16
    }

    /// From the offset of a chunk to that of the next one.
    #[inline]
    fn step(&self) -> u32 {
        if self.strided { self.stride << (9 - self.dtype.max(2)) } else { WINDOW_BYTES.into() }
    }

    /// Bytes that the region has for the next chunk. Elements at a stride are looked at one by one.
    #[inline]
    fn reach(&self, capacity: u8) -> u16 {
        if self.strided { WINDOW_BYTES } else { room(self.srcoff, capacity) }
    }

    /// What is left behind a chunk, from `next` on. Contiguous data does not go on beyond 4 GB, strided elements do.
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
            // Idle: where nothing is left, the chunk is empty.
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
            // Start: the control is idle, since the VS module waited for it. Where the chunk after this one begins is known before this one is read.
            Start => {
                let parked = if q.wid { q.parked1 } else { q.parked0 };
                d.next = u64::from(parked.srcoff) + u64::from(q.step);
                d.state = Load;
            }
            // Load: an element beyond the region ended the run; what was read before it counts.
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
            // Ready: the VS module hears it.
            Ready => d.state = Idle,
        }

        // A first half takes the place of one that is still there. A list is none.
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

    /// The next chunk as the control is asked for it, and its bytes when the reader does not find `missing` of them.
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
    fn idle_contiguous_copy_comes_in_chunks_of_512_bytes() {
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
    fn idle_strided_copy_goes_on_where_the_chunk_before_ended() {
        let strided = VectorLoad { variant: 1, dtype: 4, iteration: 40, size_list_stride: 0x102, ..COPY };
        let mut pu_copy = pu_copy_in_idle(strided);
        let (first, _) = chunk(&mut pu_copy, true, 0).unwrap();
        let (second, _) = chunk(&mut pu_copy, true, 0).unwrap();
        assert_eq!((first.iteration, first.srcoff, first.size_list_stride), (32, 0x40, 0x102));
        assert_eq!((second.iteration, second.srcoff), (8, 0x40 + 32 * 0x102));
        assert_eq!(chunk(&mut pu_copy, true, 0), None);
    }

    #[test]
    fn load_bytes_that_are_not_in_the_region_do_not_count() {
        let mut pu_copy = pu_copy_in_idle(COPY);
        assert_eq!(chunk(&mut pu_copy, true, 500).unwrap().1, 12);
    }

    #[test]
    fn contiguous_copy_does_not_begin_anew_behind_4_gb() {
        let mut pu_copy = pu_copy_in_idle(VectorLoad { srcoff: 0xffff_fe00, ..COPY });
        assert_eq!(chunk(&mut pu_copy, true, 0).unwrap().1, 512);
        assert_eq!(chunk(&mut pu_copy, true, 0), None);
    }

    #[test]
    fn idle_each_process_has_its_own_and_the_later_one_stays() {
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
