//! A sample that is kept up to date, edge by edge.

use std::hint::black_box;

use crate::{Bundle, Edges, Kind, Probe, Role, Visitor, sample, words_for};

/// Words of the largest sample that is kept up to date.
///
/// With a bound that is known when a probe is compiled, so is the place of every signal, and an update is a
/// row of loads and stores.
pub const MOST_WORDS: usize = 1024;

/// Words of a sample that are told to have changed together.
pub const CHUNK: usize = MOST_WORDS.div_ceil(u64::BITS as usize);

/// Blocks of the largest device, the device itself included.
const MOST_BLOCKS: usize = 128;

/// Words of the widest pins.
const MOST_PINS: usize = 16;

/// Clocks of a device up to which there is a walk for every set of them; beyond, one walk asks which rise.
const MOST_COMPILED: usize = 3;

/// Stands for any set of clocks in place of a certain one.
const ANY: u8 = 0;

/// Brings a sample up to date after the clocks in `edges` have risen; a bit per [`CHUNK`] of words in which something
/// may have changed.
///
/// Signals of other clocks are left alone. So are the pins of a block none of whose registers has changed,
/// its children's included: outputs are functions of registers.
///
/// With debug assertions nothing is left alone: there the compiler needs minutes for what follows and makes nothing fast of it.
#[inline]
pub fn resample<P: Probe>(block: &P, edges: Edges, words: &mut [u64; MOST_WORDS]) -> u64 {
    if cfg!(debug_assertions) { anew(block, words) } else { update(block, edges, words) }
}

#[inline]
fn update<P: Probe>(block: &P, edges: Edges, words: &mut [u64; MOST_WORDS]) -> u64 {
    // A walk whose condition does not hold is not compiled.
    match edges.bits() {
        0 => 0,
        1 if const { compiled(P::CLOCKED_BY, 1) } => Resample::<1>::walk(block, edges, words),
        2 if const { compiled(P::CLOCKED_BY, 2) } => Resample::<2>::walk(block, edges, words),
        3 if const { compiled(P::CLOCKED_BY, 3) } => Resample::<3>::walk(block, edges, words),
        4 if const { compiled(P::CLOCKED_BY, 4) } => Resample::<4>::walk(block, edges, words),
        5 if const { compiled(P::CLOCKED_BY, 5) } => Resample::<5>::walk(block, edges, words),
        6 if const { compiled(P::CLOCKED_BY, 6) } => Resample::<6>::walk(block, edges, words),
        7 if const { compiled(P::CLOCKED_BY, 7) } => Resample::<7>::walk(block, edges, words),
        _ if const { P::CLOCKED_BY > MOST_COMPILED } => Resample::<ANY>::walk(block, edges, words),
        _ => anew(block, words),
    }
}

/// Whether walks for this set of clocks are compiled, for a device of so many.
const fn compiled(clocks: usize, edges: u8) -> bool {
    clocks <= MOST_COMPILED && edges < 1 << clocks
}

/// Replaces a sample.
fn anew(block: &impl Probe, words: &mut [u64; MOST_WORDS]) -> u64 {
    let mut now = Vec::with_capacity(MOST_WORDS);
    sample(block, &mut now);
    let changed = |(old, new): (&[u64], &[u64])| old[..new.len()] != *new;
    let chunks = words.chunks(CHUNK).zip(now.chunks(CHUNK)).map(changed);
    let chunks = chunks.enumerate().fold(0, |chunks, (i, changed)| chunks | u64::from(changed) << i);
    words[..now.len()].copy_from_slice(&now);
    chunks
}

/// Which clocks rise is known when this is compiled, unless it is for [`ANY`], so what is left alone costs nothing.
struct Resample<'a, const EDGES: u8> {
    /// The clocks that rise.
    edges: Edges,
    words: &'a mut [u64; MOST_WORDS],
    /// Of each block and its children: bits of registers that changed.
    changed: &'a mut [u64; MOST_BLOCKS],
    /// The first of two walks is over the registers, the second over the pins.
    pins: bool,
    /// Place of the next signal.
    at: usize,
    /// The signals that follow are of a clock that rises.
    live: bool,
    /// Blocks so far.
    blocks: usize,
    /// Bits of registers of the present block that changed; in the walk over the pins, all of them.
    bits: u64,
    /// Chunks that may have changed.
    chunks: u64,
    /// Where the words begin that are not in `chunks` yet.
    unmarked: usize,
}

impl<const EDGES: u8> Resample<'_, EDGES> {
    #[inline(never)]
    fn walk(device: &impl Probe, edges: Edges, words: &mut [u64; MOST_WORDS]) -> u64 {
        let edges = if EDGES == ANY { edges } else { Edges::from_bits(EDGES) };
        let mut changed = [0; MOST_BLOCKS];
        let mut registers = Resample::<EDGES> {
            edges,
            words,
            changed: &mut changed,
            pins: false,
            at: 0,
            live: edges.meets(Edges::FIRST),
            blocks: 0,
            bits: 0,
            chunks: 0,
            unmarked: 0,
        };
        device.probe(&mut registers);
        registers.mark();
        let (bits, chunks) = (registers.bits, registers.chunks);
        let mut pins = Resample::<EDGES> {
            edges,
            words,
            changed: &mut changed,
            pins: true,
            at: 0,
            live: edges.meets(Edges::FIRST),
            blocks: 0,
            bits,
            chunks,
            unmarked: 0,
        };
        device.probe(&mut pins);
        pins.chunks
    }

    /// Marks the words that were visited since the last call, if a register of the block has changed.
    #[inline(always)]
    fn mark(&mut self) {
        if self.at > self.unmarked && self.bits != 0 {
            let (first, last) = (self.unmarked / CHUNK, (self.at - 1) / CHUNK);
            self.chunks |= (u64::MAX >> (63 - last)) & (u64::MAX << first);
        }
        self.unmarked = self.at;
    }
}

impl<const EDGES: u8> Visitor for Resample<'_, EDGES> {
    // A block that is entered and left by hand has no pins, so its registers may count as its parent's.
    #[inline(always)]
    fn enter(&mut self, _name: &'static str) {}

    #[inline(always)]
    fn leave(&mut self) {}

    #[inline(always)]
    fn word(&mut self, _name: &'static str, _width: u32, _kind: Kind, words: &[u64]) {
        // The width is in a table, where the compiler does not look; the number of words it knows.
        if self.live && !self.pins {
            for (i, &now) in words.iter().enumerate() {
                let word = &mut self.words[self.at + i];
                self.bits |= *word ^ now;
                *word = now;
            }
        }
        self.at += words.len();
    }

    #[inline(always)]
    fn pins<B: Bundle>(&mut self, _role: Role, pins: impl FnOnce() -> B) {
        const { assert!(words_for(B::WIDTH) <= MOST_PINS) }
        if self.live && self.pins && self.bits != 0 {
            let mut words = [0; MOST_PINS];
            pins().put(&mut words, 0, B::WIDTH);
            for (i, &word) in words[..words_for(B::WIDTH)].iter().enumerate() {
                self.words[self.at + i] = word;
            }
            self.unmarked = self.at;
            self.at += words_for(B::WIDTH);
            self.mark();
        } else {
            self.at += words_for(B::WIDTH);
        }
    }

    #[inline(always)]
    fn clocks(&mut self, clocks: Edges) {
        let edges = if EDGES == ANY { self.edges } else { Edges::from_bits(EDGES) };
        self.live = edges.meets(clocks);
    }

    #[inline(always)]
    fn block(&mut self, _name: &'static str, block: &impl Probe) {
        let (around, live, this) = (self.bits, self.live, self.blocks);
        self.blocks += 1;
        if self.pins {
            self.bits = self.changed[this];
            block.probe(self);
            self.bits = around;
        } else {
            self.mark();
            self.bits = 0;
            block.probe(self);
            // Opaque, or the compiler keeps all old and new values to compare them one by one later.
            self.bits = black_box(self.bits);
            self.mark();
            self.changed[this] = self.bits;
            self.bits |= around;
        }
        self.live = live;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::bundle! {
        /// What a counter shows.
        struct Out in counter_pkg {
            /// Its value, doubled.
            double: u64,
        }
    }

    /// Counts edges of one clock.
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

    /// A counter for each of so many clocks, and the edges of all of them.
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
        const CLOCKED_BY: usize = CLOCKS;

        fn probe(&self, visitor: &mut impl Visitor) {
            // The first clock is there without a word.
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

    /// Every set of clocks rises, again and again.
    fn keeps_its_sample<const CLOCKS: usize>() {
        let mut toy = Toy::<CLOCKS>::new();
        let mut words = Box::new([0; MOST_WORDS]);
        for edges in (0..3 << CLOCKS).map(|bits| Edges::from_bits(bits as u8 & Edges::all(CLOCKS).bits())) {
            toy.edge(edges);
            let before = *words;
            let chunks = update(&toy, edges, &mut words);
            let mut now = Vec::new();
            sample(&toy, &mut now);
            assert_eq!(words[..now.len()], now, "{edges:?} of {CLOCKS}");
            let changed = (0..MOST_WORDS).filter(|&word| words[word] != before[word]);
            assert!(
                changed.into_iter().all(|word| chunks >> (word / CHUNK) & 1 == 1),
                "{edges:?} of {CLOCKS}"
            );
        }
    }

    #[test]
    fn sample_of_any_number_of_clocks_is_kept_up_to_date() {
        keeps_its_sample::<1>();
        keeps_its_sample::<2>();
        keeps_its_sample::<3>();
        keeps_its_sample::<4>();
        keeps_its_sample::<8>();
    }

    #[test]
    fn signals_of_clocks_that_do_not_rise_are_left_alone() {
        fn touched<const CLOCKS: usize>(edges: Edges) -> Vec<usize> {
            let mut toy = Toy::<CLOCKS>::new();
            toy.edge(Edges::all(CLOCKS));
            let mut words = Box::new([0; MOST_WORDS]);
            update(&toy, edges, &mut words);
            (0..MOST_WORDS).filter(|&word| words[word] != 0).collect()
        }
        // A count and its double for each clock, and the sum.
        assert_eq!(touched::<3>(Edges::of(1)), [2, 3, 6]);
        assert_eq!(touched::<3>(Edges::of(0).with(Edges::of(2))), [0, 1, 4, 5, 6]);
        assert_eq!(touched::<5>(Edges::of(4)), [8, 9, 10]);
    }

    /// A toy that keeps to itself how many clocks it has.
    struct Modest(Toy<3>);

    impl Probe for Modest {
        fn probe(&self, visitor: &mut impl Visitor) {
            self.0.probe(visitor);
        }
    }

    #[test]
    fn block_with_more_clocks_than_it_says_is_sampled_anew() {
        let mut modest = Modest(Toy::new());
        modest.0.edge(Edges::of(2));
        let (mut words, mut now) = (Box::new([0; MOST_WORDS]), Vec::new());
        assert_eq!(update(&modest, Edges::of(2), &mut words), 1);
        sample(&modest, &mut now);
        assert_eq!(words[..now.len()], now);
    }
}
