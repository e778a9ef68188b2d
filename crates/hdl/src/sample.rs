//! The two stock walks over a block: what its signals are, and what they hold now.

use crate::{Bits, Bundle, BundleTable, Kind, Probe, Role, Visitor, words_for};

/// What a signal is.
#[derive(Clone, Copy, Debug)]
pub enum SignalRole {
    /// A register.
    Register(Kind),
    /// All input or output pins of a block, packed.
    Pins(Role, &'static BundleTable),
}

/// One signal of a tree of blocks: a register, or the packed pins of a block.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Path of the block below the device, parts joined by `.`; empty for the device itself.
    pub block: String,
    /// Name of the register, or `pins_i`, `pins_o`.
    pub name: &'static str,
    /// Width in bits.
    pub width: u32,
    /// Index of its first 64-bit word in a sample.
    pub word: usize,
    /// What it is.
    pub role: SignalRole,
}

impl Signal {
    /// Name of the signal in the RTL's module.
    pub fn rtl_name(&self) -> String {
        match self.role {
            SignalRole::Register(_) => format!("{}_q", self.name),
            SignalRole::Pins(..) => self.name.to_string(),
        }
    }

    /// Words of the signal in a sample.
    pub fn words<'a>(&self, sample: &'a [u64]) -> &'a [u64] {
        &sample[self.word..self.word + words_for(self.width)]
    }
}

/// All signals of a block, in the order in which [`sample`] lays down their words.
pub fn signals(block: &impl Probe) -> Vec<Signal> {
    let mut visitor = Collect::default();
    block.probe(&mut visitor);
    visitor.signals
}

/// The present values of all signals of a block, appended to `words`.
#[inline]
pub fn sample(block: &impl Probe, words: &mut Vec<u64>) {
    let mut sample = [0; MOST_WORDS];
    let length = sample_into(block, &mut sample);
    words.extend_from_slice(&sample[..length]);
}

/// Words of the largest sample. With a bound that is known when a probe is compiled, the places of all
/// signals are too, and a sample is a row of stores.
pub const MOST_WORDS: usize = 1024;

/// The present values of all signals of a block, from the first word on; returns their number.
#[inline]
pub fn sample_into(block: &impl Probe, words: &mut [u64; MOST_WORDS]) -> usize {
    let mut sample = Sample { words, length: 0 };
    block.probe(&mut sample);
    sample.length
}

#[derive(Default)]
struct Collect {
    path: Vec<&'static str>,
    signals: Vec<Signal>,
    words: usize,
}

impl Collect {
    fn push(&mut self, name: &'static str, width: u32, role: SignalRole) {
        self.signals.push(Signal { block: self.path.join("."), name, width, word: self.words, role });
        self.words += words_for(width);
    }
}

impl Visitor for Collect {
    fn enter(&mut self, name: &'static str) {
        self.path.push(name);
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn word(&mut self, name: &'static str, width: u32, kind: Kind, _words: &[u64]) {
        self.push(name, width, SignalRole::Register(kind));
    }

    fn pins<B: Bundle>(&mut self, role: Role, _pins: &B) {
        let name = match role {
            Role::Inputs => "pins_i",
            Role::Outputs => "pins_o",
        };
        self.push(name, B::WIDTH, SignalRole::Pins(role, B::TABLE));
    }
}

struct Sample<'a> {
    words: &'a mut [u64; MOST_WORDS],
    length: usize,
}

impl Visitor for Sample<'_> {
    #[inline(always)]
    fn enter(&mut self, _name: &'static str) {}

    #[inline(always)]
    fn leave(&mut self) {}

    #[inline(always)]
    fn word(&mut self, _name: &'static str, _width: u32, _kind: Kind, words: &[u64]) {
        for &word in words {
            self.words[self.length] = word;
            self.length += 1;
        }
    }

    #[inline(always)]
    fn pins<B: Bundle>(&mut self, _role: Role, pins: &B) {
        const { assert!(B::WIDTH <= 1024) }
        let mut words = [0; 16];
        pins.put(&mut words, 0, B::WIDTH);
        for &word in &words[..words_for(B::WIDTH)] {
            self.words[self.length] = word;
            self.length += 1;
        }
    }
}

/// Contents of all memories of a block, appended to `words`: for fingerprints and snapshots.
pub fn memories(block: &impl Probe, words: &mut Vec<u64>) {
    block.probe(&mut Memories { words });
}

struct Memories<'a> {
    words: &'a mut Vec<u64>,
}

impl Visitor for Memories<'_> {
    fn enter(&mut self, _name: &'static str) {}
    fn leave(&mut self) {}
    fn word(&mut self, _name: &'static str, _width: u32, _kind: Kind, _words: &[u64]) {}
    fn pins<B: Bundle>(&mut self, _role: Role, _pins: &B) {}

    fn memory<T: Bits>(&mut self, contents: &[T]) {
        for value in contents {
            let start = self.words.len();
            self.words.resize(start + words_for(T::WIDTH), 0);
            value.put(&mut self.words[start..], 0, T::WIDTH);
        }
    }
}
