//! Model and RTL on the same pins, compared after every edge.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hdl::{
    Bits, Bundle, Clock, Edges, Kind, MOST_WORDS, Nic, NicError, Observed, Quiet, Signal, Visibility,
    words_for,
};

use crate::diagnosis::Subject;
use crate::divergence::different_leaves;
use crate::follower::{Fault, Follower, FollowerThread};
use crate::log::Log;
use crate::matching::{Memory, read_memories, twin_of, twins};
use crate::stillness::Stillness;
use crate::value::leaves_of;
use crate::{Coverage, Divergence, OpenError, Replay, Simulation, Watch};

/// Instants that a log holds at least before it becomes history.
const LOGGED: usize = 256;

/// Error that ends a lockstep run.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LockstepError {
    /// Model and RTL differ.
    #[error(transparent)]
    Divergence(#[from] Box<Divergence>),
    /// An assertion of the RTL failed.
    #[error(transparent)]
    Stopped(Box<Divergence>),
}

/// A model and its RTL: behaves like the model, and fails at the first edge after which they differ.
pub struct Lockstep<M> {
    pub(crate) model: M,
    rtl: FollowerThread,
    signals: Vec<Signal>,
    /// The compared signals of the RTL, in the order of `signals`.
    watches: Vec<Watch>,
    memories: Vec<Memory>,
    coverage: Coverage,
    replay: Replay,
    /// Folder for the waveforms of a failure; `None` selects the default.
    waves: Option<PathBuf>,
    /// The first failure since reset, which later checks repeat: it explains all others.
    pub(crate) failure: Option<LockstepError>,
    cycle: u64,
    visibility: Visibility,
    /// The compared signals of the model after the last edge, and the number of words used.
    sample: Box<[u64; MOST_WORDS]>,
    words: usize,
    /// Instants that the RTL has yet to execute. Without a lead it has executed all of them.
    log: Log,
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
        let (visibility, twins) = (rtl.visibility(), twins(&signals, &model, rtl.as_ref())?);
        let mut by_clocks: BTreeMap<u8, Vec<Watch>> = BTreeMap::new();
        let compared = signals.iter().filter(|signal| visibility.shows(signal));
        for (signal, watch) in compared.zip(&twins.watches) {
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
            rtl: FollowerThread::new(Follower::new(rtl, words)),
            signals,
            watches: twins.watches,
            memories: twins.memories,
            replay: Replay::default(),
            waves: None,
            failure: None,
            cycle: 0,
            visibility,
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
        self.coverage.restart(&*self.sample);
        self.restart_log();
        self.stillness.end();
        self.failure = None;
        // A failure before the reset is discarded.
        let (follower, _) = self.rtl.wait();
        follower.forget();
        follower.rtl.expect(&*self.sample);
        follower.rtl.reset(1, &mut vec![0; words_for(M::Out::WIDTH)])?;
        let (model, rtl) = (follower.expected(), follower.gather());
        if model == rtl {
            return Ok(());
        }
        let pins_i = vec![0; words_for(M::In::WIDTH)];
        let (before, history) = (model.clone(), Vec::new());
        let fault = Fault { cycle: self.cycle, pins_i, before, model, rtl, stop: None, history };
        Err(Box::new(self.subject().explain(&fault)).into())
    }

    /// Clears the log for instants after the present one.
    fn restart_log(&mut self) {
        self.log.restart(self.cycle, &self.sample[..self.words]);
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

    /// Sets the folder for the waveforms of a failure. The default is `tmp/divergence` in the target folder for
    /// a test of cargo, otherwise `divergence` in the folder for temporary files.
    pub fn waves(mut self, folder: impl Into<PathBuf>) -> Self {
        self.waves = Some(folder.into());
        self
    }

    /// Sets the registers that are not 0 while the device resets its state machines; see
    /// [`Coverage::resets`].
    pub fn resets(mut self, registers: &[(&str, &str)]) -> Self {
        self.coverage.resets(&self.signals, registers);
        self
    }

    /// The compared signals.
    pub fn visibility(&self) -> Visibility {
        self.visibility
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
        let changes = self.model.resample(edges, self.visibility, &mut self.sample);
        if self.coverage.record(&*self.sample) {
            self.report_arcs(pins);
        }
        self.log.push(edges, pins, &changes, &self.sample);
        match self.log.is_still() {
            true => self.stillness.keep(edges, self.log.newest().pins_i),
            false => self.stillness.end(),
        }
        let followed = match self.lead {
            1 => self.rtl.follow_newest(&self.log),
            lead if self.log.len() < lead => return Ok(()),
            _ => self.rtl.send(&mut self.log),
        };
        if self.lead > 1 {
            self.restart_log();
        } else if self.log.len() >= LOGGED {
            self.rtl.keep(&mut self.log);
            self.restart_log();
        }
        followed.map_err(|fault| self.error(*fault))
    }

    /// Lets the RTL execute all instants of the model.
    pub fn catch_up(&mut self) -> Result<(), LockstepError> {
        if self.lead == 1 {
            return Ok(());
        }
        let followed = self.rtl.follow(&mut self.log);
        self.restart_log();
        followed.map_err(|fault| self.error(*fault))
    }

    /// Adds reports of undeclared arcs that the last edge took, which is not logged yet.
    #[cold]
    fn report_arcs(&mut self, pins: &M::In) {
        let mut pins_i = vec![0; words_for(M::In::WIDTH)];
        pins.put(&mut pins_i, 0, M::In::WIDTH);
        let (subject, before) = (self.subject(), self.log.before(self.log.len()));
        let reports = self.coverage.unreported().into_iter().map(|(machine, (from, to))| {
            let state = machine.table.state(from).unwrap_or_default();
            let report = subject.explain_arc(&machine.path, state, self.cycle, &before, &pins_i);
            (machine.show((from, to)), report)
        });
        let reports: Vec<_> = reports.collect();
        reports.into_iter().for_each(|(arc, report)| self.coverage.report(arc, report));
    }

    /// Appends the present values of all signals that the RTL shows, and 0 for the others. They equal those of the
    /// model unless a divergence has been reported.
    ///
    /// # Panics
    /// If the model runs ahead.
    pub fn sample_rtl(&self, words: &mut Vec<u64>) {
        let follower = self.rtl.here().filter(|_| self.lead == 1 || self.log.is_empty());
        words.extend(follower.expect("the RTL is sampled without a lead of the model").gather());
    }

    /// Lets the RTL catch up and compares the contents of all memories; the time is proportional to their
    /// size.
    pub fn compare_memories(&mut self) -> Result<(), LockstepError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
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
            clock: self.model.clocks()[0].name,
            cycle: self.cycle,
            differences: found,
            states: self.subject().states(&*self.sample),
            replay: self.replay.at(self.cycle),
            ..Divergence::default()
        })
        .into())
    }

    #[cold]
    fn error(&mut self, fault: Fault) -> LockstepError {
        let report = Box::new(self.subject().explain(&fault));
        let failure = match fault.stop {
            Some(_) => LockstepError::Stopped(report),
            None => LockstepError::Divergence(report),
        };
        self.failure.get_or_insert(failure).clone()
    }

    fn subject(&self) -> Subject {
        let compared = self.signals.iter().filter(|signal| self.visibility.shows(signal));
        Subject {
            clocks: self.model.clocks(),
            signals: compared.cloned().collect(),
            visibility: self.visibility,
            types: Observed::block_types(&self.model),
            pins_i: M::In::TABLE,
            replay: self.replay.clone(),
            folder: self.waves.clone(),
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
        match self.visibility {
            Visibility::Full => words.extend_from_slice(&self.sample[..self.words]),
            // The pins of blocks are out of date in the pair's own sample.
            Visibility::Lean => Observed::sample(&self.model, words),
        }
    }

    fn sample_twin(&self, words: &mut Vec<u64>) -> bool {
        let in_step = self.visibility == Visibility::Full && self.lead == 1 && self.rtl.here().is_some();
        if in_step {
            self.sample_rtl(words);
        }
        in_step
    }

    /// The next edge of the register's clock reports the difference, unless it overwrites the register.
    fn flip(&mut self, signal: usize, bit: u32) -> Result<(), NicError> {
        self.catch_up()?;
        self.rtl.wait().0.rtl.flip(twin_of(&self.signals[signal], &self.watches), bit)?;
        // The pair keeps no state that both sides have.
        self.stillness.end();
        Ok(())
    }

    fn memories(&self, words: &mut Vec<u64>) {
        Observed::memories(&self.model, words);
    }

    fn check(&mut self) -> Result<(), NicError> {
        Ok(self.compare_memories()?)
    }
}
