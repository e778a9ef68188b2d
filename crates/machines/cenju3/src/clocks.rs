//! Clocks of the NIF.

use cluster::Clocks;

/// The clock of the NIF.
pub const CLOCKS: Clocks = Clocks::of(&cenju3::clocks::CLOCKS);
/// Number of the NIF's clock.
pub const CORE: usize = 0;
