//! The clock of the adapter.

use hdl::{Clock, Edges};

/// Clock of the whole adapter: 125 MHz.
pub const CORE: Edges = Edges::of(0);

/// Table of the clocks.
pub static CLOCKS: [Clock; 1] = [Clock {
    name: "core",
    port: "clk_i",
    period_ps: 8_000,
    doc: "Everything: 125 MHz, a word of 8 bytes of a 4X link (10 Gbit/s, 8 Gbit/s of data) a cycle (decision 0060).",
}];
