//! Control of the Prefetch Unit: decides what is read, and into which buffer (thesis section 4.6.3, dsh's
//! pu_ctl).
//!
//! The control clamps a request to the end of the Prefetch Window and, if it is contiguous, to the end of the
//! process's region, and runs it through reader and writer. A list is a run of its own before that of the
//! data; its offsets go into the list buffer. When the data begins, the quarters of the window that stay
//! untouched are reported to the Prefetch Window Flag.
//!
//! A request for packets is not clamped, because its size has been announced to a remote node. Bytes beyond
//! the region are read as 0 (decision 0019).
//!
//! Elements of 1 and 2 bytes are counted as such but read as 4: SO-DIMM access is designed for 4 bytes and
//! more (thesis page 53, note 4; decision 0016). The first half of a copy from SO-DIMM to SO-DIMM is not
//! executed here: the copy control holds it and requests its chunks, which touch no Prefetch Window.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::pins::{CONTIGUOUS, LIST, VectorLoad, first};

hdl::fsm! {
    /// Control of the Prefetch Unit.
    pub enum State in pu_ctl_pkg {
        /// Waits for a request.
        Idle => [Compute: "request, or chunk of a copy", Idle: "otherwise"],
        /// Computes the bytes to read.
        Compute => [Idle: "nothing to read", List: "list", Data: "contiguous or strided"],
        /// The list is read into the list buffer.
        List => [Data: "reader and writer idle", List: "otherwise"],
        /// The data is read into the Prefetch Window or the packet buffer.
        Data => [Idle: "reader and writer idle", Data: "otherwise"],
    }
}

hdl::bundle! {
    /// One run of the reader.
    pub struct Run in pu_ctl_pkg {
        /// Process whose region is read.
        wid: bool,
        /// Offset of the first element, or the base that is added to each offset of the list.
        offset: u32,
        /// Distance between consecutive elements in bytes.
        stride: u32,
        /// Element size in bytes, at least 4; the whole run if it is contiguous.
        element_bytes: u32,
        /// Bytes of all elements; the last element may be cut.
        bytes: u32,
        /// The offsets are in the list buffer.
        listed: bool,
        /// 1: bytes beyond the region are read as 0. 0: an element outside the region ends the run.
        padded: bool,
        /// The run goes into the packet buffer, and waits for room there.
        to_packet: bool,
        /// A contiguous run reads words of both SO-DIMMs at once.
        together: bool,
    }
}

hdl::bundle! {
    /// Input pins of the control.
    pub struct In in pu_ctl_pkg {
        /// Request, from Window Controller.
        vector_load: VectorLoad,
        /// `vector_load` is valid.
        start: bool,
        /// Request for a chunk, from the copy control.
        copy_load: VectorLoad,
        /// `copy_load` is valid.
        copy_start: bool,
        /// Data for packets is read from both SO-DIMMs at once.
        read_together: bool,
        /// The reader is idle.
        read_idle: bool,
        /// The writer is idle.
        write_idle: bool,
    }
}

hdl::bundle! {
    /// Output pins of the control.
    pub struct Out in pu_ctl_pkg {
        /// A request is executed.
        busy: bool,
        /// Starts reader and writer; high for one cycle, `run` stays until both are idle.
        start: bool,
        /// Run, to the reader.
        run: Run,
        /// The run goes into the list buffer, otherwise into a Prefetch Window or the packet buffer.
        to_list: bool,
        /// Destination in the Prefetch Windows in units of 4 bytes: WID, window, half word.
        destination: u16 : 10,
        /// The transfer begins, and `quarters` is valid; high for one cycle.
        opened: bool,
        /// Quarters that the transfer will not touch.
        quarters: u8 : 4,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the control.
    pub struct PuCtl in pu_ctl_pkg {
        /// State of the state machine.
        state: State,
        /// The request being executed.
        vector_load: VectorLoad,
        /// `read_together` when the request was accepted.
        together: bool,
        /// Bytes to read, the list not included.
        bytes: u32,
        /// Bytes of the list: 4 for each offset, 0 to 1020.
        list_bytes: u16 : 10,
        /// The request is a chunk of a copy.
        copies: bool,
        /// Starts reader and writer.
        start: bool,
        /// The transfer begins.
        opened: bool,
        /// Quarters that the transfer will not touch.
        quarters: u8 : 4,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/prefetch_unit/pu_ctl_pkg",
    source: file!(),
    items: &[
        Item::StateMachine(State::TABLE),
        Item::Bundle(Run::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

/// Quarters of a Prefetch Window that `bytes` bytes from byte `start` on do not touch.
#[inline]
pub(crate) fn untouched_quarters(start: u16, bytes: u16) -> u8 {
    let end = start + bytes;
    (0..4u16)
        .filter(|quarter| {
            let first = 128 * quarter;
            bytes == 0 || first + 128 <= start || end <= first
        })
        .fold(0, |set, quarter| set | 1 << quarter)
}

impl Clocked for PuCtl {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let load = &q.vector_load;
        let to_list = q.state == List;
        let whole = to_list || load.variant == CONTIGUOUS;
        let bytes = if to_list { u32::from(q.list_bytes) } else { q.bytes };
        Out {
            busy: q.state != Idle,
            start: q.start,
            run: Run {
                wid: load.wid,
                offset: if to_list { load.size_list_stride } else { load.srcoff },
                stride: load.size_list_stride,
                element_bytes: if whole { bytes } else { 1 << load.dtype.max(2) },
                bytes,
                listed: !to_list && load.variant == LIST,
                padded: load.to_packet,
                to_packet: load.to_packet && !to_list,
                together: load.to_packet && !to_list && q.together,
            },
            to_list,
            destination: u16::from(load.wid) << 9 | (load.dstoff >> 2) as u16 & 0x1ff,
            opened: q.opened,
            quarters: q.quarters,
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
        if self.state == State::Idle && !self.opened { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl PuCtl {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        d.start = false;
        d.opened = false;
        let done = !q.start && pins.read_idle && pins.write_idle;

        match q.state {
            // Idle: a chunk of a copy is executed; its first half is not.
            Idle => {
                let load = if pins.copy_start { &pins.copy_load } else { &pins.vector_load };
                if pins.copy_start || pins.start && (load.to_packet || !load.first_half) {
                    d.vector_load = *load;
                    if !pins.copy_start {
                        d.together = pins.read_together;
                    }
                    d.copies = pins.copy_start;
                    d.state = Compute;
                }
            }
            // Compute: the smaller of the bytes that fit in the window and the bytes in the region; an empty
            // request completes at once.
            Compute => {
                d.compute();
                d.start = d.bytes != 0;
                d.opened = !q.copies && !q.vector_load.to_packet;
                d.state = match q.vector_load.variant {
                    _ if d.bytes == 0 => Idle,
                    LIST => List,
                    _ => Data,
                };
            }
            // List: the writer is idle once the last offset is in the list buffer.
            List => {
                if done {
                    d.start = true;
                    d.state = Data;
                }
            }
            // Data: the writer is idle once the last word is stored.
            Data => {
                if done {
                    d.state = Idle;
                }
            }
        }
        d
    }

    /// Computes the sizes of list and data, and the untouched quarters.
    #[inline]
    fn compute(&mut self) {
        let load = &self.vector_load;
        let shift = load.dtype.max(2);
        let short = load.reach < load.wanted;
        let bytes = if short { load.reach } else { load.wanted };
        // The reach of a list is a whole number of elements, so the smaller byte count also gives the smaller
        // number of offsets.
        let rounded = (load.wanted + (1 << shift) - 1) >> shift;
        self.list_bytes = (if short { load.reach >> shift } else { rounded }) << 2;
        self.bytes = bytes.into();
        self.quarters = untouched_quarters(first(load), bytes);
        if load.to_packet {
            self.list_bytes = 4 * u16::from(load.iteration);
            self.bytes = load.total;
        }
    }
}

impl Probe for PuCtl {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
