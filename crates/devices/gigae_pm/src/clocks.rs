//! The two clocks of the card. They cross only in the FIFOs of the MAC.

use hdl::{Clock, Edges};

/// The core clock.
pub const CORE: Edges = Edges::of(0);
/// The network clock.
pub const NETWORK: Edges = Edges::of(1);
/// Both clocks.
pub const BOTH: Edges = CORE.with(NETWORK);

/// Both clocks, in phase at power-on.
pub static CLOCKS: [Clock; 2] = [
    Clock {
        name: "core",
        port: "clk_i",
        period_ps: 30_000,
        doc: "PCI bus, NIC memory and firmware: 33.33 MHz, the 0.03 us in which the card moves a word (paper, table 1).",
    },
    Clock {
        name: "network",
        port: "network_clk_i",
        period_ps: 8_000,
        doc: "GMII: 125 MHz, a byte of Gigabit Ethernet.",
    },
];
