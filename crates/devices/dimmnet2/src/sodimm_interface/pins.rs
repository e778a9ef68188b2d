//! Pins of the DDR SO-DIMM Interface (thesis sections 4.1, 4.5.6 and table 7.4).

use hdl::{Bundle, Item, Package};

use crate::pins::{MemoryIn, MemoryOut};
use crate::prefetch_unit::pins::{MemoryData, MemoryRead};
use crate::write_unit::pins::MemoryWord;

hdl::bundle! {
    /// Input pins of the SO-DIMM interface.
    pub struct In in sodimm_interface_pkg {
        /// From Write Unit.
        write_right_request: bool,
        /// From Write Unit.
        word: MemoryWord,
        /// From Prefetch Unit.
        read_right_request: bool,
        /// From Prefetch Unit.
        read: MemoryRead,
        /// From Prefetch Unit: takes a word that SO-DIMM1 has read; with `data_next1` both, or none.
        data_next0: bool,
        /// From Prefetch Unit: takes a word that SO-DIMM2 has read.
        data_next1: bool,
        /// SO-DIMM access is enabled; while it is not, words go nowhere and what is read is 0.
        sodimm_enabled: bool,
        /// From SO-DIMM1.
        memory0: MemoryIn,
        /// From SO-DIMM2.
        memory1: MemoryIn,
    }
}

hdl::bundle! {
    /// Output pins of the SO-DIMM interface.
    pub struct Out in sodimm_interface_pkg {
        /// To Write Unit: it has the right to write.
        write_right: bool,
        /// To Prefetch Unit: it has the right to read.
        read_right: bool,
        /// To both: after a word in this cycle there may be room for fewer than four more.
        almost_full: bool,
        /// To both: all words of the cycles before are in the SO-DIMMs, or on their way back from there; says
        /// nothing of a word in this cycle.
        idle: bool,
        /// To Prefetch Unit.
        data: MemoryData,
        /// To SO-DIMM1.
        memory0: MemoryOut,
        /// To SO-DIMM2.
        memory1: MemoryOut,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/sodimm_interface/sodimm_interface_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};
