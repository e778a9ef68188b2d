//! Incremental update of a sample after each edge.

use std::hint::black_box;

use crate::{Bundle, Edges, Kind, Probe, Role, Visitor, sample, words_for};

/// Words of the largest sample that can be updated.
///
/// A bound known at compile time makes the position of every signal a constant, and an update a sequence of
/// loads and stores.
pub const MOST_WORDS: usize = 1024;

/// Words of a sample that share a change flag.
pub const CHUNK: usize = MOST_WORDS.div_ceil(u64::BITS as usize);

/// Blocks of the largest device, the device included.
const MOST_BLOCKS: usize = 128;

/// Words of the widest pins of a block.
const MOST_PINS: usize = 16;

/// Most clocks for which every set of clocks has a specialised traversal; beyond that, one traversal tests at
/// run time.
const MOST_COMPILED: usize = 3;

/// Stands for a set of clocks known only at run time.
const ANY: u8 = 0;

/// Updates a sample after an edge of the clocks in `edges`, of a device with `CLOCKS` clocks; returns a bit
/// per [`CHUNK`] of words that may have changed.
///
/// Signals of other clocks are skipped. So are the pins of a block in which no register, its children's
/// included, has changed: outputs are functions of registers.
///
/// With debug assertions nothing is skipped: in such builds the specialised code takes minutes to compile and
/// gains nothing.
#[inline]
pub fn resample<const CLOCKS: usize>(block: &impl Probe, edges: Edges, words: &mut [u64; MOST_WORDS]) -> u64 {
    if cfg!(debug_assertions) { anew(block, words) } else { update::<CLOCKS>(block, edges, words) }
}

#[inline]
fn update<const CLOCKS: usize>(block: &impl Probe, edges: Edges, words: &mut [u64; MOST_WORDS]) -> u64 {
    // Traversals whose condition is false are not compiled.
    match edges.bits() {
        0 => 0,
        1 if const { compiled(CLOCKS, 1) } => Resample::<1>::walk(block, edges, words),
        2 if const { compiled(CLOCKS, 2) } => Resample::<2>::walk(block, edges, words),
        3 if const { compiled(CLOCKS, 3) } => Resample::<3>::walk(block, edges, words),
        4 if const { compiled(CLOCKS, 4) } => Resample::<4>::walk(block, edges, words),
        5 if const { compiled(CLOCKS, 5) } => Resample::<5>::walk(block, edges, words),
        6 if const { compiled(CLOCKS, 6) } => Resample::<6>::walk(block, edges, words),
        7 if const { compiled(CLOCKS, 7) } => Resample::<7>::walk(block, edges, words),
        _ if const { CLOCKS > MOST_COMPILED } => Resample::<ANY>::walk(block, edges, words),
        _ => anew(block, words),
    }
}

/// Whether the traversal for this set of clocks is compiled, for a device with `clocks` clocks.
const fn compiled(clocks: usize, edges: u8) -> bool {
    clocks <= MOST_COMPILED && edges < 1 << clocks
}

/// Takes a new sample.
fn anew(block: &impl Probe, words: &mut [u64; MOST_WORDS]) -> u64 {
    let mut now = Vec::with_capacity(MOST_WORDS);
    sample(block, &mut now);
    let changed = |(old, new): (&[u64], &[u64])| old[..new.len()] != *new;
    let chunks = words.chunks(CHUNK).zip(now.chunks(CHUNK)).map(changed);
    let chunks = chunks.enumerate().fold(0, |chunks, (i, changed)| chunks | u64::from(changed) << i);
    words[..now.len()].copy_from_slice(&now);
    chunks
}

/// Traversal specialised for a set of clocks, unless that is [`ANY`]; skipped signals then cost nothing.
struct Resample<'a, const EDGES: u8> {
    /// Clocks that rise.
    edges: Edges,
    words: &'a mut [u64; MOST_WORDS],
    /// For each block with its children: register bits that changed.
    changed: &'a mut [u64; MOST_BLOCKS],
    /// The first of two traversals visits registers, the second pins.
    pins: bool,
    /// Word index of the next signal.
    at: usize,
    /// Following signals belong to a clock that rises.
    live: bool,
    /// Blocks visited so far.
    blocks: usize,
    /// Register bits of the present block that changed; in the traversal of pins, with its children.
    bits: u64,
    /// Chunks that may have changed, one bit each.
    chunks: u64,
    /// First word whose chunk has not been considered in `chunks`.
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

    /// Marks the words visited since the last call, if a register of the block has changed.
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
    // A block that is entered and left explicitly has no pins, so its registers may count as its parent's.
    #[inline(always)]
    fn enter(&mut self, _name: &'static str) {}

    #[inline(always)]
    fn leave(&mut self) {}

    #[inline(always)]
    fn word(&mut self, _name: &'static str, _width: u32, _kind: Kind, words: &[u64]) {
        // The width is in a table that the compiler does not evaluate; the number of words is a constant.
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
            // Opaque, because the compiler would keep all old and new values to compare them later.
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

    /// All sets of clocks rise in turn, repeatedly.
    fn keeps_its_sample<const CLOCKS: usize>() {
        let mut toy = Toy::<CLOCKS>::new();
        let mut words = Box::new([0; MOST_WORDS]);
        for edges in (0..3 << CLOCKS).map(|bits| Edges::from_bits(bits as u8 & Edges::all(CLOCKS).bits())) {
            toy.edge(edges);
            let before = *words;
            let chunks = update::<CLOCKS>(&toy, edges, &mut words);
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
            update::<CLOCKS>(&toy, edges, &mut words);
            (0..MOST_WORDS).filter(|&word| words[word] != 0).collect()
        }
        // A count and its double for each clock, and the sum.
        assert_eq!(touched::<3>(Edges::of(1)), [2, 3, 6]);
        assert_eq!(touched::<3>(Edges::of(0).with(Edges::of(2))), [0, 1, 4, 5, 6]);
        assert_eq!(touched::<5>(Edges::of(4)), [8, 9, 10]);
    }
}
