//! Pins of the DDR SO-DIMM Interface (thesis sections 4.1, 4.5.6 and table 7.4).

use hdl::{Bundle, Item, Package};

use crate::pins::{MemoryIn, MemoryOut};
use crate::prefetch_unit::pins::{MemoryData, MemoryRead};
use crate::write_unit::pins::MemoryWord;

hdl::bundle! {
    /// Input pins of the SO-DIMM interface.
    pub struct In in sodimm_interface_pkg {
        /// Requests the right to write, from Write Unit.
        write_right_request: bool,
        /// Word to write, from Write Unit.
        word: MemoryWord,
        /// Requests the right to read, from Prefetch Unit.
        read_right_request: bool,
        /// Word to read, from Prefetch Unit.
        read: MemoryRead,
        /// Takes a word read from SO-DIMM1, from Prefetch Unit; with `data_next1` both words or none.
        data_next0: bool,
        /// Takes a word read from SO-DIMM2, from Prefetch Unit.
        data_next1: bool,
        /// SO-DIMM access is enabled; otherwise writes are discarded and reads return 0.
        sodimm_enabled: bool,
        /// SO-DIMM1 slot.
        memory0: MemoryIn,
        /// SO-DIMM2 slot.
        memory1: MemoryIn,
    }
}

hdl::bundle! {
    /// Output pins of the SO-DIMM interface.
    pub struct Out in sodimm_interface_pkg {
        /// The Write Unit has the right to write.
        write_right: bool,
        /// The Prefetch Unit has the right to read.
        read_right: bool,
        /// After a word in this cycle there may be room for fewer than four more.
        almost_full: bool,
        /// All words of earlier cycles are in the SO-DIMMs or on the way back from them; a word in this cycle
        /// is not covered.
        idle: bool,
        /// Words read, to Prefetch Unit.
        data: MemoryData,
        /// SO-DIMM1 slot.
        memory0: MemoryOut,
        /// SO-DIMM2 slot.
        memory1: MemoryOut,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/sodimm_interface/sodimm_interface_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};
