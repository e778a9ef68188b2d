//! Clocks of the board.

use cluster::Clocks;

/// The clocks of the board.
pub const CLOCKS: Clocks = Clocks::of(&dimmnet2::clocks::CLOCKS);
/// Number of the core clock.
pub const CORE: usize = 0;
/// Number of the network clock.
pub const NETWORK: usize = 1;
