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
    if cfg!(debug_assertions) {
        return anew(block, words);
    }
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
