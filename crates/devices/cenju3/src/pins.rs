//! The pins of the NIF: registers for the host, local memory, the link to the network.

use hdl::{Bundle, Item, Package};

hdl::bundle! {
    /// One access of the host to a register: a word of 32 bits.
    pub struct HostIn in cenju3_pkg {
        /// Word that is written.
        wdata: u32,
        /// Byte offset of the register, a multiple of 4.
        address: u16 : 12,
        /// The host makes an access in this cycle.
        enable: bool,
        /// The access writes; otherwise it reads, and `rdata` follows a cycle later.
        write: bool,
    }
}

hdl::bundle! {
    /// Answers to the host.
    pub struct HostOut in cenju3_pkg {
        /// Word of the last read; stable until the next one.
        rdata: u32,
        /// An interrupt cause is set and enabled.
        interrupt_request: bool,
    }
}

hdl::bundle! {
    /// From local memory.
    pub struct MemoryIn in cenju3_pkg {
        /// Word at `address`, with `ready`.
        rdata: u64,
        /// The word at `address` is transferred in this cycle; only with `request`.
        ready: bool,
    }
}

hdl::bundle! {
    /// To local memory; the NIF is its master.
    pub struct MemoryOut in cenju3_pkg {
        /// Word that is written.
        wdata: u64,
        /// Byte address, a multiple of 8 below 64 MB; the next one of a burst is 8 more.
        address: u32,
        /// Bytes of the word that are written, a bit each; bit 0 is the lowest address.
        strobe: u8,
        /// Words left in the burst, this one included. `request` falls for at least a cycle after a burst.
        left: u8 : 6,
        /// Direction: to memory, otherwise from it.
        write: bool,
        /// A word is to be transferred. This and all other pins of the bundle are stable until `ready`.
        request: bool,
    }
}

impl MemoryOut {
    /// Request that reads the word at `address`, with `left` words left in the burst.
    #[inline(always)]
    pub fn read(request: bool, address: u32, left: u8) -> Self {
        Self { wdata: 0, address, strobe: 0, left, write: false, request }
    }
}

hdl::bundle! {
    /// A word of a packet on a link.
    pub struct LinkWord in cenju3_pkg {
        /// Eight bytes; the lowest address is bits 7 to 0.
        data: u64,
        /// Last word of its packet.
        last: bool,
    }
}

hdl::bundle! {
    /// All input pins of the NIF.
    pub struct In in cenju3_pkg {
        /// The ROM is the new one, with kernel queue and user queue (paper, section 6.4); constant.
        new_rom: bool,
        /// Registers.
        host: HostIn,
        /// Pins of local memory.
        memory: MemoryIn,
        /// From the network: `receive` is valid.
        receive_valid: bool,
        /// From the network: word of an arriving packet.
        receive: LinkWord,
        /// From the network: the word in `transmit` is taken.
        transmit_ready: bool,
    }
}

hdl::bundle! {
    /// All output pins of the NIF.
    pub struct Out in cenju3_pkg {
        /// Registers.
        host: HostOut,
        /// Pins of local memory.
        memory: MemoryOut,
        /// To the network: the word in `receive` is taken.
        receive_ready: bool,
        /// To the network: `transmit` is valid, and stable until it is taken.
        transmit_valid: bool,
        /// To the network: the word.
        transmit: LinkWord,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/cenju3_pkg",
    source: file!(),
    items: &[
        Item::Bundle(HostIn::TABLE),
        Item::Bundle(HostOut::TABLE),
        Item::Bundle(MemoryIn::TABLE),
        Item::Bundle(MemoryOut::TABLE),
        Item::Bundle(LinkWord::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};
