//! Surroundings for a card: hosts, cables, a second card, and random traffic for lockstep runs and benches.

pub mod host;
pub mod pair;
mod random;
pub mod wire;

use hdl::Edges;

pub use random::Traffic;

/// Period of the card's clock in picoseconds: the 0.03 us that table 1 of the paper charges for a word.
pub const CORE_PS: u64 = 30_000;
/// Period of the network clock: a byte of Gigabit Ethernet.
pub const NETWORK_PS: u64 = 8_000;

/// The instants at which clocks rise; none does at the beginning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Instants {
    /// Time of the last instant in picoseconds.
    pub now: u64,
}

impl Instants {
    /// Moves to the next instant: the clocks that rise then.
    #[inline]
    pub fn next_edges(&mut self) -> Edges {
        let after = |period: u64| (self.now / period + 1) * period;
        self.now = after(CORE_PS).min(after(NETWORK_PS));
        Edges { core: self.now.is_multiple_of(CORE_PS), network: self.now.is_multiple_of(NETWORK_PS) }
    }
}
