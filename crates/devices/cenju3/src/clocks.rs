//! The one clock of the NIF.

use hdl::{Clock, Edges};

/// The clock.
pub const CORE: Edges = Edges::of(0);

/// All clocks.
pub static CLOCKS: [Clock; 1] = [Clock {
    name: "core",
    port: "clk_i",
    period_ps: 13_333,
    doc: "75 MHz, the clock of the processors of the test system (paper, section 5); that of the NIF is not printed; ours.",
}];
