//! The pins of the card: PCI as target and as master, and GMII.

use hdl::{Bundle, Item, Package};

hdl::bundle! {
    /// One access of the host to the card, a PCI target: a word of 32 bits.
    pub struct HostIn in gigae_pm_pkg {
        /// Word to write.
        wdata: u32,
        /// Byte address in the card's aperture, a multiple of 4 (decision 0028).
        address: u16 : 14,
        /// The host accesses the card in this cycle.
        enable: bool,
        /// The access writes; otherwise it reads, and `rdata` follows two cycles later.
        write: bool,
        /// The access is by a user process, which may only read the window.
        user: bool,
    }
}

hdl::bundle! {
    /// Answers to the host.
    pub struct HostOut in gigae_pm_pkg {
        /// Word of the read two cycles earlier; stays until the next one.
        rdata: u32,
        /// An interrupt cause is set and enabled.
        interrupt_request: bool,
    }
}

hdl::bundle! {
    /// From the PCI bus to the card as master.
    pub struct BusIn in gigae_pm_pkg {
        /// Word of host memory at `address`, with `ready`.
        rdata: u32,
        /// The card has the bus from this cycle on.
        grant: bool,
        /// The word at `address` is transferred in this cycle.
        ready: bool,
    }
}

hdl::bundle! {
    /// From the card as master to the PCI bus.
    pub struct BusOut in gigae_pm_pkg {
        /// Word for host memory.
        wdata: u32,
        /// Byte address in host memory, a multiple of 4.
        address: u32,
        /// The card requests the bus, and keeps it until this falls.
        request: bool,
        /// Words are transferred: each in a cycle with `ready`.
        transfer: bool,
        /// Direction: to host memory; otherwise from it.
        write: bool,
    }
}

hdl::bundle! {
    /// From the physical layer (GMII), network clock.
    pub struct NetworkIn in gigae_pm_pkg {
        /// Byte of a frame, preamble included.
        rx_data: u8,
        /// `rx_data` holds a byte.
        rx_valid: bool,
        /// The byte was received with an error.
        rx_error: bool,
    }
}

hdl::bundle! {
    /// To the physical layer (GMII), network clock.
    pub struct NetworkOut in gigae_pm_pkg {
        /// Byte of a frame, preamble included.
        tx_data: u8,
        /// `tx_data` holds a byte.
        tx_enable: bool,
    }
}

hdl::bundle! {
    /// All input pins of the card.
    pub struct In in gigae_pm_pkg {
        /// PCI target.
        host: HostIn,
        /// PCI master.
        bus: BusIn,
        /// Physical layer.
        network: NetworkIn,
    }
}

hdl::bundle! {
    /// All output pins of the card.
    pub struct Out in gigae_pm_pkg {
        /// PCI target.
        host: HostOut,
        /// PCI master.
        bus: BusOut,
        /// Physical layer.
        network: NetworkOut,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/gigae_pm_pkg",
    source: file!(),
    items: &[
        Item::Bundle(HostIn::TABLE),
        Item::Bundle(HostOut::TABLE),
        Item::Bundle(BusIn::TABLE),
        Item::Bundle(BusOut::TABLE),
        Item::Bundle(NetworkIn::TABLE),
        Item::Bundle(NetworkOut::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};
