//! Model and RTL on the same pins, compared on every edge.

use hdl::{Bits, Bundle, Edges, Kind, MOST_WORDS, Nic, NicError, Probe, Signal, resample, words_for};

use crate::divergence::{differences, different_leaves};
use crate::matching::{Memory, read_memories, twins};
use crate::value::leaves_of;
use crate::{Coverage, Difference, Divergence, OpenError, Replay, Simulation, SimulationError, Watch};

/// Why a lockstep run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LockstepError {
    /// The two differ.
    #[error(transparent)]
    Divergence(#[from] Box<Divergence>),
    /// An assertion of the RTL failed.
    #[error("core cycle {cycle}: the RTL stopped: {stop}\n  seed {seed}; replay: {command}",
            seed = .replay.seed, command = .replay.command)]
    Stopped {
        /// Core clock edges since reset.
        cycle: u64,
        /// What the RTL said.
        stop: SimulationError,
        /// What repeats the run.
        replay: Replay,
    },
}

/// A model and its RTL: behaves as the model, and fails at the first edge after which they differ.
pub struct Lockstep<M> {
    pub(crate) model: M,
    rtl: Box<dyn Simulation>,
    signals: Vec<Signal>,
    memories: Vec<Memory>,
    coverage: Coverage,
    replay: Replay,
    cycle: u64,
    pins_i: Vec<u64>,
    pins_o: Vec<u64>,
    expected_pins_o: Vec<u64>,
    /// The device shows its output pins as a signal.
    shows_pins_o: bool,
    /// All signals of the model after the last edge, and how many words of it they fill.
    sample: Box<[u64; MOST_WORDS]>,
    words: usize,
}

/// All signals of a model, and how many words they fill.
fn sample_of(model: &impl Probe) -> (Box<[u64; MOST_WORDS]>, usize) {
    let mut words = Vec::new();
    hdl::sample(model, &mut words);
    let mut sample = Box::new([0; MOST_WORDS]);
    sample[..words.len()].copy_from_slice(&words);
    (sample, words.len())
}

impl<M> Lockstep<M>
where
    M: Nic + Probe,
    M::In: Bundle,
    M::Out: Bundle,
{
    /// Puts a model after reset beside its RTL.
    ///
    /// Fails if a register of one side has no twin of the same width on the other, or if reset does not
    /// bring the two to the same values.
    pub fn open(model: M, mut rtl: Box<dyn Simulation>) -> Result<Self, OpenError> {
        let signals = model.signals().to_vec();
        let twins = twins(&signals, &model, rtl.as_ref())?;
        for clocks in [Edges::CORE, Edges::NETWORK, Edges::BOTH] {
            let mine = |(signal, watch): (&Signal, &Watch)| (signal.clocks == clocks).then_some(*watch);
            let watches: Vec<_> = signals.iter().zip(&twins.watches).filter_map(mine).collect();
            rtl.watch(clocks, &watches);
        }

        let (sample, words) = sample_of(&model);
        let mut lockstep = Self {
            coverage: Coverage::new(&signals, &*sample),
            model,
            rtl,
            shows_pins_o: signals.iter().any(|signal| signal.block.is_empty() && signal.name == "pins_o"),
            signals,
            memories: twins.memories,
            replay: Replay::default(),
            cycle: 0,
            pins_i: vec![0; words_for(M::In::WIDTH)],
            pins_o: vec![0; words_for(M::Out::WIDTH)],
            expected_pins_o: vec![0; words_for(M::Out::WIDTH)],
            sample,
            words,
        };
        lockstep.reset_rtl()?;
        Ok(lockstep)
    }

    /// Resets the RTL and compares it with a model that is already reset.
    pub(crate) fn reset_rtl(&mut self) -> Result<(), OpenError> {
        self.rtl.reset(1, &mut self.pins_o)?;
        self.pins_i.fill(0);
        (self.sample, self.words) = sample_of(&self.model);
        self.coverage.restart(&*self.sample);
        self.compare(Edges::BOTH)?;
        Ok(())
    }

    /// What a failure tells the reader to repeat the run with.
    pub fn replay(mut self, seed: u64, command: impl Into<String>) -> Self {
        self.replay = Replay { seed, command: command.into() };
        self
    }

    /// Names the registers that are not 0 while the device resets its machines; see [`Coverage::resets`].
    pub fn resets(mut self, registers: &[(&str, &str)]) -> Self {
        self.coverage.resets(&self.signals, registers);
        self
    }

    /// The model.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// Core clock edges since reset.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Arcs walked so far, by both sides.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// One instant; as [`Nic::edge`], with the error as it is.
    #[inline]
    pub fn step(&mut self, edges: Edges, pins: &M::In) -> Result<(), LockstepError> {
        self.cycle += edges.core as u64;
        self.model.edge(edges, pins).unwrap_or_else(|error| panic!("a model never fails: {error}"));
        self.pins_i.fill(0);
        pins.put(&mut self.pins_i, 0, M::In::WIDTH);
        let stepped = self.rtl.step(edges, &self.pins_i, &mut self.pins_o);
        stepped.map_err(|stop| LockstepError::Stopped {
            cycle: self.cycle,
            stop,
            replay: self.replay.at(self.cycle),
        })?;

        resample(&self.model, edges, &mut self.sample);
        self.compare(edges)?;
        self.coverage.record(&*self.sample);
        Ok(())
    }

    /// Compares the registers and pins whose clock rose, and the output pins of the device in any case.
    #[inline]
    fn compare(&mut self, edges: Edges) -> Result<(), Box<Divergence>> {
        let mut equal = self.rtl.differs(edges, &*self.sample).is_none();
        if !self.shows_pins_o || !equal {
            self.expected_pins_o.fill(0);
            self.model.outputs().put(&mut self.expected_pins_o, 0, M::Out::WIDTH);
            equal &= self.expected_pins_o == self.pins_o;
        }
        if equal { Ok(()) } else { Err(Box::new(self.divergence())) }
    }

    /// Appends the present values of all signals in the RTL; they differ from those of the model only after a
    /// divergence.
    pub fn sample_rtl(&self, words: &mut Vec<u64>) {
        let start = words.len();
        words.resize(start + self.words, 0);
        self.rtl.gather(&mut words[start..]);
    }

    /// Compares the contents of all memories; as slow as they are large.
    pub fn compare_memories(&self) -> Result<(), Box<Divergence>> {
        let (mut model, mut rtl) = (Vec::new(), Vec::new());
        self.model.memories(&mut model);
        read_memories(self.rtl.as_ref(), &self.memories, &mut rtl);
        let mut found = Vec::new();
        let mut start = 0;
        for memory in &self.memories {
            let stride = words_for(memory.width);
            for address in 0..memory.depth {
                let range = start..start + stride;
                let (name, leaves) = (format!("mem[{address}]"), leaves_of(Kind::Vector, memory.width));
                different_leaves(
                    &memory.block,
                    &name,
                    leaves,
                    &model[range.clone()],
                    &rtl[range],
                    &mut found,
                );
                start += stride;
            }
        }
        if found.is_empty() { Ok(()) } else { Err(Box::new(self.report(found))) }
    }

    #[cold]
    fn divergence(&self) -> Divergence {
        let mut rtl = vec![0; self.words];
        self.rtl.gather(&mut rtl);
        let mut found = differences(&self.signals, &*self.sample, &rtl);
        let leaves = leaves_of(Kind::Bundle(M::Out::TABLE), M::Out::WIDTH);
        // Last, because a wrong pin follows from a wrong register, and only if the block does not show it.
        if !found.iter().any(|Difference { block, name, .. }| block.is_empty() && name.starts_with("pins_o"))
        {
            different_leaves("", "pins_o", leaves, &self.expected_pins_o, &self.pins_o, &mut found);
        }
        self.report(found)
    }

    fn report(&self, differences: Vec<Difference>) -> Divergence {
        let zero = vec![0; self.pins_i.len()];
        let pins = leaves_of(Kind::Bundle(M::In::TABLE), M::In::WIDTH);
        let pins = pins.into_iter().filter(|leaf| leaf.differs(&self.pins_i, &zero));
        Divergence {
            cycle: self.cycle,
            differences,
            states: self.coverage.states(),
            pins: pins.map(|leaf| (leaf.name.clone(), leaf.show(&self.pins_i))).collect(),
            replay: self.replay.at(self.cycle),
        }
    }
}

impl<M> Nic for Lockstep<M>
where
    M: Nic + Probe,
    M::In: Bundle,
    M::Out: Bundle,
{
    type In = M::In;
    type Out = M::Out;

    fn outputs(&self) -> &M::Out {
        self.model.outputs()
    }

    fn edge(&mut self, edges: Edges, pins: &M::In) -> Result<(), NicError> {
        Ok(self.step(edges, pins)?)
    }

    fn signals(&self) -> &[Signal] {
        &self.signals
    }

    fn sample(&self, words: &mut Vec<u64>) {
        words.extend_from_slice(&self.sample[..self.words]);
    }

    fn memories(&self, words: &mut Vec<u64>) {
        self.model.memories(words);
    }

    fn check(&self) -> Result<(), NicError> {
        Ok(self.compare_memories()?)
    }
}
