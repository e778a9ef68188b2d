//! Clock of the NIF.

use hdl::{Clock, Edges};

/// Clock of the whole NIF: 75 MHz.
pub const CORE: Edges = Edges::of(0);

/// Table of the clocks.
pub static CLOCKS: [Clock; 1] = [Clock {
    name: "core",
    port: "clk_i",
    period_ps: 13_333,
    doc: "75 MHz, the clock of the processors of the test system (paper, section 5); that of the NIF is not printed; ours.",
}];
