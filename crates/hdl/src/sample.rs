//! Standard traversals of a block: its signals and memories, and their present contents.

use std::any::type_name_of_val;

use crate::{Bits, Bundle, BundleTable, Edges, Kind, Probe, Role, Visitor, words_for};

/// Kind of a signal.
#[derive(Clone, Copy, Debug)]
pub enum SignalRole {
    /// A register of a block.
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
    /// Register or pins, with their structure.
    pub role: SignalRole,
    /// Clocks with which the signal changes.
    pub clocks: Edges,
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

/// All signals of a block, in the order of their words in a [`sample`].
pub fn signals(block: &impl Probe) -> Vec<Signal> {
    let mut visitor = Collect { path: vec![], clocks: vec![Edges::FIRST], signals: vec![], words: 0 };
    block.probe(&mut visitor);
    visitor.signals
}

/// Rust type of a block in a tree of blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockType {
    /// Path of the block below the device, parts joined by `.`; empty for the device itself.
    pub block: String,
    /// Path of the type, which begins with its crate: `nic::unit::part::Part`.
    pub path: &'static str,
}

/// Rust types of a block and of all blocks below it.
pub fn block_types<P: Probe>(block: &P) -> Vec<BlockType> {
    let top = BlockType { block: String::new(), path: type_name_of_val(block) };
    let mut visitor = Types { path: vec![], types: vec![top] };
    block.probe(&mut visitor);
    visitor.types
}

struct Types {
    path: Vec<&'static str>,
    types: Vec<BlockType>,
}

impl Visitor for Types {
    fn enter(&mut self, name: &'static str) {
        self.path.push(name);
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn word(&mut self, _name: &'static str, _width: u32, _kind: Kind, _words: &[u64]) {}
    fn pins<B: Bundle>(&mut self, _role: Role, _pins: impl FnOnce() -> B) {}

    fn block(&mut self, name: &'static str, block: &impl Probe) {
        self.enter(name);
        self.types.push(BlockType { block: self.path.join("."), path: type_name_of_val(block) });
        block.probe(self);
        self.leave();
    }
}

/// The present values of all signals of a block, appended to `words`.
#[inline]
pub fn sample(block: &impl Probe, words: &mut Vec<u64>) {
    block.probe(&mut Append::<true> { words });
}

/// The present values of all registers of a block, appended to `words`; its pins are functions of them.
#[inline]
pub fn sample_registers(block: &impl Probe, words: &mut Vec<u64>) {
    block.probe(&mut Append::<false> { words });
}

struct Collect {
    path: Vec<&'static str>,
    /// Clocks of the following signals, and of the enclosing blocks.
    clocks: Vec<Edges>,
    signals: Vec<Signal>,
    words: usize,
}

impl Collect {
    fn push(&mut self, name: &'static str, width: u32, role: SignalRole) {
        let (block, clocks) = (self.path.join("."), self.clocks[self.path.len()]);
        self.signals.push(Signal { block, name, width, word: self.words, role, clocks });
        self.words += words_for(width);
    }
}

impl Visitor for Collect {
    fn enter(&mut self, name: &'static str) {
        self.clocks.push(self.clocks[self.path.len()]);
        self.path.push(name);
    }

    fn leave(&mut self) {
        self.path.pop();
        self.clocks.pop();
    }

    fn word(&mut self, name: &'static str, width: u32, kind: Kind, _words: &[u64]) {
        self.push(name, width, SignalRole::Register(kind));
    }

    fn pins<B: Bundle>(&mut self, role: Role, _pins: impl FnOnce() -> B) {
        let name = match role {
            Role::Inputs => "pins_i",
            Role::Outputs => "pins_o",
        };
        self.push(name, B::WIDTH, SignalRole::Pins(role, B::TABLE));
    }

    fn clocks(&mut self, clocks: Edges) {
        self.clocks[self.path.len()] = clocks;
    }
}

/// Appends registers, and with `PINS` pins.
struct Append<'a, const PINS: bool> {
    words: &'a mut Vec<u64>,
}

impl<const PINS: bool> Visitor for Append<'_, PINS> {
    #[inline(always)]
    fn enter(&mut self, _name: &'static str) {}

    #[inline(always)]
    fn leave(&mut self) {}

    #[inline(always)]
    fn word(&mut self, _name: &'static str, _width: u32, _kind: Kind, words: &[u64]) {
        match words {
            // Most registers: one word is appended with fewer instructions.
            [word] => self.words.push(*word),
            words => self.words.extend_from_slice(words),
        }
    }

    #[inline(always)]
    fn pins<B: Bundle>(&mut self, _role: Role, pins: impl FnOnce() -> B) {
        if !PINS {
            return;
        }
        let start = self.words.len();
        self.words.resize(start + words_for(B::WIDTH), 0);
        pins().put(&mut self.words[start..], 0, B::WIDTH);
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
    fn pins<B: Bundle>(&mut self, _role: Role, _pins: impl FnOnce() -> B) {}

    fn memory<T: Bits>(&mut self, depth: usize, first: &[T]) {
        let behind = std::iter::repeat_n(T::default(), depth - first.len());
        for value in first.iter().copied().chain(behind) {
            let start = self.words.len();
            self.words.resize(start + words_for(T::WIDTH), 0);
            value.put(&mut self.words[start..], 0, T::WIDTH);
        }
    }
}

/// Position of a memory in the words that [`memories`] appends.
#[derive(Clone, Debug)]
pub struct MemoryPlace {
    /// Path of the memory's block below the device, parts joined by `.`.
    pub block: String,
    /// Width of an entry in bits; each entry begins a new 64-bit word.
    pub width: u32,
    /// Number of entries.
    pub depth: usize,
    /// Index of the first word.
    pub start: usize,
}

impl MemoryPlace {
    /// Range of the memory's words.
    pub fn words(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.depth * words_for(self.width)
    }
}

/// Positions of all memories of a block in the words that [`memories`] appends.
pub fn memory_map(block: &impl Probe) -> Vec<MemoryPlace> {
    let mut map = Map::default();
    block.probe(&mut map);
    map.places
}

#[derive(Default)]
struct Map {
    path: Vec<&'static str>,
    places: Vec<MemoryPlace>,
}

impl Visitor for Map {
    fn enter(&mut self, name: &'static str) {
        self.path.push(name);
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn word(&mut self, _name: &'static str, _width: u32, _kind: Kind, _words: &[u64]) {}
    fn pins<B: Bundle>(&mut self, _role: Role, _pins: impl FnOnce() -> B) {}

    fn memory<T: Bits>(&mut self, depth: usize, _first: &[T]) {
        let start = self.places.last().map_or(0, |place| place.words().end);
        self.places.push(MemoryPlace { block: self.path.join("."), width: T::WIDTH, depth, start });
    }
}
