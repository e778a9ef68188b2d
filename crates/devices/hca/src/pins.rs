//! The pins of the adapter: PCI as target and as master, and words of the link.

use hdl::{Bundle, Item, Package};

hdl::bundle! {
    /// One access of the host to the adapter, a PCI target: a word of 32 bits.
    pub struct HostIn in hca_pkg {
        /// Word to write.
        wdata: u32,
        /// Byte address in the adapter's aperture, a multiple of 4 (decision 0060).
        address: u16 : 14,
        /// There is an access in this cycle.
        enable: bool,
        /// It writes; otherwise it reads and `rdata` follows a cycle later.
        write: bool,
        /// A user process makes it: it may write doorbells and nothing else.
        user: bool,
    }
}

hdl::bundle! {
    /// Answers to the host.
    pub struct HostOut in hca_pkg {
        /// Word of the last read.
        rdata: u32,
        /// An interrupt cause is set and enabled.
        interrupt_request: bool,
    }
}

hdl::bundle! {
    /// From the PCI bus to the adapter as master.
    pub struct BusIn in hca_pkg {
        /// Word of host memory at `address`, with `ready`; byte 0 is bits 7:0.
        rdata: u64,
        /// The adapter has the bus from this cycle on.
        grant: bool,
        /// The word at `address` is transferred in this cycle.
        ready: bool,
    }
}

hdl::bundle! {
    /// From the adapter as master to the PCI bus.
    pub struct BusOut in hca_pkg {
        /// Word for host memory.
        wdata: u64,
        /// Byte address in host memory, a multiple of 8.
        address: u32,
        /// Bytes of the word that are written.
        byte_enable: u8,
        /// The adapter wants the bus, and keeps it until this falls.
        request: bool,
        /// Words are transferred: each in a cycle with `ready`.
        transfer: bool,
        /// To host memory; otherwise from it.
        write: bool,
    }
}

hdl::bundle! {
    /// From the link layer.
    pub struct LinkIn in hca_pkg {
        /// Word of a packet that arrives; byte 0, bits 7:0, was first on the cable.
        data: u64,
        /// It is the last one of its packet.
        last: bool,
        /// There is a word on `data`; it is taken in a cycle with `receive_ready`.
        valid: bool,
        /// The word that leaves is taken in this cycle.
        transmit_ready: bool,
    }
}

hdl::bundle! {
    /// To the link layer.
    pub struct LinkOut in hca_pkg {
        /// Word of a packet that leaves.
        data: u64,
        /// It is the last one of its packet.
        last: bool,
        /// There is a word on `data`.
        valid: bool,
        /// A word that arrives is taken.
        receive_ready: bool,
    }
}

hdl::bundle! {
    /// All input pins of the adapter.
    pub struct In in hca_pkg {
        /// PCI target.
        host: HostIn,
        /// PCI master.
        bus: BusIn,
        /// Link.
        link: LinkIn,
    }
}

hdl::bundle! {
    /// All output pins of the adapter.
    pub struct Out in hca_pkg {
        /// PCI target.
        host: HostOut,
        /// PCI master.
        bus: BusOut,
        /// Link.
        link: LinkOut,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "hca/hca_pkg",
    source: file!(),
    items: &[
        Item::Bundle(HostIn::TABLE),
        Item::Bundle(HostOut::TABLE),
        Item::Bundle(BusIn::TABLE),
        Item::Bundle(BusOut::TABLE),
        Item::Bundle(LinkIn::TABLE),
        Item::Bundle(LinkOut::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};
