//! A device in Rust behind the pins of a [`Nic`].

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::{Clock, Edges, MOST_WORDS, MemoryPlace, Nic, NicError, Observed, Probe, Quiet, Signal, Visitor};

/// A device written in Rust: its blocks and the wires between them.
pub trait Device: Observed + Probe + 'static {
    /// Input pins.
    type In;
    /// Output pins.
    type Out;

    /// Its clocks. An [`Edges`] names them by their places in this table; the first is the clock that a block has unless
    /// it says otherwise.
    const CLOCKS: &'static [Clock];

    /// The output pins between the last edge and the next one.
    fn outputs(&self) -> Self::Out;

    /// The clocks in `edges` rise at the same instant.
    fn edge(&mut self, edges: Edges, pins: &Self::In);

    /// Whether input pins ask for nothing: a quiescent device with idle pins does not change.
    fn idle(&self, pins: &Self::In) -> bool;

    /// Whether ticking with idle pins can change anything, other than what [`Device::skip`] makes up for.
    fn quiescent(&self) -> Quiet;

    /// Clocks whose edges, alone or together, with idle pins, change nothing until another clock rises. [`Edges::NONE`] is
    /// always a safe answer.
    fn resting(&self) -> Edges {
        Edges::NONE
    }

    /// Lets time pass at once: so many edges of each clock, in the order of the table. Only called while quiescent for at
    /// least that long.
    fn skip(&mut self, edges: &[u64]) {
        let _ = edges;
    }
}

/// Edges that are walked, though perhaps for nothing, before a busy device is asked again whether it is at rest.
const PATIENCE: u8 = 15;

/// A [`Device`] as a [`Nic`].
///
/// While the device is quiescent and its pins are idle, edges cost a comparison; lockstep runs with the
/// RTL show that nothing is missed.
#[derive(Clone, Debug)]
pub struct Model<D: Device> {
    device: D,
    outputs: D::Out,
    /// The device is known to be quiescent until an input changes; it is asked only when its pins are idle.
    at_rest: bool,
    /// Edges until it is asked again: the answer of a busy device takes time and rarely changes soon.
    patience: u8,
    signals: Arc<[Signal]>,
}

/// The signals of a device, which all of its kind share: their names take more room than a board has registers.
fn shared_signals<D: Device>(device: &D) -> Arc<[Signal]> {
    static TABLES: Mutex<BTreeMap<TypeId, Arc<[Signal]>>> = Mutex::new(BTreeMap::new());
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    tables.entry(TypeId::of::<D>()).or_insert_with(|| device.signals().into()).clone()
}

impl<D: Device> Model<D> {
    /// A device out of reset.
    pub fn new(device: D) -> Self {
        Self {
            outputs: device.outputs(),
            at_rest: false,
            patience: 0,
            signals: shared_signals(&device),
            device,
        }
    }

    /// The device, to look into it.
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
        self.outputs = self.device.outputs();
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

    fn signals(&self) -> &[Signal] {
        &self.signals
    }

    fn sample(&self, words: &mut Vec<u64>) {
        self.device.sample(words);
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

    #[inline]
    fn resample(&self, edges: Edges, words: &mut [u64; MOST_WORDS]) -> u64 {
        self.device.resample(edges, words)
    }

    fn memories(&self, words: &mut Vec<u64>) {
        self.device.memories(words);
    }

    fn memory_map(&self) -> Vec<MemoryPlace> {
        self.device.memory_map()
    }
}

impl<D: Device> Probe for Model<D> {
    const CLOCKED_BY: usize = D::CLOCKS.len();

    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        self.device.probe(visitor);
    }
}
