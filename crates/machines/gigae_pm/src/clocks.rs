//! Clocks of the card.

use cluster::Clocks;

/// The clocks of the card.
pub const CLOCKS: Clocks = Clocks::of(&gigae_pm::clocks::CLOCKS);
/// Number of the core clock.
pub const CORE: usize = 0;
/// Number of the network clock.
pub const NETWORK: usize = 1;
