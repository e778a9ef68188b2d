//! Pins of SWIF, the switch interface (thesis section 4.2).

use hdl::{Bundle, Item, Package};

use crate::line::Line;
use crate::pins::{NetworkIn, NetworkOut};

hdl::bundle! {
    /// Input pins of SWIF.
    pub struct In in swif_pkg {
        /// Line from Window Controller, core clock.
        line: Line,
        /// Writes `line` into the SWIF FIFO.
        line_enable: bool,
        /// Takes the first line of the next received packet, core clock.
        packet_start: bool,
        /// Takes the next line of the present packet; ignored when its last line is on `line`.
        line_next: bool,
        /// Resets both FIFOs and both state machines; core clock, high for eight cycles.
        controller_reset: bool,
        /// InfiniBand link, network clock.
        network: NetworkIn,
    }
}

hdl::bundle! {
    /// Output pins of SWIF.
    pub struct Out in swif_pkg {
        /// To Window Controller: lines that the SWIF FIFO can still take, core clock.
        fifo_free: u16 : 11,
        /// To Receive Controller and Write Unit: the line most recently taken, core clock.
        line: Line,
        /// To Receive Controller: at least one whole packet is in the receive FIFO, core clock.
        packet_available: bool,
        /// To the registers: LID from the Subnet Manager, core clock.
        sma_lid: u16,
        /// To the registers: SWIF status, core clock.
        link_status: u8 : 2,
        /// InfiniBand link, network clock.
        network: NetworkOut,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/swif/swif_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};
