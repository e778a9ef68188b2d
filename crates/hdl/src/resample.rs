//! Incremental update of a sample after each edge.

use std::hint::black_box;

use crate::{Bundle, Edges, Kind, Probe, Role, Signal, SignalRole, Visitor, words_for};

/// Words of the largest sample that can be updated.
///
/// A bound known at compile time makes the position of every signal a constant, and an update a sequence of
/// loads and stores.
pub const MOST_WORDS: usize = 1024;

/// Words of a sample in a group of [`Changes`].
const GROUP: usize = u64::BITS as usize;

/// Blocks of the largest device, the device included.
const MOST_BLOCKS: usize = 128;

/// Words of the widest pins of a block.
const MOST_PINS: usize = 21;

/// Most clocks for which every set of clocks has a specialised traversal; beyond that, one traversal tests at
/// run time.
const MOST_COMPILED: usize = 3;

/// Stands for a set of clocks known only at run time.
const ANY: u8 = 0;

/// Signals of a device that are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// Registers, and the pins of every block, so that a wrong wire is named.
    #[default]
    Full,
    /// Registers, and the pins of the device. Pins of blocks are functions of registers, so nothing escapes for
    /// long: what a wrong wire changes is a register one cycle later.
    Lean,
}

impl Visibility {
    /// Whether a signal is compared.
    pub fn shows(self, signal: &Signal) -> bool {
        self == Self::Full || signal.block.is_empty() || matches!(signal.role, SignalRole::Register(_))
    }
}

/// The words of a sample that an edge has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    groups: [u64; MOST_WORDS / GROUP],
}

impl Changes {
    const NONE: Self = Self { groups: [0; MOST_WORDS / GROUP] };

    /// Calls `visit` with the place of each changed word, in ascending order.
    #[inline]
    pub fn for_each(&self, mut visit: impl FnMut(usize)) {
        for (group, &words) in self.groups.iter().enumerate() {
            let mut words = words;
            while words != 0 {
                visit(group * GROUP + words.trailing_zeros() as usize);
                words &= words - 1;
            }
        }
    }
}

/// Updates a sample after an edge of the clocks in `edges`, of a device with `CLOCKS` clocks; returns the words
/// that have changed. With [`Visibility::Lean`] the pins of blocks keep old values.
///
/// Signals of other clocks are skipped. So are the pins of a block in which no register, its children's
/// included, has changed: outputs are functions of registers.
///
/// With debug assertions nothing is skipped: in such builds the specialised code takes minutes to compile and
/// gains nothing.
#[inline]
pub fn resample<const CLOCKS: usize>(
    block: &impl Probe,
    edges: Edges,
    visibility: Visibility,
    words: &mut [u64; MOST_WORDS],
) -> Changes {
    if cfg!(debug_assertions) {
        Renew::walk(block, visibility, words)
    } else {
        update::<CLOCKS>(block, edges, visibility, words)
    }
}

#[inline]
fn update<const CLOCKS: usize>(
    block: &impl Probe,
    edges: Edges,
    visibility: Visibility,
    words: &mut [u64; MOST_WORDS],
) -> Changes {
    // Traversals whose condition is false are not compiled.
    match edges.bits() {
        0 => Changes::NONE,
        1 if const { compiled(CLOCKS, 1) } => Resample::<1>::walk(block, edges, visibility, words),
        2 if const { compiled(CLOCKS, 2) } => Resample::<2>::walk(block, edges, visibility, words),
        3 if const { compiled(CLOCKS, 3) } => Resample::<3>::walk(block, edges, visibility, words),
        4 if const { compiled(CLOCKS, 4) } => Resample::<4>::walk(block, edges, visibility, words),
        5 if const { compiled(CLOCKS, 5) } => Resample::<5>::walk(block, edges, visibility, words),
        6 if const { compiled(CLOCKS, 6) } => Resample::<6>::walk(block, edges, visibility, words),
        7 if const { compiled(CLOCKS, 7) } => Resample::<7>::walk(block, edges, visibility, words),
        _ if const { CLOCKS > MOST_COMPILED } => Resample::<ANY>::walk(block, edges, visibility, words),
        _ => Renew::walk(block, visibility, words),
    }
}

/// Whether the traversal for this set of clocks is compiled, for a device with `clocks` clocks.
const fn compiled(clocks: usize, edges: u8) -> bool {
    clocks <= MOST_COMPILED && edges < 1 << clocks
}

/// Traversal that visits every signal.
struct Renew<'a> {
    words: &'a mut [u64; MOST_WORDS],
    changes: Changes,
    visibility: Visibility,
    /// Word index of the next signal.
    at: usize,
    /// Blocks around the present one.
    depth: usize,
}

impl Renew<'_> {
    fn walk(device: &impl Probe, visibility: Visibility, words: &mut [u64; MOST_WORDS]) -> Changes {
        let mut renew = Renew { words, changes: Changes::NONE, visibility, at: 0, depth: 0 };
        device.probe(&mut renew);
        renew.changes
    }

    /// Stores the next words. A function of its own keeps traversals small, which are compiled in every build.
    #[inline(never)]
    fn store(&mut self, now: &[u64]) {
        // Most signals have one word, and debug builds do not optimise iterators.
        if let [now] = *now {
            self.store_word(now);
        } else {
            now.iter().for_each(|&now| self.store_word(now));
        }
    }

    #[inline(always)]
    fn store_word(&mut self, now: u64) {
        let (at, word) = (self.at, &mut self.words[self.at]);
        if *word != now {
            *word = now;
            self.changes.groups[at / GROUP] |= 1 << (at % GROUP);
        }
        self.at = at + 1;
    }
}

impl Visitor for Renew<'_> {
    #[inline(always)]
    fn enter(&mut self, _name: &'static str) {
        self.depth += 1;
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.depth -= 1;
    }

    #[inline(always)]
    fn word(&mut self, _name: &'static str, _width: u32, _kind: Kind, words: &[u64]) {
        self.store(words);
    }

    #[inline(always)]
    fn pins<B: Bundle>(&mut self, _role: Role, pins: impl FnOnce() -> B) {
        const { assert!(words_for(B::WIDTH) <= MOST_PINS) }
        if self.visibility == Visibility::Full || self.depth == 0 {
            let mut words = [0; MOST_PINS];
            pins().put(&mut words, 0, B::WIDTH);
            self.store(&words[..words_for(B::WIDTH)]);
        } else {
            self.at += words_for(B::WIDTH);
        }
    }
}

/// Traversal specialised for a set of clocks, unless that is [`ANY`]; skipped signals then cost nothing.
struct Resample<'a, const EDGES: u8> {
    /// Clocks that rise.
    edges: Edges,
    words: &'a mut [u64; MOST_WORDS],
    changes: &'a mut Changes,
    /// For each block with its children: whether a register changed.
    changed: &'a mut [bool; MOST_BLOCKS],
    /// The first of two traversals visits registers, the second pins.
    pins: bool,
    visibility: Visibility,
    /// Word index of the next signal.
    at: usize,
    /// Following signals belong to a clock that rises.
    live: bool,
    /// Blocks visited so far.
    blocks: usize,
    /// Blocks around the present one.
    depth: usize,
    /// Changed words of the present group that are not in `changes` yet.
    group: u64,
    /// Whether a register of the present block changed, or of a child.
    moved: bool,
}

impl<'a, const EDGES: u8> Resample<'a, EDGES> {
    /// The first traversal, at its beginning.
    #[inline(always)]
    fn registers(
        edges: Edges,
        visibility: Visibility,
        words: &'a mut [u64; MOST_WORDS],
        changes: &'a mut Changes,
        changed: &'a mut [bool; MOST_BLOCKS],
    ) -> Self {
        Resample {
            edges,
            words,
            changes,
            changed,
            pins: false,
            visibility,
            at: 0,
            live: edges.meets(Edges::FIRST),
            blocks: 0,
            depth: 0,
            group: 0,
            moved: false,
        }
    }

    #[inline(never)]
    fn walk(
        device: &impl Probe,
        edges: Edges,
        visibility: Visibility,
        words: &mut [u64; MOST_WORDS],
    ) -> Changes {
        let edges = if EDGES == ANY { edges } else { Edges::from_bits(EDGES) };
        let (mut changed, mut changes) = ([false; MOST_BLOCKS], Changes::NONE);
        let mut registers =
            Resample::<EDGES>::registers(edges, visibility, words, &mut changes, &mut changed);
        device.probe(&mut registers);
        registers.close(registers.at);
        let moved = registers.moved;
        if visibility == Visibility::Lean || !moved {
            return changes;
        }
        let registers = Resample::<EDGES>::registers(edges, visibility, words, &mut changes, &mut changed);
        let mut pins = Resample { pins: true, moved, ..registers };
        device.probe(&mut pins);
        pins.close(pins.at);
        changes
    }

    /// Enters the changed words of the group of `place` into `changes`.
    #[inline(always)]
    fn close(&mut self, place: usize) {
        // The group of a place after the last one does not exist.
        if let Some(group) = self.changes.groups.get_mut(place / GROUP) {
            *group |= self.group;
        }
        self.moved |= self.group != 0;
        self.group = 0;
    }

    /// Stores the next words and notes which have changed.
    #[inline(always)]
    fn store(&mut self, words: &[u64]) {
        for &now in words {
            let word = &mut self.words[self.at];
            self.group |= u64::from(*word != now) << (self.at % GROUP);
            *word = now;
            self.advance(1);
        }
    }

    /// Skips words.
    #[inline(always)]
    fn advance(&mut self, words: usize) {
        let next = self.at + words;
        if next / GROUP != self.at / GROUP {
            self.close(self.at);
        }
        self.at = next;
    }
}

impl<const EDGES: u8> Visitor for Resample<'_, EDGES> {
    // A block that is entered and left explicitly has no pins, so its registers may count as its parent's.
    #[inline(always)]
    fn enter(&mut self, _name: &'static str) {}

    #[inline(always)]
    fn leave(&mut self) {}

    #[inline(always)]
    fn word(&mut self, _name: &'static str, _width: u32, _kind: Kind, words: &[u64]) {
        // The width is in a table that the compiler does not evaluate; the number of words is a constant.
        if self.live && !self.pins {
            self.store(words);
        } else {
            self.advance(words.len());
        }
    }

    #[inline(always)]
    fn pins<B: Bundle>(&mut self, _role: Role, pins: impl FnOnce() -> B) {
        const { assert!(words_for(B::WIDTH) <= MOST_PINS) }
        let now = if self.pins { self.moved } else { self.depth == 0 && self.visibility == Visibility::Lean };
        if self.live && now {
            let mut words = [0; MOST_PINS];
            pins().put(&mut words, 0, B::WIDTH);
            self.store(&words[..words_for(B::WIDTH)]);
        } else {
            self.advance(words_for(B::WIDTH));
        }
    }

    #[inline(always)]
    fn clocks(&mut self, clocks: Edges) {
        let edges = if EDGES == ANY { self.edges } else { Edges::from_bits(EDGES) };
        self.live = edges.meets(clocks);
    }

    #[inline(always)]
    fn block(&mut self, _name: &'static str, block: &impl Probe) {
        self.close(self.at);
        let (around, live, this) = (self.moved, self.live, self.blocks);
        self.blocks += 1;
        self.depth += 1;
        if self.pins {
            self.moved = self.changed[this];
            block.probe(self);
            self.close(self.at);
            self.moved = around;
        } else {
            self.moved = false;
            block.probe(self);
            self.close(self.at);
            // Opaque, because the compiler would keep all old and new values to compare them later.
            self.moved = black_box(self.moved);
            self.changed[this] = self.moved;
            self.moved |= around;
        }
        self.depth -= 1;
        self.live = live;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    crate::bundle! {
        /// Output pins of a counter.
        struct Out in counter_pkg {
            /// Twice the number of edges.
            double: u64,
        }
    }

    /// Counts the edges of one clock.
    #[derive(Default)]
    struct Counter {
        count: u64,
    }

    impl Probe for Counter {
        fn probe(&self, visitor: &mut impl Visitor) {
            visitor.register("count", 64, self.count);
            visitor.pins(Role::Outputs, || Out { double: 2 * self.count });
        }
    }

    /// One counter per clock, and the number of all edges.
    struct Toy<const CLOCKS: usize> {
        counters: [Counter; CLOCKS],
        sum: u64,
    }

    impl<const CLOCKS: usize> Toy<CLOCKS> {
        fn new() -> Self {
            Self { counters: std::array::from_fn(|_| Counter::default()), sum: 0 }
        }

        fn edge(&mut self, edges: Edges) {
            for clock in edges.iter() {
                self.counters[clock].count += 1;
                self.sum += 1;
            }
        }
    }

    impl<const CLOCKS: usize> Probe for Toy<CLOCKS> {
        fn probe(&self, visitor: &mut impl Visitor) {
            // The first clock is the default.
            for (clock, counter) in self.counters.iter().enumerate() {
                if clock > 0 {
                    visitor.clocks(Edges::of(clock));
                }
                visitor.block("counter", counter);
            }
            visitor.clocks(Edges::all(CLOCKS));
            visitor.register("sum", 64, self.sum);
        }
    }

    fn places(changes: &Changes) -> Vec<usize> {
        let mut places = Vec::new();
        changes.for_each(|place| places.push(place));
        places
    }

    /// All sets of clocks rise in turn, repeatedly.
    fn keeps_its_sample<const CLOCKS: usize>() {
        let mut toy = Toy::<CLOCKS>::new();
        let mut words = Box::new([0; MOST_WORDS]);
        for edges in (0..3 << CLOCKS).map(|bits| Edges::from_bits(bits as u8 & Edges::all(CLOCKS).bits())) {
            toy.edge(edges);
            let before = *words;
            let changes = update::<CLOCKS>(&toy, edges, Visibility::Full, &mut words);
            let mut now = Vec::new();
            sample(&toy, &mut now);
            assert_eq!(words[..now.len()], now, "{edges:?} of {CLOCKS}");
            let changed: Vec<_> = (0..MOST_WORDS).filter(|&word| words[word] != before[word]).collect();
            assert_eq!(places(&changes), changed, "{edges:?} of {CLOCKS}");
        }
    }

    #[test]
    fn sample_of_any_number_of_clocks_is_updated() {
        keeps_its_sample::<1>();
        keeps_its_sample::<2>();
        keeps_its_sample::<3>();
        keeps_its_sample::<4>();
        keeps_its_sample::<8>();
    }

    #[test]
    fn signals_of_other_clocks_are_skipped() {
        fn touched<const CLOCKS: usize>(edges: Edges) -> Vec<usize> {
            let mut toy = Toy::<CLOCKS>::new();
            toy.edge(Edges::all(CLOCKS));
            let mut words = Box::new([0; MOST_WORDS]);
            update::<CLOCKS>(&toy, edges, Visibility::Full, &mut words);
            (0..MOST_WORDS).filter(|&word| words[word] != 0).collect()
        }
        // A count and its double for each clock, and the sum.
        assert_eq!(touched::<3>(Edges::of(1)), [2, 3, 6]);
        assert_eq!(touched::<3>(Edges::of(0).with(Edges::of(2))), [0, 1, 4, 5, 6]);
        assert_eq!(touched::<5>(Edges::of(4)), [8, 9, 10]);
    }

    /// A device of many counters, so that blocks lie across groups, with pins of its own.
    struct Board {
        counters: Vec<Counter>,
    }

    impl Board {
        fn new() -> Self {
            Self { counters: (0..100).map(|_| Counter::default()).collect() }
        }

        fn count(&mut self, counter: usize) {
            self.counters[counter].count += 1;
        }
    }

    impl Probe for Board {
        fn probe(&self, visitor: &mut impl Visitor) {
            for counter in &self.counters {
                visitor.block("counter", counter);
            }
            visitor.pins(Role::Outputs, || Out {
                double: self.counters.iter().map(|counter| counter.count).sum(),
            });
        }
    }

    type Update = fn(&Board, Visibility, &mut [u64; MOST_WORDS]) -> Changes;

    /// The traversal of debug builds and that of others.
    const BOTH: [Update; 2] = [
        |board, visibility, words| Renew::walk(board, visibility, words),
        |board, visibility, words| update::<1>(board, Edges::FIRST, visibility, words),
    ];

    #[test]
    fn changes_are_exact_at_every_place() {
        for update in BOTH {
            let (mut board, mut words) = (Board::new(), Box::new([0; MOST_WORDS]));
            for counter in 0..100 {
                board.count(counter);
                let full = update(&board, Visibility::Full, &mut words);
                assert_eq!(places(&full), [2 * counter, 2 * counter + 1, 200]);
            }
            assert_eq!(places(&update(&board, Visibility::Full, &mut words)), []);
        }
    }

    #[test]
    fn lean_sample_has_registers_and_pins_of_the_device() {
        for update in BOTH {
            let (mut board, mut words) = (Board::new(), Box::new([0; MOST_WORDS]));
            for counter in [0, 31, 32, 99] {
                board.count(counter);
                assert_eq!(places(&update(&board, Visibility::Lean, &mut words)), [2 * counter, 200]);
                assert_eq!(words[2 * counter + 1], 0, "pins of a block");
            }
        }
    }
}
