//! The pins of the NIF: registers for the host, local memory, the link to the network.

use hdl::{Bundle, Item, Package};

hdl::bundle! {
    /// One access of the host to a register: a word of 32 bits.
    pub struct HostIn in cenju3_pkg {
        /// Word to write.
        wdata: u32,
        /// Byte offset of the register, a multiple of 4.
        address: u16 : 12,
        /// There is an access in this cycle.
        enable: bool,
        /// It writes; otherwise it reads, and `rdata` follows one cycle later.
        write: bool,
    }
}

hdl::bundle! {
    /// Answers to the host.
    pub struct HostOut in cenju3_pkg {
        /// Word of the last read; stays until the next one.
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
        /// The word at `address` is transferred in this cycle. Only with `request`.
        ready: bool,
    }
}

hdl::bundle! {
    /// To local memory, whose master the NIF is.
    pub struct MemoryOut in cenju3_pkg {
        /// Word to write.
        wdata: u64,
        /// Byte address, a multiple of 8 below 64 MB; the next one of a burst is 8 more.
        address: u32,
        /// Bytes of the word that are written; bit 0 is the one of the lowest address.
        strobe: u8,
        /// Words of the burst that are left, this one included. `request` falls for at least a cycle behind a burst.
        left: u8 : 6,
        /// To memory; otherwise from it.
        write: bool,
        /// There is a word to transfer. It and all other pins here stay until `ready`.
        request: bool,
    }
}

impl MemoryOut {
    /// What a block asks that reads the word at `address`, with `left` words of its burst left.
    #[inline(always)]
    pub fn read(request: bool, address: u32, left: u8) -> Self {
        Self { wdata: 0, address, strobe: 0, left, write: false, request }
    }
}

hdl::bundle! {
    /// A word of a packet on a link.
    pub struct LinkWord in cenju3_pkg {
        /// Eight bytes, that of the lowest address in bits 7 to 0.
        data: u64,
        /// The last word of its packet.
        last: bool,
    }
}

hdl::bundle! {
    /// All input pins of the NIF.
    pub struct In in cenju3_pkg {
        /// The ROM is the new one, with kernel queue and user queue (paper, section 6.4). Stays.
        new_rom: bool,
        /// Registers.
        host: HostIn,
        /// Local memory.
        memory: MemoryIn,
        /// From the network: there is a word in `receive`.
        receive_valid: bool,
        /// From the network: the word.
        receive: LinkWord,
        /// From the network: it takes the word in `transmit`.
        transmit_ready: bool,
    }
}

hdl::bundle! {
    /// All output pins of the NIF.
    pub struct Out in cenju3_pkg {
        /// Registers.
        host: HostOut,
        /// Local memory.
        memory: MemoryOut,
        /// To the network: the word in `receive` is taken.
        receive_ready: bool,
        /// To the network: there is a word in `transmit`; it stays until it is taken.
        transmit_valid: bool,
        /// To the network: the word.
        transmit: LinkWord,
    }
}

/// The generated package.
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
