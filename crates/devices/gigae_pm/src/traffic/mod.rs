//! Surroundings for a card: hosts, cables, a second card, and random traffic for lockstep runs and benches.

pub mod host;
pub mod pair;
mod random;
pub mod wire;

pub use random::Traffic;

use crate::clocks::CLOCKS;

/// Period of the card's clock in picoseconds.
pub const CORE_PS: u64 = CLOCKS[0].period_ps;
