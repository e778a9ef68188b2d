//! Adapter that makes a device written in Rust a [`Nic`].

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    BlockType, Changes, Clock, Edges, MOST_WORDS, MemoryPlace, Nic, NicError, Observed, Probe, Quiet, Signal,
    Visibility, Visitor,
};

/// A device written in Rust: its blocks and the wires between them.
pub trait Device: Observed + Probe + 'static {
    /// Bundle of all input pins.
    type In;
    /// Bundle of all output pins.
    type Out;

    /// Clocks of the device. Bit n of an [`Edges`] is clock n of this table; the first clock is the default
    /// of every block.
    const CLOCKS: &'static [Clock];

    /// The output pins between the last edge and the next one.
    fn outputs(&self) -> Self::Out;

    /// An edge of all clocks in `edges` at the same instant.
    fn edge(&mut self, edges: Edges, pins: &Self::In);

    /// Brings the output pins of before an edge of `edges` up to date. Pins that other clocks drive stay as they are.
    #[inline(always)]
    fn update_outputs(&self, edges: Edges, out: &mut Self::Out) {
        let _ = edges;
        *out = self.outputs();
    }

    /// Whether the input pins request nothing: a quiescent device with idle pins does not change.
    fn idle(&self, pins: &Self::In) -> bool;

    /// Time for which edges with idle pins change nothing, except counters that [`Device::skip`] advances.
    fn quiescent(&self) -> Quiet;

    /// Clocks whose edges, alone or together, change nothing with idle pins until another clock rises.
    /// [`Edges::NONE`] is always a conservative answer.
    fn resting(&self) -> Edges {
        Edges::NONE
    }

    /// Skips time: `edges` has the number of edges of each clock, in the order of the table. Only called
    /// while the device is quiescent for at least that long.
    fn skip(&mut self, edges: &[u64]) {
        let _ = edges;
    }

    /// Appends the values that all registers will have after [`Device::skip`] of `edges`; `false` if they are not known.
    ///
    /// A device answers only if no access of a host reads the counters that [`Device::skip`] advances. Then equal
    /// accesses have equal effects until one of them has counted to its end.
    fn registers_after(&mut self, edges: &[u64], words: &mut Vec<u64>) -> bool {
        let _ = (edges, words);
        false
    }
}

/// Edges of a busy device that are executed before it is asked again whether it is quiescent.
const PATIENCE: u8 = 15;

/// A [`Device`] as a [`Nic`].
///
/// While the device is quiescent and its pins are idle, an edge costs one comparison; lockstep runs with the
/// RTL show that nothing is missed.
#[derive(Clone, Debug)]
pub struct Model<D: Device> {
    device: D,
    outputs: D::Out,
    /// The device is quiescent until an input changes; only determined while its pins are idle.
    at_rest: bool,
    /// Edges until the device is asked again: the answer takes time, and a busy device rarely becomes
    /// quiescent soon.
    patience: u8,
    signals: Arc<[Signal]>,
}

/// Table of signals, shared by all devices of a type: the names take more memory than the registers of a
/// board.
fn shared_signals<D: Device>(device: &D) -> Arc<[Signal]> {
    static TABLES: Mutex<BTreeMap<TypeId, Arc<[Signal]>>> = Mutex::new(BTreeMap::new());
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    tables.entry(TypeId::of::<D>()).or_insert_with(|| device.signals().into()).clone()
}

impl<D: Device> Model<D> {
    /// A freshly reset device.
    pub fn new(device: D) -> Self {
        Self {
            outputs: device.outputs(),
            at_rest: false,
            patience: 0,
            signals: shared_signals(&device),
            device,
        }
    }

    /// The device, for inspection.
    pub fn device(&self) -> &D {
        &self.device
    }
}

impl<D: Device> Nic for Model<D> {
    type In = D::In;
    type Out = D::Out;

    fn clocks(&self) -> &'static [Clock] {
        D::CLOCKS
    }

    #[inline]
    fn outputs(&self) -> &D::Out {
        &self.outputs
    }

    #[inline]
    fn edge(&mut self, edges: Edges, pins: &D::In) -> Result<(), NicError> {
        if self.patience > 0 {
            self.patience -= 1;
        } else if self.device.idle(pins) {
            if self.at_rest || self.device.quiescent() == Quiet::UntilInput {
                self.at_rest = true;
                return Ok(());
            }
            self.patience = PATIENCE;
        }
        self.at_rest = false;
        self.device.edge(edges, pins);
        self.device.update_outputs(edges, &mut self.outputs);
        Ok(())
    }

    fn quiescent(&self) -> Quiet {
        if self.at_rest { Quiet::UntilInput } else { self.device.quiescent() }
    }

    fn resting(&self) -> Edges {
        self.device.resting()
    }

    fn skip(&mut self, edges: &[u64]) {
        debug_assert_eq!(edges.len(), D::CLOCKS.len(), "a number for each clock");
        if !self.at_rest {
            self.device.skip(edges);
            self.outputs = self.device.outputs();
        }
    }

    fn registers_after(&mut self, edges: &[u64], words: &mut Vec<u64>) -> bool {
        self.device.registers_after(edges, words)
    }

    fn signals(&self) -> &[Signal] {
        &self.signals
    }

    fn sample(&self, words: &mut Vec<u64>) {
        self.device.sample(words);
    }

    fn sample_registers(&self, words: &mut Vec<u64>) {
        self.device.sample_registers(words);
    }

    fn memories(&self, words: &mut Vec<u64>) {
        self.device.memories(words);
    }
}

impl<D: Device> Observed for Model<D> {
    fn signals(&self) -> Vec<Signal> {
        self.signals.to_vec()
    }

    fn sample(&self, words: &mut Vec<u64>) {
        self.device.sample(words);
    }

    fn sample_registers(&self, words: &mut Vec<u64>) {
        self.device.sample_registers(words);
    }

    #[inline]
    fn resample(&self, edges: Edges, visibility: Visibility, words: &mut [u64; MOST_WORDS]) -> Changes {
        self.device.resample(edges, visibility, words)
    }

    fn memories(&self, words: &mut Vec<u64>) {
        self.device.memories(words);
    }

    fn memory_map(&self) -> Vec<MemoryPlace> {
        self.device.memory_map()
    }

    fn block_types(&self) -> Vec<BlockType> {
        self.device.block_types()
    }
}

impl<D: Device> Probe for Model<D> {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        self.device.probe(visitor);
    }
}
