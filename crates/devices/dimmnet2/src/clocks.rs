//! The two clocks of the board: core (100 MHz) and network (125 MHz). The FIFOs of SWIF are their only
//! crossing.

use hdl::{Clock, Edges};

/// The core clock: `clk_i`, 100 MHz.
pub const CORE: Edges = Edges::of(0);
/// The network clock: `network_clk_i`, 125 MHz.
pub const NETWORK: Edges = Edges::of(1);
/// An edge of both clocks at once.
pub const BOTH: Edges = CORE.with(NETWORK);

/// Both clocks, in phase at power-on.
pub static CLOCKS: [Clock; 2] = [
    Clock {
        name: "core",
        port: "clk_i",
        period_ps: 10_000,
        doc: "Core Logic, SO-DIMMs and host side: 100 MHz (thesis section 4.2).",
    },
    Clock {
        name: "network",
        port: "network_clk_i",
        period_ps: 8_000,
        doc: "SWIF and link: 125 MHz (thesis section 4.2: 2.5 Gbps over 20).",
    },
];
