//! Clocks of the adapter.

use cluster::Clocks;

/// The clock of the adapter.
pub const CLOCKS: Clocks = Clocks::of(&hca::clocks::CLOCKS);
/// Number of the adapter's clock.
pub const CORE: usize = 0;
