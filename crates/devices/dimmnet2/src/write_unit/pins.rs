//! Pins of the Write Unit (thesis sections 4.2, 7.1.5 and table 7.4).

use hdl::{Bundle, Item, Package};

use crate::line::Line;
use crate::prefetch_unit::pins::{ListRequest, StoreList};
use crate::receive_controller::pins::{RingRequest, WriteRequest};
use crate::window_controller::pins::{VectorStore, VectorStoreStatus};

hdl::bundle! {
    /// Input pins of the Write Unit.
    pub struct In in write_unit_pkg {
        /// From Receive Controller; all but `start` stay until `done`.
        write_request: WriteRequest,
        /// From Receive Controller; all but `start` stay until `done`.
        ring_request: RingRequest,
        /// The word of LLCM read last, the AMT entry of the sender.
        llcm_rdata: u64,
        /// From the AMT Address Table: the word of LLCM with Head and Tail of the ring.
        amt_entry: u16 : 12,
        /// From Receive Controller: the head of the message is written; high for one cycle.
        head_done: bool,
        /// With `head_done`: the packet is broken, there is no rest to store.
        head_broken: bool,
        /// The line taken from SWIF last; stays until the next one is taken.
        line: Line,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// The Write Unit has the right to write, from SO-DIMM interface; answers `write_right_request` one cycle later.
        write_right: bool,
        /// The SO-DIMM interface has room for fewer than four more words.
        sodimm_almost_full: bool,
        /// All words handed over are in the SO-DIMMs, or will be after this cycle.
        sodimm_idle: bool,
        /// From Window Controller.
        vector_store: VectorStore,
        /// Two lines of the Write Window read last.
        write_window_rdata: u128,
        /// From Prefetch Unit.
        store_list: StoreList,
        /// From Prefetch Unit: two lines of the copy buffer read last.
        copy_rdata: u128,
    }
}

hdl::bundle! {
    /// A 64-bit word for the SO-DIMM interface.
    pub struct MemoryWord in write_unit_pkg {
        /// Data.
        data: u64,
        /// Word address over both SO-DIMMs, in units of 8 bytes; bit 0 selects the module.
        address: u32 : 31,
        /// Bytes to write; 0 when there is no word in this cycle.
        byte_enable: u8,
    }
}

hdl::bundle! {
    /// Output pins of the Write Unit.
    pub struct Out in write_unit_pkg {
        /// Takes the next line of the present packet; ignored by SWIF when the last line is on its output.
        line_next: bool,
        /// Asks for the right to write to SO-DIMM; held until the data is stored.
        write_right_request: bool,
        /// To the SO-DIMM interface.
        word: MemoryWord,
        /// To Receive Controller: the packet is stored and read to its end; high for one cycle.
        done: bool,
        /// With `done`: data ran past the region and was cut.
        overrun: bool,
        /// With `done`: the packet found no ring, so nothing of it is stored.
        refused: bool,
        /// With `done`: a first line came inside the packet.
        broken: bool,
        /// With `done`: bytes of data that the packet held, at most what Packet Size says.
        bytes: u16 : 12,
        /// With `done`, of an IPUSH packet, and with `ring_room`: first byte of its message, an offset in the region.
        first_address: u32,
        /// To Receive Controller: there is room for the rest of a message, which begins when its head is written.
        ring_room: bool,
        /// To LLCM: reads the AMT entry of the sender.
        llcm_read_enable: bool,
        /// To LLCM: bytes of that entry to write; 0 writes nothing.
        llcm_byte_enable: u8,
        /// To LLCM: the new Tail, in both halves.
        llcm_wdata: u64,
        /// The word that is read or written, in the receiving process's LLCM.
        llcm_entry: u16 : 12,
        /// State number of the read control, for Module State.
        read_control_state: u8 : 2,
        /// State number of the write control, for Module State.
        write_control_state: u8 : 3,
        /// To Window Controller.
        vector_store_status: VectorStoreStatus,
        /// State number of the stride, for Module State.
        stride_state: u8 : 2,
        /// To Prefetch Unit: a list to read.
        list_request: ListRequest,
        /// To Prefetch Unit: reads two offsets of it.
        list_read_enable: bool,
        /// To Prefetch Unit: row of 8 bytes in it.
        list_row: u8 : 7,
        /// State number of the ring, for Module State.
        ring_state: u8 : 2,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/write_unit/write_unit_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(MemoryWord::TABLE), Item::Bundle(Out::TABLE)],
};
