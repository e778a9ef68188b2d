//! The clocks of a device, and which of them rise at an instant.
//!
//! A device declares its clocks in one table. The first is the clock that a block has unless it says otherwise, and the
//! one in whose cycles time is told: in reports of lockstep and on the command line.

/// Clocks of a device at most: a set of them is a byte.
pub const MOST_CLOCKS: usize = 8;

/// A clock of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Name in Rust and in reports, for instance `core`.
    pub name: &'static str,
    /// Port of the RTL: `clk_i` for the first clock, `<name>_clk_i` for the others.
    pub port: &'static str,
    /// From one rising edge to the next, in picoseconds.
    pub period_ps: u64,
    /// What runs with it, and where the period is from.
    pub doc: &'static str,
}

/// Which clocks of a device rise at one instant: bit n is clock n of its table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Edges(u8);

impl Edges {
    /// No clock.
    pub const NONE: Edges = Edges(0);
    /// The first clock alone.
    pub const FIRST: Edges = Edges::of(0);

    /// One clock, by its place in the table.
    #[inline(always)]
    pub const fn of(clock: usize) -> Edges {
        assert!(clock < MOST_CLOCKS, "a device has eight clocks at most");
        Edges(1 << clock)
    }

    /// All clocks of a table of so many.
    #[inline]
    pub const fn all(count: usize) -> Edges {
        assert!(count <= MOST_CLOCKS, "a device has eight clocks at most");
        Edges(((1u16 << count) - 1) as u8)
    }

    /// The clocks of `clocks` that rise at `time_ps`, if all of them rise together at 0.
    pub fn at(clocks: &[Clock], time_ps: u64) -> Edges {
        let rises = |(n, clock): (usize, &Clock)| Edges::of(n).when(time_ps.is_multiple_of(clock.period_ps));
        clocks.iter().enumerate().map(rises).fold(Edges::NONE, Edges::with)
    }

    /// Bit n is clock n.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set of these bits.
    #[inline(always)]
    pub const fn from_bits(bits: u8) -> Edges {
        Edges(bits)
    }

    /// The clocks of both.
    #[inline(always)]
    pub const fn with(self, other: Edges) -> Edges {
        Edges(self.0 | other.0)
    }

    /// The clocks that are in both.
    #[inline(always)]
    pub const fn and(self, other: Edges) -> Edges {
        Edges(self.0 & other.0)
    }

    /// The clocks of these that are not in `other`.
    #[inline(always)]
    pub const fn without(self, other: Edges) -> Edges {
        Edges(self.0 & !other.0)
    }

    /// These clocks if `rises`, else none.
    #[inline(always)]
    pub const fn when(self, rises: bool) -> Edges {
        if rises { self } else { Edges::NONE }
    }

    /// Whether a clock is in both.
    #[inline(always)]
    pub const fn meets(self, other: Edges) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether no clock rises.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The places of the clocks in the table, in its order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..MOST_CLOCKS).filter(move |&clock| self.meets(Edges::of(clock)))
    }
}

/// The instants at which clocks rise that are in phase; none does at the beginning.
#[derive(Clone, Copy, Debug)]
pub struct Instants {
    clocks: &'static [Clock],
    /// Time of the last instant in picoseconds.
    pub now: u64,
}

impl Instants {
    /// The instants of a table of clocks.
    pub const fn new(clocks: &'static [Clock]) -> Self {
        Self { clocks, now: 0 }
    }

    /// Moves to the next instant: the clocks that rise then.
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
    fn set_of_clocks_is_the_bits_of_their_places() {
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
