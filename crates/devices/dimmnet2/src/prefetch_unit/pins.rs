//! Pins of the Prefetch Unit (thesis sections 4.2, 4.5.6 and 5.3.4).

use hdl::{Bundle, Item, Package};

use crate::command::SODIMM_COPY;
use crate::region::region;

/// Bytes of a Prefetch Window; data beyond its end is not read.
pub const WINDOW_BYTES: u16 = 512;

/// Lines in the packet buffer: two of the longest packets (decision 0019).
pub const PACKET_LINES: u16 = 1024;

/// Most lines in the packet buffer with which there is still room for a part of a run and for the at most 20
/// pieces in flight before it.
pub const PACKET_ROOM: u16 = PACKET_LINES - super::pu_read::PART_WORDS - 24;

/// The same limit when both SO-DIMMs are read together: a piece may be two lines.
pub const PACKET_ROOM_TOGETHER: u16 = PACKET_LINES - super::pu_read::PART_WORDS - 48;

/// Variants of a vector load: code bits 1:0 of the primitive.
pub(super) const CONTIGUOUS: u8 = 0;
pub(super) const STRIDED: u8 = 1;
pub(super) const LIST: u8 = 2;

hdl::bundle! {
    /// Request of a module of the Request Executor (thesis figure 5.8: Vector Load Request).
    pub struct VectorLoad in prefetch_unit_pkg {
        /// Issuing process.
        wid: bool,
        /// Variant, code bits 1:0 of the primitive: 0 contiguous, 1 strided, 2 by list.
        variant: u8 : 2,
        /// Element size: 1 << dtype bytes.
        dtype: u8 : 3,
        /// Number of elements.
        iteration: u8,
        /// Size in bytes, stride in bytes, or offset of the list, depending on the variant.
        size_list_stride: u32,
        /// Source offset in the process's region.
        srcoff: u32,
        /// Destination offset in the process's Prefetch Windows; 0xffff_ffff marks the first half of a copy
        /// (section 4.6.8).
        dstoff: u32,
        /// The data goes into the packet buffer instead of a Prefetch Window.
        to_packet: bool,
        /// With `to_packet`: bytes to read, for all variants.
        total: u32,
        /// The request is the first half of a copy. This and the next two fields are computed a cycle before
        /// the Prefetch Unit receives the request (decision 0052).
        first_half: bool,
        /// Bytes requested, clamped to the end of the window; undefined with `to_packet`.
        wanted: u16 : 10,
        /// Bytes available in the region, 0 to 512: from the source offset, or for the offsets that the list
        /// has. Undefined with `to_packet`.
        reach: u16 : 10,
    }
}

impl VectorLoad {
    /// The request with its derived fields, for the size given by its variant.
    #[inline]
    pub fn measured(self, capacity: u8) -> Self {
        let total = match self.variant {
            CONTIGUOUS => self.size_list_stride,
            _ => u32::from(self.iteration) << self.dtype,
        };
        self.measured_by(total, capacity)
    }

    /// The request with its derived fields, for `total` bytes: whether it is the first half of a copy, the
    /// bytes that fit in the window, and the bytes available in the region.
    #[inline]
    pub fn measured_by(self, total: u32, capacity: u8) -> Self {
        let wanted = total.min(u32::from(WINDOW_BYTES - first(&self))) as u16;
        // Strided elements are checked one by one while they are read.
        let reach = match self.variant {
            CONTIGUOUS => room(self.srcoff, capacity),
            LIST => (room(self.size_list_stride, capacity) >> 2 << self.dtype.max(2)).min(WINDOW_BYTES),
            _ => WINDOW_BYTES,
        };
        Self { first_half: self.dstoff == SODIMM_COPY, wanted, reach, ..self }
    }
}

/// Offset in its window of the first byte of a request's data.
#[inline]
pub(super) fn first(load: &VectorLoad) -> u16 {
    load.dstoff as u16 & (WINDOW_BYTES - 4)
}

/// Bytes from offset `place` to the end of the region, at most 512.
#[inline]
pub(super) fn room(place: u32, capacity: u8) -> u16 {
    let bytes = region(capacity).limit.saturating_sub(u64::from(place & !3));
    bytes.min(WINDOW_BYTES.into()) as u16
}

hdl::bundle! {
    /// Request of the VS module for the copy whose first half is parked (decision 0022).
    pub struct CopyRequest in prefetch_unit_pkg {
        /// Requests the next chunk of at most 512 bytes; held until `ready`.
        request: bool,
        /// The copy is complete: the first half is discarded. High for one cycle.
        end_copy: bool,
        /// Process that issued the copy.
        wid: bool,
        /// Reads two lines of the chunk.
        read_enable: bool,
        /// Row of 16 bytes in the chunk.
        row: u8 : 5,
    }
}

hdl::bundle! {
    /// A chunk of a copy in the copy buffer.
    pub struct CopyChunk in prefetch_unit_pkg {
        /// The chunk is complete; high for one cycle.
        ready: bool,
        /// With `ready`: bytes of the chunk. Fewer than 512 mean that it is the last one.
        bytes: u16 : 10,
    }
}

hdl::bundle! {
    /// A word to read, for the SO-DIMM interface.
    pub struct MemoryRead in prefetch_unit_pkg {
        /// Word address over both SO-DIMMs, in units of 8 bytes; bit 0 selects the module.
        address: u32 : 31,
        /// `address` is valid: the word is read.
        enable: bool,
        /// The next word is read too; the first one is then in SO-DIMM1 and the next in SO-DIMM2.
        pair: bool,
    }
}

hdl::bundle! {
    /// Words read, from the SO-DIMM interface.
    pub struct MemoryData in prefetch_unit_pkg {
        /// The most recently taken word of SO-DIMM1.
        data0: u64,
        /// The most recently taken word of SO-DIMM2.
        data1: u64,
        /// SO-DIMM1 has no word to take.
        empty0: bool,
        /// SO-DIMM2 has no word to take.
        empty1: bool,
    }
}

hdl::bundle! {
    /// Request of the Write Unit for a list (decision 0022).
    pub struct ListRequest in prefetch_unit_pkg {
        /// Requests the list; all fields are held until `ready`.
        request: bool,
        /// Process whose region contains the list.
        wid: bool,
        /// Offset of the list in the region.
        offset: u32,
        /// Number of offsets, 4 bytes each.
        entries: u8,
    }
}

hdl::bundle! {
    /// The list that the Write Unit requested.
    pub struct StoreList in prefetch_unit_pkg {
        /// The list is in its buffer; high for one cycle.
        ready: bool,
        /// With `ready`: number of offsets before the end of the region.
        entries: u8,
        /// Two offsets: the most recently read row. Rows are words of SO-DIMM, so the list may begin in the
        /// upper half of row 0.
        rdata: u64,
    }
}

hdl::bundle! {
    /// Update of the Prefetch Window Flag of a process (thesis table A.3).
    pub struct WindowFlag in prefetch_unit_pkg {
        /// 1: a transfer begins and the bits of the window become `quarters`. 0: the bits of `quarters` are
        /// set.
        opened: bool,
        /// Quarters that the transfer will not touch, or has filled; bit 0 is the first 128 bytes.
        quarters: u8 : 4,
        /// Window of the process, 0 to 3.
        window: u8 : 2,
        /// Process.
        wid: bool,
    }
}

hdl::bundle! {
    /// Input pins of the Prefetch Unit.
    pub struct In in prefetch_unit_pkg {
        /// Request, from Window Controller.
        vector_load: VectorLoad,
        /// `vector_load` is valid; the request is accepted while no other one is executed.
        vector_load_start: bool,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// Contiguous data for packets is read from both SO-DIMMs at once, from Configuration Register.
        read_together: bool,
        /// The Prefetch Unit has the right to read, from SO-DIMM interface; answers `read_right_request`.
        read_right: bool,
        /// The SO-DIMM interface has room for fewer than four more words.
        sodimm_almost_full: bool,
        /// All words requested are on the way back, or will be after this cycle.
        sodimm_idle: bool,
        /// Words read, from SO-DIMM interface.
        data: MemoryData,
        /// The Prefetch Window port is free for the Prefetch Unit in this cycle.
        prefetch_window_free: bool,
        /// List request, from Write Unit.
        list_request: ListRequest,
        /// The Write Unit reads two offsets of its list.
        list_read_enable: bool,
        /// Row of 8 bytes in the list.
        list_row: u8 : 7,
        /// Request for a chunk of a copy, from Window Controller.
        copy_request: CopyRequest,
        /// Takes a line of the packet buffer; it is on `packet_data` in the next cycle. Ignored when the
        /// buffer is empty.
        packet_next: bool,
    }
}

hdl::bundle! {
    /// Output pins of the Prefetch Unit.
    pub struct Out in prefetch_unit_pkg {
        /// A request is executed, or a list is read.
        busy: bool,
        /// Requests the right to read; held until all words are on the way back.
        read_right_request: bool,
        /// Word to read, to SO-DIMM interface.
        read: MemoryRead,
        /// Takes a word of SO-DIMM1; ignored when there is none. With `data_next1` either both words are
        /// taken or none.
        data_next0: bool,
        /// Takes a word of SO-DIMM2; ignored when there is none.
        data_next1: bool,
        /// Bytes of a Prefetch Window to write; held until a cycle with `prefetch_window_free`.
        prefetch_window_byte_enable: u16,
        /// Row of 16 bytes: WID, window, row in the window.
        prefetch_window_address: u8,
        /// Data for the Prefetch Window.
        prefetch_window_wdata: u128,
        /// List, to Write Unit.
        store_list: StoreList,
        /// Chunk of a copy, to Window Controller.
        copy_chunk: CopyChunk,
        /// Two lines of the chunk, read most recently, to Write Unit.
        copy_rdata: u128,
        /// Update of the Prefetch Window Flag, to the registers.
        flag: WindowFlag,
        /// State numbers, for Module State: ST_R 2:0, pu_ctl 4:3, FIFO 5, PW 6; 0 when all are idle.
        state: u8 : 7,
        /// The most recently taken line of the packet buffer.
        packet_data: u64,
        /// Lines in the packet buffer (Vector Load Status).
        packet_lines: u16 : 11,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/prefetch_unit/prefetch_unit_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "WindowBytes",
            width: 10,
            value: WINDOW_BYTES as u64,
            doc: "Bytes of a Prefetch Window; data beyond its end is not read.",
        },
        Item::Constant {
            name: "PacketLines",
            width: 11,
            value: PACKET_LINES as u64,
            doc: "Lines in the packet buffer: two of the longest packets (decision 0019).",
        },
        Item::Constant {
            name: "PacketRoom",
            width: 11,
            value: PACKET_ROOM as u64,
            doc: "Most lines in the packet buffer with which there is room for a part of a run.",
        },
        Item::Constant {
            name: "PacketRoomTogether",
            width: 11,
            value: PACKET_ROOM_TOGETHER as u64,
            doc: "PacketRoom when both SO-DIMMs are read together.",
        },
        Item::Bundle(VectorLoad::TABLE),
        Item::Bundle(MemoryRead::TABLE),
        Item::Bundle(MemoryData::TABLE),
        Item::Bundle(ListRequest::TABLE),
        Item::Bundle(StoreList::TABLE),
        Item::Bundle(CopyRequest::TABLE),
        Item::Bundle(CopyChunk::TABLE),
        Item::Bundle(WindowFlag::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};
