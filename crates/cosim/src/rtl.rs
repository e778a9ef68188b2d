//! Verilated RTL as a device of its own.

use hdl::{Bundle, Clock, Edges, Nic, NicError, Observed, Signal, words_for};

use crate::matching::{Memory, read_memories, twin_of, twins};
use crate::{OpenError, Simulation, Watch};

/// Verilated RTL whose signals are those of its model.
pub struct Rtl<In, Out> {
    simulation: Box<dyn Simulation>,
    clocks: &'static [Clock],
    signals: Vec<Signal>,
    words: usize,
    watches: Vec<Watch>,
    memories: Vec<Memory>,
    pins_i: Vec<u64>,
    pins_o: Vec<u64>,
    outputs: Out,
    pins: std::marker::PhantomData<In>,
}

impl<In: Bundle, Out: Bundle> Rtl<In, Out> {
    /// Freshly reset RTL. The model only provides the clocks and the order of signals.
    pub fn open(
        model: &(impl Nic<In = In, Out = Out> + Observed),
        mut simulation: Box<dyn Simulation>,
    ) -> Result<Self, OpenError> {
        let (clocks, signals) = (model.clocks(), Observed::signals(model));
        let twins = twins(&signals, model, simulation.as_ref())?;
        // Watched for reading only; nothing is compared.
        simulation.watch(Edges::FIRST, &twins.watches);
        let mut pins_o = vec![0; words_for(Out::WIDTH)];
        simulation.reset(1, &mut pins_o)?;
        Ok(Self {
            words: signals.last().map_or(0, |signal| signal.word + words_for(signal.width)),
            clocks,
            signals,
            watches: twins.watches,
            memories: twins.memories,
            pins_i: vec![0; words_for(In::WIDTH)],
            outputs: Out::take(&pins_o, 0, Out::WIDTH),
            pins_o,
            simulation,
            pins: std::marker::PhantomData,
        })
    }

    /// A clock edge during reset.
    pub fn reset(&mut self) -> Result<(), OpenError> {
        self.simulation.reset(1, &mut self.pins_o)?;
        self.outputs = Out::take(&self.pins_o, 0, Out::WIDTH);
        Ok(())
    }
}

impl<In: Bundle, Out: Bundle> Nic for Rtl<In, Out> {
    type In = In;
    type Out = Out;

    fn clocks(&self) -> &'static [Clock] {
        self.clocks
    }

    fn outputs(&self) -> &Out {
        &self.outputs
    }

    fn edge(&mut self, edges: Edges, pins: &In) -> Result<(), NicError> {
        self.pins_i.fill(0);
        pins.put(&mut self.pins_i, 0, In::WIDTH);
        self.simulation.step(edges, &self.pins_i, &mut self.pins_o)?;
        self.outputs = Out::take(&self.pins_o, 0, Out::WIDTH);
        Ok(())
    }

    fn signals(&self) -> &[Signal] {
        &self.signals
    }

    fn sample(&self, words: &mut Vec<u64>) {
        let start = words.len();
        words.resize(start + self.words, 0);
        self.simulation.gather(&mut words[start..]);
    }

    fn flip(&mut self, signal: usize, bit: u32) -> Result<(), NicError> {
        Ok(self.simulation.flip(twin_of(&self.signals[signal], &self.watches), bit)?)
    }

    fn memories(&self, words: &mut Vec<u64>) {
        read_memories(self.simulation.as_ref(), &self.memories, words);
    }
}
