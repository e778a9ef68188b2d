//! The pins of the adapter: PCI as target and as master, and words of the link.

use hdl::{Bundle, Item, Package};

hdl::bundle! {
    /// One access of the host to the adapter, a PCI target: a word of 32 bits.
    pub struct HostIn in hca_pkg {
        /// Word to write.
        wdata: u32,
        /// Byte address in the adapter's aperture, a multiple of 4 (decision 0060).
        address: u16 : 14,
        /// The host makes an access in this cycle.
        enable: bool,
        /// The access writes; otherwise it reads, and `rdata` follows a cycle later.
        write: bool,
        /// A user process makes the access: it may only write doorbells.
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
        /// Bytes of the word that are written, a bit each.
        byte_enable: u8,
        /// The adapter requests the bus and keeps it until this falls.
        request: bool,
        /// A word is offered or requested; it is transferred in a cycle with `ready`.
        transfer: bool,
        /// Direction: to host memory, otherwise from it.
        write: bool,
    }
}

hdl::bundle! {
    /// From the link layer.
    pub struct LinkIn in hca_pkg {
        /// Word of an arriving packet; byte 0, bits 7:0, was first on the cable.
        data: u64,
        /// The word is the last one of its packet.
        last: bool,
        /// `data` is valid; it is taken in a cycle with `receive_ready`.
        valid: bool,
        /// The word of the packet that is sent is taken in this cycle.
        transmit_ready: bool,
    }
}

hdl::bundle! {
    /// To the link layer.
    pub struct LinkOut in hca_pkg {
        /// Word of a packet that is sent.
        data: u64,
        /// The word is the last one of its packet.
        last: bool,
        /// `data` is valid.
        valid: bool,
        /// The arriving word is taken in this cycle.
        receive_ready: bool,
    }
}

hdl::bundle! {
    /// All input pins of the adapter.
    pub struct In in hca_pkg {
        /// Access of the host: PCI target.
        host: HostIn,
        /// Bus: PCI master.
        bus: BusIn,
        /// Words of the link.
        link: LinkIn,
    }
}

hdl::bundle! {
    /// All output pins of the adapter.
    pub struct Out in hca_pkg {
        /// Access of the host: PCI target.
        host: HostOut,
        /// Bus: PCI master.
        bus: BusOut,
        /// Words of the link.
        link: LinkOut,
    }
}

/// Generated package.
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
