//! Pins of the Write Unit (thesis sections 4.2, 7.1.5 and table 7.4).

use hdl::{Bundle, Item, Package};

use crate::line::Line;
use crate::prefetch_unit::pins::{ListRequest, StoreList};
use crate::receive_controller::pins::{RingRequest, WriteRequest};
use crate::window_controller::pins::{VectorStore, VectorStoreStatus};

hdl::bundle! {
    /// Input pins of the Write Unit.
    pub struct In in write_unit_pkg {
        /// Destination of a packet, from Receive Controller; all fields but `start` are held until `done`.
        write_request: WriteRequest,
        /// Ring of a packet, from Receive Controller; all fields but `start` are held until `done`.
        ring_request: RingRequest,
        /// The most recently read word of LLCM: the AMT entry of the sender.
        llcm_rdata: u64,
        /// From the AMT Address Table: the word of LLCM with Head and Tail of the ring.
        amt_entry: u16 : 12,
        /// The head of the message has been written, from Receive Controller; high for one cycle.
        head_done: bool,
        /// With `head_done`: the packet is malformed and has no rest to store.
        head_broken: bool,
        /// The line most recently taken from SWIF; held until the next one is taken.
        line: Line,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// The Write Unit has the right to write, from SO-DIMM interface; answers `write_right_request` one cycle later.
        write_right: bool,
        /// The SO-DIMM interface has room for fewer than four more words.
        sodimm_almost_full: bool,
        /// All words sent are in the SO-DIMMs, or will be after this cycle.
        sodimm_idle: bool,
        /// Local store, from Window Controller.
        vector_store: VectorStore,
        /// Two lines of the Write Window, read most recently.
        write_window_rdata: u128,
        /// List of offsets, from Prefetch Unit.
        store_list: StoreList,
        /// Two lines of the copy buffer, read most recently, from Prefetch Unit.
        copy_rdata: u128,
    }
}

hdl::bundle! {
    /// A 64-bit word for the SO-DIMM interface.
    pub struct MemoryWord in write_unit_pkg {
        /// Data to write; byte 0 is in bits 7:0.
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
        /// Requests the right to write to SO-DIMM; held until the data is stored.
        write_right_request: bool,
        /// Word to write, to the SO-DIMM interface.
        word: MemoryWord,
        /// The packet has been stored and read to its end, to Receive Controller; high for one cycle.
        done: bool,
        /// With `done`: data extended past the region and was cut.
        overrun: bool,
        /// With `done`: the packet has no ring, so nothing of it is stored.
        refused: bool,
        /// With `done`: a first line arrived within the packet.
        broken: bool,
        /// With `done`: bytes of data in the packet, at most those announced by Packet Size.
        bytes: u16 : 12,
        /// With `done` of an IPUSH packet, and with `ring_room`: first byte of its message, an offset in the
        /// region.
        first_address: u32,
        /// The ring has room for the rest of a message, which begins when its head has been written; to
        /// Receive Controller.
        ring_room: bool,
        /// Reads the AMT entry of the sender, to LLCM.
        llcm_read_enable: bool,
        /// Bytes of the AMT entry to write, to LLCM; 0 writes nothing.
        llcm_byte_enable: u8,
        /// The new Tail, in both halves, to LLCM.
        llcm_wdata: u64,
        /// Word that is read or written in the receiving process's LLCM.
        llcm_entry: u16 : 12,
        /// State number of the read control, for Module State.
        read_control_state: u8 : 2,
        /// State number of the write control, for Module State.
        write_control_state: u8 : 3,
        /// Progress of a local store, to Window Controller.
        vector_store_status: VectorStoreStatus,
        /// State number of the stride, for Module State.
        stride_state: u8 : 2,
        /// List to read, to Prefetch Unit.
        list_request: ListRequest,
        /// Reads two offsets of the list, to Prefetch Unit.
        list_read_enable: bool,
        /// Row of 8 bytes in the list, to Prefetch Unit.
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
