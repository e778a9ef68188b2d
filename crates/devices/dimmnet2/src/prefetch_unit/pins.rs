//! Pins of the Prefetch Unit (thesis sections 4.2, 4.5.6 and 5.3.4).

use hdl::{Bundle, Item, Package};

use crate::command::SODIMM_COPY;
use crate::region::region;

/// Bytes of a Prefetch Window; what does not fit is not read.
pub const WINDOW_BYTES: u16 = 512;

/// Lines in the packet buffer: two of the longest packets (decision 0019).
pub const PACKET_LINES: u16 = 1024;

/// Lines in the packet buffer up to which it has room for a part of a run, with the pieces before it that are on their
/// way, at most 20.
pub const PACKET_ROOM: u16 = PACKET_LINES - super::pu_read::PART_WORDS - 24;

/// The same where the SO-DIMMs are read together: a piece may be two lines.
pub const PACKET_ROOM_TOGETHER: u16 = PACKET_LINES - super::pu_read::PART_WORDS - 48;

/// Variants of a vector load: code bits 1:0 of the primitive.
pub(super) const CONTIGUOUS: u8 = 0;
pub(super) const STRIDED: u8 = 1;
pub(super) const LIST: u8 = 2;

hdl::bundle! {
    /// What a module of the Request Executor asks for (thesis figure 5.8: Vector Load Request).
    pub struct VectorLoad in prefetch_unit_pkg {
        /// Issuing process.
        wid: bool,
        /// Variant, code bits 1:0 of the primitive: 0 contiguous, 1 strided, 2 by list.
        variant: u8 : 2,
        /// Element size: 1 << dtype bytes.
        dtype: u8 : 3,
        /// Number of elements.
        iteration: u8,
        /// Size in bytes, stride in bytes, or offset of the list, as the variant demands.
        size_list_stride: u32,
        /// Offset read from in the process's region.
        srcoff: u32,
        /// Offset written to in the process's Prefetch Windows; 0xffff_ffff is the first half of a copy (section 4.6.8).
        dstoff: u32,
        /// The data is for packets and goes into the packet buffer, not into a Prefetch Window.
        to_packet: bool,
        /// With `to_packet`: bytes wanted, whatever the variant says.
        total: u32,
        /// It is the first half of a copy. This and what follows are known a cycle before the Prefetch Unit hears of it (decision 0052).
        first_half: bool,
        /// Bytes that are asked for, as far as they fit in the window. Without meaning with `to_packet`, and so is the next.
        wanted: u16 : 10,
        /// Bytes of data that the region has: from where it begins, or as far as the list has offsets; up to 512.
        reach: u16 : 10,
    }
}

impl VectorLoad {
    /// The request with what follows from it.
    #[inline]
    pub fn measured(self, capacity: u8) -> Self {
        let total = match self.variant {
            CONTIGUOUS => self.size_list_stride,
            _ => u32::from(self.iteration) << self.dtype,
        };
        self.measured_by(total, capacity)
    }

    /// A request for that many bytes with what follows from it: whether it is the first half of a copy, how many fit in the window, and
    /// how many the region has for it.
    #[inline]
    pub fn measured_by(self, total: u32, capacity: u8) -> Self {
        let wanted = total.min(u32::from(WINDOW_BYTES - first(&self))) as u16;
        // Elements at a stride are looked at one by one.
        let reach = match self.variant {
            CONTIGUOUS => room(self.srcoff, capacity),
            LIST => (room(self.size_list_stride, capacity) >> 2 << self.dtype.max(2)).min(WINDOW_BYTES),
            _ => WINDOW_BYTES,
        };
        Self { first_half: self.dstoff == SODIMM_COPY, wanted, reach, ..self }
    }
}

/// Byte of its window at which a request's data begins.
#[inline]
pub(super) fn first(load: &VectorLoad) -> u16 {
    load.dstoff as u16 & (WINDOW_BYTES - 4)
}

/// Bytes from a place to the end of the region; 512 if there are more.
#[inline]
pub(super) fn room(place: u32, capacity: u8) -> u16 {
    let bytes = region(capacity).limit.saturating_sub(u64::from(place & !3));
    bytes.min(WINDOW_BYTES.into()) as u16
}

hdl::bundle! {
    /// What the VS module wants of the copy whose first half is parked (decision 0022).
    pub struct CopyRequest in prefetch_unit_pkg {
        /// Asks for the next chunk of at most 512 bytes; held until `ready`.
        request: bool,
        /// The copy is over: the first half is forgotten. High for one cycle.
        end_copy: bool,
        /// Process.
        wid: bool,
        /// Reads two lines of the chunk.
        read_enable: bool,
        /// Row of 16 bytes in the chunk.
        row: u8 : 5,
    }
}

hdl::bundle! {
    /// A chunk of a copy, in the copy buffer.
    pub struct CopyChunk in prefetch_unit_pkg {
        /// It is there; high for one cycle.
        ready: bool,
        /// With `ready`: its bytes. Fewer than 512 are the last ones.
        bytes: u16 : 10,
    }
}

hdl::bundle! {
    /// A word to read, for the SO-DIMM interface.
    pub struct MemoryRead in prefetch_unit_pkg {
        /// Word address over both SO-DIMMs, in units of 8 bytes; bit 0 selects the module.
        address: u32 : 31,
        /// There is a word to read in this cycle.
        enable: bool,
        /// The word behind it is read too; the first one is of SO-DIMM1 then, and this one of SO-DIMM2.
        pair: bool,
    }
}

hdl::bundle! {
    /// Words read, from the SO-DIMM interface.
    pub struct MemoryData in prefetch_unit_pkg {
        /// The word of SO-DIMM1 that was taken last.
        data0: u64,
        /// The word of SO-DIMM2 that was taken last.
        data1: u64,
        /// SO-DIMM1 has no word to take.
        empty0: bool,
        /// SO-DIMM2 has no word to take.
        empty1: bool,
    }
}

hdl::bundle! {
    /// A list that the Write Unit wants to have read (decision 0022).
    pub struct ListRequest in prefetch_unit_pkg {
        /// Asks for the list; all is held until `ready`.
        request: bool,
        /// Process whose region holds it.
        wid: bool,
        /// Offset of the list in the region.
        offset: u32,
        /// Offsets of 4 bytes in it.
        entries: u8,
    }
}

hdl::bundle! {
    /// The list that the Write Unit asked for.
    pub struct StoreList in prefetch_unit_pkg {
        /// It can be read; high for one cycle.
        ready: bool,
        /// With `ready`: offsets in it, up to the end of the region.
        entries: u8,
        /// Two offsets: the row read last. Rows are words of SO-DIMM, so the list may begin in the upper half of row 0.
        rdata: u64,
    }
}

hdl::bundle! {
    /// News for the Prefetch Window Flag of a process (thesis table A.3).
    pub struct WindowFlag in prefetch_unit_pkg {
        /// A transfer begins: the bits of the window become `quarters`; otherwise they are set only.
        opened: bool,
        /// Quarters that the transfer will not touch, or that it has filled; bit 0 is the first 128 bytes.
        quarters: u8 : 4,
        /// Window of the process.
        window: u8 : 2,
        /// Process.
        wid: bool,
    }
}

hdl::bundle! {
    /// Input pins of the Prefetch Unit.
    pub struct In in prefetch_unit_pkg {
        /// From Window Controller.
        vector_load: VectorLoad,
        /// There is a request in this cycle; it is taken while no other one is being executed.
        vector_load_start: bool,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// Contiguous data for packets is read from both SO-DIMMs at once, from Configuration Register.
        read_together: bool,
        /// The Prefetch Unit has the right to read, from SO-DIMM interface; answers `read_right_request`.
        read_right: bool,
        /// The SO-DIMM interface has room for fewer than four more words.
        sodimm_almost_full: bool,
        /// All words handed over are on their way back, or will be after this cycle.
        sodimm_idle: bool,
        /// From SO-DIMM interface.
        data: MemoryData,
        /// The Prefetch Window port is free for the Prefetch Unit in this cycle.
        prefetch_window_free: bool,
        /// From Write Unit.
        list_request: ListRequest,
        /// The Write Unit reads two offsets of its list.
        list_read_enable: bool,
        /// Row of 8 bytes in the list.
        list_row: u8 : 7,
        /// From Window Controller.
        copy_request: CopyRequest,
        /// Takes a line of the packet buffer; it is on `packet_data` in the next cycle. Ignored while there is none.
        packet_next: bool,
    }
}

hdl::bundle! {
    /// Output pins of the Prefetch Unit.
    pub struct Out in prefetch_unit_pkg {
        /// A request is being executed, or a list is being read.
        busy: bool,
        /// Asks for the right to read; held until all words are on their way back.
        read_right_request: bool,
        /// To SO-DIMM interface.
        read: MemoryRead,
        /// Takes a word of SO-DIMM1; ignored while there is none. With `data_next1` both words are taken, or none.
        data_next0: bool,
        /// Takes a word of SO-DIMM2; ignored while there is none.
        data_next1: bool,
        /// Bytes of a Prefetch Window to write; held until a cycle with `prefetch_window_free`.
        prefetch_window_byte_enable: u16,
        /// Row of 16 bytes: WID, window, row in the window.
        prefetch_window_address: u8,
        /// Data for the Prefetch Window.
        prefetch_window_wdata: u128,
        /// To Write Unit.
        store_list: StoreList,
        /// To Window Controller.
        copy_chunk: CopyChunk,
        /// To Write Unit: two lines of the chunk, read last.
        copy_rdata: u128,
        /// To the registers.
        flag: WindowFlag,
        /// State numbers, for Module State: ST_R 2:0, pu_ctl 4:3, FIFO 5, PW 6; 0 when all are idle.
        state: u8 : 7,
        /// The line of the packet buffer that was taken last.
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
            doc: "Bytes of a Prefetch Window; what does not fit is not read.",
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
            doc: "Lines in the packet buffer up to which it has room for a part of a run.",
        },
        Item::Constant {
            name: "PacketRoomTogether",
            width: 11,
            value: PACKET_ROOM_TOGETHER as u64,
            doc: "The same where the SO-DIMMs are read together.",
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
