//! Pins of the Core Logic (thesis section 4.2, figure 4.2).

use hdl::{Bundle, Item, Package};

use crate::line::Line;
use crate::pins::HostIn;
use crate::prefetch_unit::pins::{MemoryData, MemoryRead};
use crate::write_unit::pins::MemoryWord;

hdl::bundle! {
    /// Input pins of the Core Logic.
    pub struct In in core_logic_pkg {
        /// Host bus.
        host: HostIn,
        /// From SWIF: the line taken most recently.
        line: Line,
        /// From SWIF: at least one whole packet is in the receive FIFO.
        packet_available: bool,
        /// From SWIF: lines that the SWIF FIFO can still take.
        swif_fifo_free: u16 : 11,
        /// From SWIF: LID from the Subnet Manager.
        sma_lid: u16,
        /// From SWIF: link status, 2'b11 when the link is usable.
        link_status: u8 : 2,
        /// From the SO-DIMM interface: the Write Unit has the right to write.
        write_right: bool,
        /// From the SO-DIMM interface: the FIFO is almost full.
        sodimm_almost_full: bool,
        /// From the SO-DIMM interface: all words are in the SO-DIMMs.
        sodimm_idle: bool,
        /// From the SO-DIMM interface: the Prefetch Unit has the right to read.
        read_right: bool,
        /// From the SO-DIMM interface: words read.
        data: MemoryData,
    }
}

hdl::bundle! {
    /// Output pins of the Core Logic.
    pub struct Out in core_logic_pkg {
        /// To the host bus: data of the read one cycle earlier.
        rdata: u128,
        /// To SWIF: line of a packet.
        line: Line,
        /// To SWIF: writes `line` into the SWIF FIFO.
        line_enable: bool,
        /// To SWIF: takes the first line of the next received packet.
        packet_start: bool,
        /// To SWIF: takes the next line of the present packet.
        line_next: bool,
        /// To the SO-DIMM interface: requests the right to write.
        write_right_request: bool,
        /// To the SO-DIMM interface: word to write.
        word: MemoryWord,
        /// To the SO-DIMM interface: requests the right to read.
        read_right_request: bool,
        /// To the SO-DIMM interface: word to read.
        read: MemoryRead,
        /// To the SO-DIMM interface: takes a word of SO-DIMM1.
        data_next0: bool,
        /// To the SO-DIMM interface: takes a word of SO-DIMM2.
        data_next1: bool,
        /// To the SO-DIMM interface: access is enabled.
        sodimm_enabled: bool,
        /// To SWIF and the SO-DIMM interface: resets them; high for eight cycles.
        controller_reset: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/core_logic/core_logic_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};
