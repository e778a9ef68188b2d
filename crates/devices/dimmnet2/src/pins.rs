//! The pins of the board: host bus, SO-DIMM slots, network.

use crate::line::Line;
use hdl::{Bundle, Item, Package};

hdl::bundle! {
    /// One beat of the host bus, as the DDR Host Interface delivers it: 128 bits per core cycle.
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
    /// Input pins from one SO-DIMM.
    pub struct MemoryIn in pins_pkg {
        /// The module accepts a command in this cycle; low, for example, during a refresh.
        ready: bool,
        /// Burst of the read accepted two cycles earlier (CAS latency 2, decision 0016).
        rdata: u128,
    }
}

hdl::bundle! {
    /// Output pins to one SO-DIMM. Bursts have length 2, so each core cycle moves 16 bytes.
    pub struct MemoryOut in pins_pkg {
        /// Data to write.
        wdata: u128,
        /// Burst address in the module, in units of 16 bytes.
        address: u32 : 29,
        /// Bytes of `wdata` to write; bit 0 is the lowest address.
        byte_enable: u16,
        /// Writes the burst. Accepted in a cycle with `ready`; held until then.
        write: bool,
        /// Reads the burst. Accepted like a write; never set together with `write`.
        read: bool,
    }
}

hdl::bundle! {
    /// Input pins from the InfiniBand link and its management; network clock.
    pub struct NetworkIn in pins_pkg {
        /// Line from the link.
        rx_line: Line,
        /// `rx_line` is valid.
        rx_valid: bool,
        /// The link takes the line on `tx_line` in this cycle.
        tx_ready: bool,
        /// LID that the Subnet Manager has assigned to this port; 0 before that.
        sma_lid: u16,
        /// SWIF status, 2'b11 when the link is usable (thesis appendix B).
        link_status: u8 : 2,
    }
}

hdl::bundle! {
    /// Output pins to the InfiniBand link; network clock.
    pub struct NetworkOut in pins_pkg {
        /// Line to the link.
        tx_line: Line,
        /// `tx_line` is valid; the line is held until `tx_ready`.
        tx_valid: bool,
        /// The receive buffer has room for the longest frame and for the lines still in flight; a frame may
        /// start.
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
        /// InfiniBand link.
        network: NetworkIn,
    }
}

hdl::bundle! {
    /// All output pins of the board.
    pub struct Out in pins_pkg {
        /// Answers to the host bus.
        host: HostOut,
        /// SO-DIMM1.
        memory0: MemoryOut,
        /// SO-DIMM2.
        memory1: MemoryOut,
        /// InfiniBand link.
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
