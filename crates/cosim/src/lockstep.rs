//! Model and RTL on the same pins, compared after every edge.

use std::collections::BTreeMap;

use hdl::{Bits, Bundle, Clock, Edges, Kind, MOST_WORDS, Nic, NicError, Observed, Quiet, Signal, words_for};

use crate::divergence::{differences, different_leaves};
use crate::follower::{Fault, Follower, FollowerThread};
use crate::matching::{Memory, read_memories, twins};
use crate::stillness::Stillness;
use crate::value::leaves_of;
use crate::{Coverage, Divergence, Log, OpenError, Replay, Simulation, SimulationError, Watch};

/// Error that ends a lockstep run.
#[derive(Debug, thiserror::Error)]
pub enum LockstepError {
    /// Model and RTL differ.
    #[error(transparent)]
    Divergence(#[from] Box<Divergence>),
    /// An assertion of the RTL failed.
    #[error("{clock} cycle {cycle}: the RTL stopped: {stop}\n  seed {seed}; replay: {command}",
            seed = .replay.seed, command = .replay.command)]
    Stopped {
        /// Name of the first clock of the device.
        clock: &'static str,
        /// Edges of the first clock since reset.
        cycle: u64,
        /// Message of the failed assertion.
        stop: SimulationError,
        /// How to repeat the run.
        replay: Replay,
    },
}

/// A model and its RTL: behaves like the model, and fails at the first edge after which they differ.
pub struct Lockstep<M> {
    pub(crate) model: M,
    rtl: FollowerThread,
    signals: Vec<Signal>,
    memories: Vec<Memory>,
    coverage: Coverage,
    replay: Replay,
    cycle: u64,
    /// All signals of the model after the last edge, and the number of words used.
    sample: Box<[u64; MOST_WORDS]>,
    words: usize,
    /// Instants that the RTL has yet to execute, and the sample up to their end.
    log: Log,
    logged: Box<[u64; MOST_WORDS]>,
    /// Instants that are logged before the RTL executes them.
    lead: usize,
    stillness: Stillness,
    /// Edges of the first clock that neither side executed.
    skipped: u64,
}

/// All signals of a model, and the number of words used.
fn sample_of(model: &impl Observed) -> (Box<[u64; MOST_WORDS]>, usize) {
    let mut words = Vec::new();
    model.sample(&mut words);
    let mut sample = Box::new([0; MOST_WORDS]);
    sample[..words.len()].copy_from_slice(&words);
    (sample, words.len())
}

impl<M> Lockstep<M>
where
    M: Nic + Observed,
    M::In: Bundle,
    M::Out: Bundle,
{
    /// Pairs a freshly reset model with its RTL.
    ///
    /// Fails if a register of one side has no twin of the same width on the other, or if the two differ after
    /// reset.
    pub fn open(model: M, mut rtl: Box<dyn Simulation>) -> Result<Self, OpenError> {
        let signals = Observed::signals(&model);
        let twins = twins(&signals, &model, rtl.as_ref())?;
        let mut by_clocks: BTreeMap<u8, Vec<Watch>> = BTreeMap::new();
        for (signal, watch) in signals.iter().zip(&twins.watches) {
            by_clocks.entry(signal.clocks.bits()).or_default().push(*watch);
        }
        for (clocks, watches) in by_clocks {
            rtl.watch(Edges::from_bits(clocks), &watches);
        }

        assert!(
            signals.iter().any(|signal| signal.block.is_empty() && signal.name == "pins_o"),
            "a device shows its output pins"
        );

        let (sample, words) = sample_of(&model);
        let mut lockstep = Self {
            coverage: Coverage::new(&signals, &*sample),
            model,
            rtl: FollowerThread::new(Follower { rtl, words }),
            signals,
            memories: twins.memories,
            replay: Replay::default(),
            cycle: 0,
            logged: sample.clone(),
            sample,
            words,
            log: Log::default(),
            lead: 1,
            stillness: Stillness::default(),
            skipped: 0,
        };
        lockstep.reset_rtl()?;
        Ok(lockstep)
    }

    /// Resets the RTL and compares it with a model that has been reset already.
    pub(crate) fn reset_rtl(&mut self) -> Result<(), OpenError> {
        (self.sample, self.words) = sample_of(&self.model);
        self.logged.copy_from_slice(&*self.sample);
        self.coverage.restart(&*self.sample);
        self.log.restart(self.cycle);
        self.stillness.end();
        // A failure before the reset is discarded.
        let (follower, _) = self.rtl.wait();
        follower.rtl.expect(&*self.sample);
        follower.rtl.reset(1, &mut vec![0; words_for(M::Out::WIDTH)])?;
        let (model, rtl) = (self.sample[..self.words].to_vec(), follower.gather());
        if model == rtl {
            return Ok(());
        }
        let pins_i = vec![0; words_for(M::In::WIDTH)];
        let fault = Fault { cycle: self.cycle, pins_i, before: model.clone(), model, rtl, stop: None };
        Err(Box::new(self.divergence(&fault)).into())
    }

    /// Lets the model run ahead by up to `instants` while the RTL follows on a thread of its own.
    ///
    /// The comparison is the same, but an error is reported later, by at most three times as many instants.
    /// The rest is compared by [`Nic::check`], which must end every run. The RTL cannot be sampled.
    pub fn lead(mut self, instants: usize) -> Self {
        self.lead = instants.max(1);
        self
    }

    /// Sets the seed and the command that a failure reports.
    pub fn replay(mut self, seed: u64, command: impl Into<String>) -> Self {
        self.replay = Replay { seed, command: command.into() };
        self
    }

    /// Sets the registers that are not 0 while the device resets its state machines; see
    /// [`Coverage::resets`].
    pub fn resets(mut self, registers: &[(&str, &str)]) -> Self {
        self.coverage.resets(&self.signals, registers);
        self
    }

    /// The model, in its present state.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// Edges of the first clock since reset, skipped ones among them.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Edges of the first clock that were skipped at rest, without a comparison.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Arcs taken so far by both sides.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Executes one instant; like [`Nic::edge`], with the specific error type.
    #[inline]
    pub fn step(&mut self, edges: Edges, pins: &M::In) -> Result<(), LockstepError> {
        self.cycle += u64::from(edges.meets(Edges::FIRST));
        self.model.edge(edges, pins).unwrap_or_else(|error| panic!("a model never fails: {error}"));
        let chunks = self.model.resample(edges, &mut self.sample);
        self.coverage.record(&*self.sample);
        self.log.push(edges, pins, chunks, &self.sample, &mut self.logged);
        match self.log.is_still() {
            true => self.stillness.keep(edges, self.log.pins_of(self.log.len() - 1)),
            false => self.stillness.end(),
        }
        if self.log.len() < self.lead {
            return Ok(());
        }
        let followed = if self.lead == 1 { self.rtl.follow(&self.log) } else { self.rtl.send(&mut self.log) };
        self.log.restart(self.cycle);
        followed.map_err(|fault| self.error(*fault))
    }

    /// Lets the RTL execute all instants of the model.
    pub fn catch_up(&mut self) -> Result<(), LockstepError> {
        let followed = self.rtl.follow(&self.log);
        self.log.restart(self.cycle);
        followed.map_err(|fault| self.error(*fault))
    }

    /// Appends the present values of all signals in the RTL. They equal those of the model unless a
    /// divergence has been reported.
    ///
    /// # Panics
    /// If the model runs ahead.
    pub fn sample_rtl(&self, words: &mut Vec<u64>) {
        let follower = self.rtl.here().filter(|_| self.log.is_empty());
        words.extend(follower.expect("the RTL is sampled without a lead of the model").gather());
    }

    /// Lets the RTL catch up and compares the contents of all memories; the time is proportional to their
    /// size.
    pub fn compare_memories(&mut self) -> Result<(), LockstepError> {
        self.catch_up()?;
        let (mut model, mut rtl) = (Vec::new(), Vec::new());
        Observed::memories(&self.model, &mut model);
        read_memories(self.rtl.wait().0.rtl.as_ref(), &self.memories, &mut rtl);
        let mut found = Vec::new();
        for Memory { place, .. } in &self.memories {
            let stride = words_for(place.width);
            for address in 0..place.depth {
                let range = place.start + address * stride..place.start + (address + 1) * stride;
                let (name, leaves) = (format!("mem[{address}]"), leaves_of(Kind::Vector, place.width));
                different_leaves(&place.block, &name, leaves, &model[range.clone()], &rtl[range], &mut found);
            }
        }
        if found.is_empty() {
            return Ok(());
        }
        Err(Box::new(Divergence {
            clock: self.clock(),
            cycle: self.cycle,
            differences: found,
            states: self.coverage.states(&*self.sample),
            pins: Vec::new(),
            replay: self.replay.at(self.cycle),
        })
        .into())
    }

    #[cold]
    fn error(&self, mut fault: Fault) -> LockstepError {
        match fault.stop.take() {
            None => Box::new(self.divergence(&fault)).into(),
            Some(stop) => LockstepError::Stopped {
                clock: self.clock(),
                cycle: fault.cycle,
                stop,
                replay: self.replay.at(fault.cycle),
            },
        }
    }

    /// Name of the clock whose edges are counted.
    fn clock(&self) -> &'static str {
        self.model.clocks()[0].name
    }

    fn divergence(&self, fault: &Fault) -> Divergence {
        let zero = vec![0; fault.pins_i.len()];
        let pins = leaves_of(Kind::Bundle(M::In::TABLE), M::In::WIDTH);
        let pins = pins.into_iter().filter(|leaf| leaf.differs(&fault.pins_i, &zero));
        Divergence {
            clock: self.clock(),
            cycle: fault.cycle,
            differences: differences(&self.signals, &fault.model, &fault.rtl),
            states: self.coverage.states(&fault.before),
            pins: pins.map(|leaf| (leaf.name.clone(), leaf.show(&fault.pins_i))).collect(),
            replay: self.replay.at(fault.cycle),
        }
    }
}

impl<M> Nic for Lockstep<M>
where
    M: Nic + Observed,
    M::In: Bundle,
    M::Out: Bundle,
{
    type In = M::In;
    type Out = M::Out;

    fn clocks(&self) -> &'static [Clock] {
        self.model.clocks()
    }

    fn outputs(&self) -> &M::Out {
        self.model.outputs()
    }

    fn edge(&mut self, edges: Edges, pins: &M::In) -> Result<(), NicError> {
        Ok(self.step(edges, pins)?)
    }

    /// The pair is quiet if the model is, without a limit, and both sides have kept their state through an edge of
    /// every clock. Counters of a model that is quiet for some cycles cannot be advanced in the RTL.
    fn quiescent(&self) -> Quiet {
        let clocks = Edges::all(self.model.clocks().len());
        match self.stillness.covers(clocks) && self.model.quiescent() == Quiet::UntilInput {
            true => Quiet::UntilInput,
            false => Quiet::Busy,
        }
    }

    fn skip(&mut self, edges: &[u64]) {
        self.model.skip(edges);
        self.cycle += edges[0];
        self.skipped += edges[0];
        self.log.skip(edges[0]);
    }

    fn signals(&self) -> &[Signal] {
        &self.signals
    }

    fn sample(&self, words: &mut Vec<u64>) {
        words.extend_from_slice(&self.sample[..self.words]);
    }

    fn memories(&self, words: &mut Vec<u64>) {
        Observed::memories(&self.model, words);
    }

    fn check(&mut self) -> Result<(), NicError> {
        Ok(self.compare_memories()?)
    }
}
