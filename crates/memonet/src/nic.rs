//! `--nic model|rtl|lockstep`: the three implementations of a device.

#[cfg(all(test, feature = "lean"))]
mod tests;

use std::fmt;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use clap::ValueEnum;
use cluster::{AnyNic, In, Out};
use hdl::{Clock, Device, Edges, Model, Nic, NicError, Quiet, Signal, Visibility};
use machine_api::Nics;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::machines::{Built, Name, with_machine};
use crate::output;

/// Implementation of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The Rust model.
    Model,
    /// The Verilated SystemVerilog.
    Rtl,
    /// Model and RTL, compared register by register after every clock edge.
    #[default]
    Lockstep,
}

impl Kind {
    /// The value of `--nic`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Model => "model",
            Kind::Rtl => "rtl",
            Kind::Lockstep => "lockstep",
        }
    }

    /// Cycles of a completed run that were compared and skipped; unknown outside lockstep.
    pub fn compared(self) -> Option<ComparedCycles> {
        (self == Kind::Lockstep).then(ComparedCycles::so_far)
    }

    /// Divergences of a completed run: 0 in lockstep, unknown otherwise.
    pub fn divergences(self) -> Option<u32> {
        (self == Kind::Lockstep).then_some(0)
    }
}

/// The binary contains the RTL: its feature `rtl` was enabled, and Verilator was installed, when it was
/// built.
pub fn has_rtl() -> bool {
    with_machine!(Name::default(), M => Board::<M>::open(Kind::Rtl, 0, "").is_ok())
}

/// Clock edges by which a model may run ahead of its RTL. A block of 256 edges is about 0.1 ms of work, long
/// compared with waking a thread, and its log fits the cache.
#[cfg(feature = "rtl")]
const LEAD: usize = 256;

/// Cycles that lockstep boards of this process have compared, and skipped at rest.
static COMPARED: AtomicU64 = AtomicU64::new(0);
static SKIPPED: AtomicU64 = AtomicU64::new(0);

/// A pair without the pins of its blocks has diverged.
static DIVERGED_LEAN: AtomicBool = AtomicBool::new(false);

/// Pairs compare the pins of their blocks in all runs.
static FULL: AtomicBool = AtomicBool::new(false);

/// Whether a command that met a divergence runs again, with the pins of all blocks compared. It does so once: the
/// same run then names the wrong wire too.
pub fn repeats_with_pins() -> bool {
    let repeats = DIVERGED_LEAN.swap(false, Relaxed) && !FULL.swap(true, Relaxed);
    if repeats {
        ComparedCycles::restart();
        output::aside(
            "memonet: model and RTL differ; the run is repeated with the pins of all blocks compared",
        );
    }
    repeats
}

/// Signals that a long run compares: a build may have no RTL without the pins of blocks.
pub fn of_long_runs() -> Visibility {
    if cfg!(feature = "lean") && !FULL.load(Relaxed) { Visibility::Lean } else { Visibility::Full }
}

/// Cycles of the first clock in the lockstep boards of a run: a sum over all boards.
#[derive(Clone, Copy, Debug)]
pub struct ComparedCycles {
    /// Cycles after which model and RTL were compared.
    pub compared: u64,
    /// Cycles at rest that neither side executed.
    pub skipped: u64,
}

impl ComparedCycles {
    /// Counts from 0 again, for the next run of the same command.
    pub fn restart() {
        COMPARED.store(0, Relaxed);
        SKIPPED.store(0, Relaxed);
    }

    /// The sums since the last restart.
    pub fn so_far() -> Self {
        ComparedCycles { compared: COMPARED.load(Relaxed), skipped: SKIPPED.load(Relaxed) }
    }
}

impl fmt::Display for ComparedCycles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cycles compared, {} skipped at rest", self.compared, self.skipped)
    }
}

/// Calls the implementation of a board.
macro_rules! on {
    ($board:expr, $nic:ident => $call:expr) => {
        match $board {
            Board::Model($nic) => $call,
            #[cfg(feature = "rtl")]
            Board::Rtl($nic) => $call,
            #[cfg(feature = "rtl")]
            Board::Lockstep($nic) => $call,
        }
    };
}

/// A board with one of the three implementations.
pub enum Board<M: Built> {
    /// The Rust model.
    Model(Box<Model<M::Device>>),
    /// The Verilated SystemVerilog.
    #[cfg(feature = "rtl")]
    Rtl(Box<cosim::Rtl<In<M>, Out<M>>>),
    /// Model and RTL, compared.
    #[cfg(feature = "rtl")]
    Lockstep(Box<cosim::Lockstep<Model<M::Device>>>),
}

impl<M: Built> Board<M> {
    /// A board after reset, with the pins of all blocks. `seed` and `command` appear in the report of a
    /// divergence, to repeat the run.
    pub fn open(kind: Kind, seed: u64, command: &str) -> anyhow::Result<Self> {
        Self::with(Visibility::Full, kind, seed, command)
    }

    /// A board after reset for a long run: lockstep does not compare the pins of blocks, if the build has RTL
    /// without them.
    pub fn open_lean(kind: Kind, seed: u64, command: &str) -> anyhow::Result<Self> {
        Self::with(
            if kind == Kind::Lockstep { of_long_runs() } else { Visibility::Full },
            kind,
            seed,
            command,
        )
    }

    /// A board after reset.
    #[cfg(feature = "rtl")]
    pub fn with(visibility: Visibility, kind: Kind, seed: u64, command: &str) -> anyhow::Result<Self> {
        let model = Model::new(M::Device::default());
        Ok(match kind {
            Kind::Model => Board::Model(Box::new(model)),
            Kind::Rtl => Board::Rtl(Box::new(cosim::Rtl::open(&model, M::rtl(visibility)?)?)),
            Kind::Lockstep => {
                let lockstep = cosim::Lockstep::open(model, M::rtl(visibility)?)?;
                Board::Lockstep(Box::new(lockstep.resets(M::RESETS).replay(seed, command)))
            }
        })
    }

    /// A board after reset.
    #[cfg(not(feature = "rtl"))]
    pub fn with(_visibility: Visibility, kind: Kind, _seed: u64, _command: &str) -> anyhow::Result<Self> {
        match kind {
            Kind::Model => Ok(Board::Model(Box::new(Model::new(M::Device::default())))),
            _ => anyhow::bail!(
                "the RTL was not built because this memonet was built without its feature `rtl`; use --nic model"
            ),
        }
    }

    /// The signals that a lockstep pair compares; all for the other implementations.
    pub fn compared(&self) -> impl Iterator<Item = &Signal> {
        let visibility = match self {
            #[cfg(feature = "rtl")]
            Board::Lockstep(lockstep) => lockstep.visibility(),
            _ => Visibility::Full,
        };
        on!(self, nic => nic.signals()).iter().filter(move |signal| visibility.shows(signal))
    }

    /// Names of the sides in waveforms.
    pub fn sides(&self) -> &'static [&'static str] {
        match self {
            Board::Model(_) => &["model"],
            #[cfg(feature = "rtl")]
            Board::Rtl(_) => &["rtl"],
            #[cfg(feature = "rtl")]
            Board::Lockstep(_) => &["model", "rtl"],
        }
    }

    /// Appends the present values of all signals of a side.
    pub fn sample_side(&self, side: usize, words: &mut Vec<u64>) {
        match (self, side) {
            #[cfg(feature = "rtl")]
            (Board::Lockstep(lockstep), 1) => lockstep.sample_rtl(words),
            _ => on!(self, nic => nic.sample(words)),
        }
    }

    /// The lockstep pair; `None` for the other implementations.
    #[cfg(feature = "rtl")]
    pub fn lockstep(&mut self) -> Option<&mut cosim::Lockstep<Model<M::Device>>> {
        match self {
            Board::Lockstep(lockstep) => Some(lockstep),
            _ => None,
        }
    }

    /// Lets the model of a lockstep pair run ahead of its RTL. Waveforms of the RTL need them in step.
    pub fn ahead(self) -> Self {
        match self {
            #[cfg(feature = "rtl")]
            Board::Lockstep(lockstep) => Board::Lockstep(Box::new(lockstep.lead(LEAD))),
            board => board,
        }
    }

    /// Sets the folder for the waveforms of a divergence.
    #[cfg_attr(not(feature = "rtl"), expect(unused_variables, reason = "a model alone does not diverge"))]
    pub fn waves(self, folder: &Path) -> Self {
        match self {
            #[cfg(feature = "rtl")]
            Board::Lockstep(lockstep) => Board::Lockstep(Box::new(lockstep.waves(folder))),
            board => board,
        }
    }
}

/// Notes a divergence of a pair that compares these signals.
#[cfg(feature = "rtl")]
#[cold]
fn note(visibility: Visibility) {
    DIVERGED_LEAN.fetch_or(visibility == Visibility::Lean, Relaxed);
}

/// Opens boards of one implementation.
pub struct Maker<M: Built> {
    kind: Kind,
    seed: u64,
    command: String,
    settings: M::Settings,
}

impl<M: Built> Maker<M> {
    /// `seed` and `command` appear in the report of a divergence, to repeat the run.
    pub fn new(kind: Kind, seed: u64, command: impl Into<String>) -> Self {
        Maker { kind, seed, command: command.into(), settings: M::Settings::default() }
    }

    /// Sets the settings of the machine.
    pub fn with(self, settings: M::Settings) -> Self {
        Maker { settings, ..self }
    }

    /// Opens `count` boards after reset; lockstep pairs compare every edge at once, with the pins of all blocks.
    pub fn boards(&self, count: usize) -> anyhow::Result<Vec<Board<M>>> {
        (0..count).map(|_| Board::open(self.kind, self.seed, &self.command)).collect()
    }

    /// Opens `N` boards after reset for a long run; the models of lockstep pairs run ahead of their RTL.
    pub fn ahead<const N: usize>(&self) -> anyhow::Result<[Board<M>; N]> {
        let boards: Vec<_> = self.long_runs(N)?;
        Ok(boards.try_into().unwrap_or_else(|_| unreachable!("{N} boards were opened")))
    }

    fn long_runs(&self, count: usize) -> anyhow::Result<Vec<Board<M>>> {
        let board = |_| Ok(Board::open_lean(self.kind, self.seed, &self.command)?.ahead());
        (0..count).map(board).collect()
    }
}

impl<M: Built> Nics<M> for Maker<M> {
    /// The models of lockstep pairs run ahead of their RTL.
    fn open(&self, count: usize) -> anyhow::Result<Vec<Box<AnyNic<M>>>> {
        let boxed = |board| match board {
            // A model needs no board around it: a call of a board is made for every edge.
            Board::Model(model) => model as Box<AnyNic<M>>,
            #[cfg(feature = "rtl")]
            board => Box::new(board),
        };
        Ok(self.long_runs(count)?.into_iter().map(boxed).collect())
    }

    fn settings(&self) -> M::Settings {
        self.settings.clone()
    }
}

impl<M: Built> Nic for Board<M> {
    type In = In<M>;
    type Out = Out<M>;

    fn clocks(&self) -> &'static [Clock] {
        M::Device::CLOCKS
    }

    fn outputs(&self) -> &Out<M> {
        on!(self, nic => nic.outputs())
    }

    fn edge(&mut self, edges: Edges, pins: &In<M>) -> Result<(), NicError> {
        match self {
            Board::Model(nic) => nic.edge(edges, pins),
            #[cfg(feature = "rtl")]
            Board::Rtl(nic) => nic.edge(edges, pins),
            #[cfg(feature = "rtl")]
            Board::Lockstep(nic) => {
                COMPARED.fetch_add(u64::from(edges.meets(Edges::FIRST)), Relaxed);
                let visibility = nic.visibility();
                nic.edge(edges, pins).inspect_err(|_| note(visibility))
            }
        }
    }

    fn quiescent(&self) -> Quiet {
        on!(self, nic => nic.quiescent())
    }

    fn resting(&self) -> Edges {
        on!(self, nic => nic.resting())
    }

    fn skip(&mut self, edges: &[u64]) {
        match self {
            Board::Model(nic) => nic.skip(edges),
            // Verilated RTL alone is never quiescent.
            #[cfg(feature = "rtl")]
            Board::Rtl(_) => {}
            #[cfg(feature = "rtl")]
            Board::Lockstep(nic) => {
                nic.skip(edges);
                SKIPPED.fetch_add(edges[0], Relaxed);
            }
        }
    }

    fn registers_after(&mut self, edges: &[u64], words: &mut Vec<u64>) -> bool {
        match self {
            Board::Model(nic) => nic.registers_after(edges, words),
            // A pair does not sleep while a counter of the model runs.
            #[cfg(feature = "rtl")]
            Board::Rtl(_) | Board::Lockstep(_) => false,
        }
    }

    fn signals(&self) -> &[Signal] {
        on!(self, nic => nic.signals())
    }

    fn sample(&self, words: &mut Vec<u64>) {
        on!(self, nic => nic.sample(words));
    }

    fn sample_registers(&self, words: &mut Vec<u64>) {
        on!(self, nic => nic.sample_registers(words));
    }

    fn sample_twin(&self, words: &mut Vec<u64>) -> bool {
        on!(self, nic => nic.sample_twin(words))
    }

    fn memories(&self, words: &mut Vec<u64>) {
        on!(self, nic => nic.memories(words));
    }

    fn flip(&mut self, signal: usize, bit: u32) -> Result<(), NicError> {
        on!(self, nic => nic.flip(signal, bit))
    }

    fn check(&mut self) -> Result<(), NicError> {
        match self {
            Board::Model(nic) => nic.check(),
            #[cfg(feature = "rtl")]
            Board::Rtl(nic) => nic.check(),
            #[cfg(feature = "rtl")]
            Board::Lockstep(nic) => {
                let visibility = nic.visibility();
                nic.check().inspect_err(|_| note(visibility))
            }
        }
    }
}
