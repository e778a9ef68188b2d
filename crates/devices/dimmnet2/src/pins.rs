//! The pins of the board: host bus, SO-DIMM slots, network.

use crate::line::Line;
use hdl::{Bundle, Item, Package};

hdl::bundle! {
    /// One beat of the host bus after the DDR Host Interface: 128 bits per core cycle.
    pub struct HostIn in pins_pkg {
        /// Data to write; the low 64 bits go to the Even bank (address bit 3 = 0).
        wdata: u128,
        /// Bytes of `wdata` to write; bit 0 is the lowest address.
        byte_enable: u16,
        /// Byte address on the board, a multiple of 16; bits 19:16 select the area (thesis table 4.3).
        address: u32 : 20,
        /// There is a beat in this cycle.
        enable: bool,
        /// The beat writes; otherwise it reads and `rdata` follows one cycle later.
        write: bool,
    }
}

hdl::bundle! {
    /// Answers to the host bus.
    pub struct HostOut in pins_pkg {
        /// Data of the read one cycle earlier; stays until the next read.
        rdata: u128,
    }
}

hdl::bundle! {
    /// From one SO-DIMM.
    pub struct MemoryIn in pins_pkg {
        /// The module takes a command in this cycle; low for instance while it refreshes.
        ready: bool,
        /// Burst of the read that was taken two cycles earlier (CAS latency 2, decision 0016).
        rdata: u128,
    }
}

hdl::bundle! {
    /// To one SO-DIMM: bursts of length 2, so 16 bytes per core cycle.
    pub struct MemoryOut in pins_pkg {
        /// Data to write.
        wdata: u128,
        /// Burst address in the module, in units of 16 bytes.
        address: u32 : 29,
        /// Bytes of `wdata` to write; bit 0 is the lowest address.
        byte_enable: u16,
        /// Writes the burst; it is taken in a cycle with `ready`, and held until then.
        write: bool,
        /// Reads the burst; taken like a write. Never together with `write`.
        read: bool,
    }
}

hdl::bundle! {
    /// From the InfiniBand link and its management, network clock.
    pub struct NetworkIn in pins_pkg {
        /// Line from the link.
        rx_line: Line,
        /// There is a line on `rx_line`.
        rx_valid: bool,
        /// The link takes the line on `tx_line` in this cycle.
        tx_ready: bool,
        /// LID that the Subnet Manager gave to this port; 0 before that.
        sma_lid: u16,
        /// SWIF status, 2'b11 when the link is usable (thesis appendix B).
        link_status: u8 : 2,
    }
}

hdl::bundle! {
    /// To the InfiniBand link, network clock.
    pub struct NetworkOut in pins_pkg {
        /// Line to the link.
        tx_line: Line,
        /// There is a line on `tx_line`; it stays until `tx_ready`.
        tx_valid: bool,
        /// There is room for the longest frame and for what is still under way on the link; a frame may start.
        rx_ready: bool,
    }
}

hdl::bundle! {
    /// All input pins of the board.
    pub struct In in pins_pkg {
        /// Host bus.
        host: HostIn,
        /// SO-DIMM1, which holds bytes 0-7 of every 16.
        memory0: MemoryIn,
        /// SO-DIMM2, which holds bytes 8-15 of every 16.
        memory1: MemoryIn,
        /// Network.
        network: NetworkIn,
    }
}

hdl::bundle! {
    /// All output pins of the board.
    pub struct Out in pins_pkg {
        /// Host bus.
        host: HostOut,
        /// SO-DIMM1.
        memory0: MemoryOut,
        /// SO-DIMM2.
        memory1: MemoryOut,
        /// Network.
        network: NetworkOut,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/pins_pkg",
    source: file!(),
    items: &[
        Item::Bundle(HostIn::TABLE),
        Item::Bundle(HostOut::TABLE),
        Item::Bundle(MemoryIn::TABLE),
        Item::Bundle(MemoryOut::TABLE),
        Item::Bundle(NetworkIn::TABLE),
        Item::Bundle(NetworkOut::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};
