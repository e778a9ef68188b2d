//! The clocks of a device, and sets of clocks that rise at the same instant.
//!
//! A device declares its clocks in one table. The first clock is the default of every block, and time is
//! reported in its cycles, both by lockstep and on the command line.

/// Most clocks of a device: a set of clocks is one byte.
pub const MOST_CLOCKS: usize = 8;

/// A clock of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Name in Rust and in reports, for instance `core`.
    pub name: &'static str,
    /// Port of the RTL: `clk_i` for the first clock, `<name>_clk_i` for the others.
    pub port: &'static str,
    /// Period in picoseconds.
    pub period_ps: u64,
    /// Blocks driven by the clock, and source of the period.
    pub doc: &'static str,
}

/// Set of a device's clocks that rise at one instant: bit n is clock n of its table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Edges(u8);

impl Edges {
    /// The empty set.
    pub const NONE: Edges = Edges(0);
    /// The first clock alone.
    pub const FIRST: Edges = Edges::of(0);

    /// Set of one clock, given by its index in the table.
    #[inline(always)]
    pub const fn of(clock: usize) -> Edges {
        assert!(clock < MOST_CLOCKS, "a device has eight clocks at most");
        Edges(1 << clock)
    }

    /// Set of all clocks of a table of `count`.
    #[inline]
    pub const fn all(count: usize) -> Edges {
        assert!(count <= MOST_CLOCKS, "a device has eight clocks at most");
        Edges(((1u16 << count) - 1) as u8)
    }

    /// The clocks of `clocks` that rise at `time_ps`, given that all of them rise together at 0.
    pub fn at(clocks: &[Clock], time_ps: u64) -> Edges {
        let rises = |(n, clock): (usize, &Clock)| Edges::of(n).when(time_ps.is_multiple_of(clock.period_ps));
        clocks.iter().enumerate().map(rises).fold(Edges::NONE, Edges::with)
    }

    /// The set as bits: bit n is clock n.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set with these bits: bit n is clock n.
    #[inline(always)]
    pub const fn from_bits(bits: u8) -> Edges {
        Edges(bits)
    }

    /// Union of two sets.
    #[inline(always)]
    pub const fn with(self, other: Edges) -> Edges {
        Edges(self.0 | other.0)
    }

    /// Intersection of two sets.
    #[inline(always)]
    pub const fn and(self, other: Edges) -> Edges {
        Edges(self.0 & other.0)
    }

    /// The clocks of this set that are not in `other`.
    #[inline(always)]
    pub const fn without(self, other: Edges) -> Edges {
        Edges(self.0 & !other.0)
    }

    /// This set if `rises`, otherwise the empty set.
    #[inline(always)]
    pub const fn when(self, rises: bool) -> Edges {
        if rises { self } else { Edges::NONE }
    }

    /// Whether the sets have a clock in common.
    #[inline(always)]
    pub const fn meets(self, other: Edges) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the set is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Table indices of the clocks in the set, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..MOST_CLOCKS).filter(move |&clock| self.meets(Edges::of(clock)))
    }
}

/// The instants at which any of several clocks in phase rises; time 0 is not one of them.
#[derive(Clone, Copy, Debug)]
pub struct Instants {
    clocks: &'static [Clock],
    /// Time of the last instant in picoseconds.
    pub now: u64,
}

impl Instants {
    /// The instants of a table of clocks, from time 0 on.
    pub const fn new(clocks: &'static [Clock]) -> Self {
        Self { clocks, now: 0 }
    }

    /// Advances to the next instant and returns the clocks that rise at it.
    #[inline]
    pub fn next_edges(&mut self) -> Edges {
        let after = |clock: &Clock| (self.now / clock.period_ps + 1) * clock.period_ps;
        self.now = self.clocks.iter().map(after).min().expect("a device has a clock");
        Edges::at(self.clocks, self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn clock(name: &'static str, port: &'static str, period_ps: u64) -> Clock {
        Clock { name, port, period_ps, doc: "" }
    }

    static CLOCKS: [Clock; 3] =
        [clock("core", "clk_i", 10), clock("network", "network_clk_i", 8), clock("bus", "bus_clk_i", 20)];

    #[test]
    fn set_of_clocks_has_the_bits_of_their_indices() {
        let (core, network) = (Edges::of(0), Edges::of(1));
        let both = core.with(network);
        assert_eq!((both.bits(), Edges::from_bits(3)), (3, both));
        assert!(both.meets(network) && !core.meets(network) && !Edges::NONE.meets(both));
        assert!(network.when(false).is_empty() && !network.when(true).is_empty());
        assert_eq!(Edges::all(MOST_CLOCKS).bits(), 0xff);
        assert_eq!(Edges::all(0), Edges::default());
        assert_eq!(Edges::from_bits(0b1000_0101).iter().collect::<Vec<_>>(), [0, 2, 7]);
    }

    #[test]
    fn clocks_in_phase_rise_together_at_every_common_multiple() {
        let mut instants = Instants::new(&CLOCKS);
        let walked: Vec<_> = (0..10).map(|_| (instants.next_edges().bits(), instants.now)).collect();
        let expected = [
            (0b010, 8),
            (0b001, 10),
            (0b010, 16),
            (0b101, 20),
            (0b010, 24),
            (0b001, 30),
            (0b010, 32),
            (0b111, 40),
            (0b010, 48),
            (0b001, 50),
        ];
        assert_eq!(walked, expected);
    }
}
