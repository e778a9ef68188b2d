//! Boards that record waveforms.

mod calls;
mod files;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::iter;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::Context;
use cluster::{AnyNic, In, Out, Stage, Switch, Time};
use hdl::{
    Bundle, Clock, Device, Edges, Kind, MOST_CLOCKS, Nic, NicError, Quiet, Role, Signal, SignalRole,
    words_for,
};
use machine_api::{Nics, Placement};
use waveform::{Differs, Format, Layout, Pick, Recorder, Scope, View};

use self::files::Files;
use crate::machines::Built;
use crate::nic::{Board, Maker};
use crate::output;

/// Files and contents of waveforms.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Files, each with the path of its layout.
    pub files: Vec<(PathBuf, PathBuf)>,
    /// Number of recorded boards, beginning with `node0`.
    pub nodes: usize,
    /// First recorded core clock edge.
    pub from: u64,
    /// Last recorded core clock edge.
    pub until: u64,
    /// Time window in which viewers open.
    pub view: View,
    /// Stages of a message, known from the same run without waveforms.
    pub stages: Vec<Stage>,
    /// Nodes of the ranks whose MPI calls are recorded too.
    pub ranks: Option<Placement>,
}

impl Recording {
    /// Records from the core clock edge `from` on, as VCD and FST, each with a layout in the same folder.
    ///
    /// The files are named after the machine and after what is recorded, so that runs of different machines or
    /// programs do not overwrite each other: `dimmnet2_botf.fst`.
    pub fn new(folder: &Path, machine: &str, what: &str, from: u64, view: View) -> Self {
        let name = format!("{machine}_{what}");
        let file =
            |ending| (folder.join(format!("{name}.{ending}")), folder.join(format!("{name}.{ending}.gtkw")));
        Self { nodes: usize::MAX, ..Self::golden(vec![file("vcd"), file("fst")], from, view) }
    }

    /// Records `node0` only, into these files.
    pub fn golden(files: Vec<(PathBuf, PathBuf)>, from: u64, view: View) -> Self {
        Self { files, nodes: 1, from, until: u64::MAX, view, stages: Vec::new(), ranks: None }
    }

    /// The same without files of other formats.
    pub fn only(mut self, formats: &[Format]) -> Self {
        self.files.retain(|(path, _)| Format::of(path).is_some_and(|format| formats.contains(&format)));
        self
    }

    /// The waveform files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(path, _)| path.as_path())
    }

    /// The formats of the files.
    pub fn formats(&self) -> impl Iterator<Item = Format> {
        self.paths().filter_map(Format::of)
    }

    /// Begin and code of each stage; the code is 0 before the first and after the last.
    fn changes<M: Built>(&self) -> VecDeque<(u64, u64)> {
        let begin = |stage: &Stage| (stage.begin.ps(), M::code(stage.name));
        let Some(last) = self.stages.last() else { return VecDeque::new() };
        let end = ((last.begin + last.duration).ps(), 0);
        iter::once((0, 0)).chain(self.stages.iter().map(begin)).chain([end]).collect()
    }
}

/// Waveforms of several boards, `node0` first, with a GTKWave layout of the interesting signals for each
/// file.
pub struct Waves {
    files: Rc<RefCell<Files>>,
    layout: Layout,
    /// Files of the layout, with the formats of their waveforms.
    layouts: Vec<(Format, PathBuf)>,
    /// Scope of the calls of each rank; empty if nodes run no ranks.
    calls: Vec<usize>,
}

/// Creates the files and the boards that write to them.
///
/// `node0` contains the input pins of a board as the edge samples them. `node0.model` and `node0.rtl` contain
/// the blocks after the edge, and `node0.differs` marks blocks that differ. `message.stage` is the stage of
/// the message, `node0.mpi.call` the MPI function that the rank is in; two ranks of a node have `node0.mpi0.call`
/// and `node0.mpi1.call`.
pub fn record<M: Built>(
    recording: &Recording,
    boards: Vec<Board<M>>,
) -> anyhow::Result<(Waves, Vec<RecordedBoard<M>>)> {
    let pins_i = [pins_i::<In<M>>()];
    let shown = boards.len().min(recording.nodes);
    let differs = Rc::new(Differs::new(boards.first().map(|board| board.signals()).unwrap_or_default()));
    let mut names = Vec::new();
    let mut first = Vec::new();
    for (node, board) in boards[..shown].iter().enumerate() {
        first.push(names.len());
        names.push((format!("node{node}"), &pins_i[..]));
        names.extend(board.sides().iter().map(|side| (format!("node{node}.{side}"), board.signals())));
        if board.sides().len() > 1 {
            names.push((format!("node{node}.differs"), differs.signals()));
        }
    }
    let (call, begin) = ([calls::signal()], names.len());
    names.extend(rank_scopes(recording.ranks, shown).map(|name| (name, &call[..])));
    let calls: Vec<_> = (begin..names.len()).collect();
    let stage = [stage::<M>()];
    let stages = names.len();
    if !recording.stages.is_empty() {
        names.push(("message".to_string(), &stage));
    }
    let scopes: Vec<_> = names.iter().map(|(name, signals)| Scope { name, signals }).collect();

    let layout = Layout::new(&scopes, &[&[STAGE, calls::PICK], M::SHOWN].concat());
    let (mut recorders, mut layouts) = (Vec::new(), Vec::new());
    for (path, gtkw) in &recording.files {
        for folder in [path.parent(), gtkw.parent()].into_iter().flatten() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        recorders.push(Recorder::create(path, 1, &scopes)?);
        layouts.push((Format::of(path).expect("a recorder was made for it"), gtkw.clone()));
    }

    let ahead = <M::Switch as Switch>::lookahead(&M::SWITCH).ps();
    let mut files = Files::new(recorders, shown, (stages, recording.changes::<M>()), ahead);
    calls.iter().try_for_each(|scope| files.record(0, *scope, &[calls::code(None)]))?;
    let files = Rc::new(RefCell::new(files));
    let folder = recording.files.first().and_then(|(path, _)| path.parent()).unwrap_or(Path::new(""));
    let recorded = boards.into_iter().enumerate().map(|(node, board)| {
        let board = board.waves(folder);
        // A board that is not recorded starts at an edge that never comes.
        let (scope, from) = first.get(node).map_or((0, u64::MAX), |scope| (*scope, recording.from));
        let until = recording.until;
        let (files, differs) = (files.clone(), differs.clone());
        let (pins, edges, samples) = (In::<M>::default(), [0; MOST_CLOCKS], Default::default());
        RecordedBoard { files, node, scope, from, until, board, pins, edges, samples, differs }
    });
    let mut recorded: Vec<_> = recorded.collect();
    for board in &mut recorded {
        board.record_edge().map_err(|error| anyhow::anyhow!(error))?;
    }
    let waves = Waves { files, layout, layouts, calls };
    waves.show(recording.view)?;
    Ok((waves, recorded))
}

/// Names of the scopes of all ranks on the first `nodes` nodes, in the order of ranks.
fn rank_scopes(placement: Option<Placement>, nodes: usize) -> impl Iterator<Item = String> {
    placement.into_iter().flat_map(move |placement| {
        let shown = move |rank: &usize| placement.node(*rank) < nodes;
        (0..placement.ranks()).filter(shown).map(move |rank| match placement.per_node() {
            1 => format!("node{rank}.mpi"),
            _ => format!("node{}.mpi{}", placement.node(rank), placement.slot(rank)),
        })
    })
}

/// Opens boards that write to waveform files. Boards of a second `open` are not recorded.
pub struct Recorders<'a, M: Built> {
    maker: &'a Maker<M>,
    recording: &'a Recording,
    waves: RefCell<Option<Waves>>,
}

impl<'a, M: Built> Recorders<'a, M> {
    /// The files are created with the boards.
    pub fn new(maker: &'a Maker<M>, recording: &'a Recording) -> Self {
        Recorders { maker, recording, waves: RefCell::new(None) }
    }

    /// A callback for the calls of ranks: rank, time, and the function that it is in.
    #[cfg(feature = "programs")]
    pub fn calls(&self) -> impl Fn(usize, Time, Option<&str>) + use<M> {
        let waves = self.waves.borrow();
        let (files, calls) = waves.as_ref().map(|waves| (waves.files.clone(), waves.calls.clone())).unzip();
        move |rank, now, function| {
            if let (Some(files), Some(calls)) = (&files, &calls)
                && let Some(scope) = calls.get(rank)
            {
                // A write error appears again at the next edge of a board.
                let _ = files.borrow_mut().record(now.ps(), *scope, &[calls::code(function)]);
            }
        }
    }

    /// Completes the files, after the boards are dropped.
    pub fn finish(self) -> anyhow::Result<Vec<PathBuf>> {
        self.waves.into_inner().map_or(Ok(Vec::new()), Waves::finish)
    }
}

impl<M: Built> Nics<M> for Recorders<'_, M> {
    fn open(&self, count: usize) -> anyhow::Result<Vec<Box<AnyNic<M>>>> {
        let mut waves = self.waves.borrow_mut();
        if waves.is_some() {
            return self.maker.open(count);
        }
        let (begun, boards) = record(self.recording, self.maker.boards(count)?)?;
        *waves = Some(begun);
        Ok(boards.into_iter().map(|board| Box::new(board) as Box<AnyNic<M>>).collect())
    }

    fn settings(&self) -> M::Settings {
        self.maker.settings()
    }
}

/// The stages in a layout.
const STAGE: Pick = Pick { title: "Stage", signals: &[("", &["stage"])] };

/// The stage of a message as a signal.
fn stage<M: Built>() -> Signal {
    let role = SignalRole::Register(Kind::StateMachine(M::STAGES));
    let width = M::STAGES.width();
    Signal { block: String::new(), name: "stage", width, word: 0, role, clocks: Edges::all(MOST_CLOCKS) }
}

fn packed<In: Bundle>(pins: &In) -> Vec<u64> {
    let mut words = vec![0; words_for(In::WIDTH)];
    pins.put(&mut words, 0, In::WIDTH);
    words
}

/// The input pins of a board as a signal; the device contains its output pins.
fn pins_i<In: Bundle>() -> Signal {
    let role = SignalRole::Pins(Role::Inputs, In::TABLE);
    Signal {
        block: String::new(),
        name: "pins_i",
        width: In::WIDTH,
        word: 0,
        role,
        clocks: Edges::all(MOST_CLOCKS),
    }
}

impl Waves {
    /// Writes the layouts; viewers open in this time window.
    pub fn show(&self, view: View) -> anyhow::Result<()> {
        let write = |(format, path): &(Format, PathBuf)| {
            output::write(path, self.layout.gtkw(*format, view).as_bytes())
        };
        self.layouts.iter().try_for_each(write)
    }

    /// Completes the files and returns their paths and those of the layouts.
    pub fn finish(self) -> anyhow::Result<Vec<PathBuf>> {
        let mut files = self.files.borrow_mut();
        files.end()?;
        let finish = |recorder| Ok(Recorder::finish(recorder)?.path);
        let paths: anyhow::Result<Vec<_>> = files.recorders.drain(..).map(finish).collect();
        Ok(paths?.into_iter().chain(self.layouts.into_iter().map(|(_, path)| path)).collect())
    }
}

/// A board that records its signals after every edge.
pub struct RecordedBoard<M: Built> {
    files: Rc<RefCell<Files>>,
    node: usize,
    /// Scope of the input pins; the scopes of the sides and of their differences follow.
    scope: usize,
    /// First and last core clock edge that is recorded.
    from: u64,
    until: u64,
    board: Board<M>,
    /// Input pins at the last edge.
    pins: In<M>,
    /// Edges of each clock so far, from which the time follows.
    edges: [u64; MOST_CLOCKS],
    /// Values of both sides after the last edge, and their differences.
    samples: [Vec<u64>; 3],
    differs: Rc<Differs>,
}

impl<M: Built> RecordedBoard<M> {
    /// The recorded board.
    pub fn board(&mut self) -> &mut Board<M> {
        &mut self.board
    }

    fn record_edge(&mut self) -> Result<(), NicError> {
        if !(self.from..=self.until).contains(&self.edges[0]) {
            return Ok(());
        }
        let mut files = self.files.borrow_mut();
        let time = self.time();
        let idle = M::idle_pins(&self.pins);
        files.settle(time, self.node)?;
        files.record(time, self.scope, &packed(&self.pins))?;
        if idle != self.pins {
            let due = time + M::Device::CLOCKS[0].period_ps;
            files.becomes_idle(self.node, due, self.scope, packed(&idle));
        }
        self.samples.iter_mut().for_each(Vec::clear);
        let sides = self.board.sides().len();
        for side in 0..sides {
            self.board.sample_side(side, &mut self.samples[side]);
        }
        let [one, other, differs] = &mut self.samples;
        if sides > 1 {
            self.differs.sample(one, other, differs);
        }
        for (scope, sample) in (self.scope + 1..).zip(&self.samples).filter(|(_, sample)| !sample.is_empty())
        {
            files.record(time, scope, sample)?;
        }
        Ok(())
    }

    /// Picoseconds at the last edge.
    fn time(&self) -> u64 {
        let last = |(clock, edges): (&Clock, &u64)| clock.period_ps * edges;
        M::Device::CLOCKS.iter().zip(&self.edges).map(last).max().unwrap_or(0)
    }
}

impl<M: Built> Nic for RecordedBoard<M> {
    type In = In<M>;
    type Out = Out<M>;

    fn clocks(&self) -> &'static [Clock] {
        M::Device::CLOCKS
    }

    fn outputs(&self) -> &Out<M> {
        self.board.outputs()
    }

    fn edge(&mut self, edges: Edges, pins: &In<M>) -> Result<(), NicError> {
        let done = self.board.edge(edges, pins);
        self.pins = *pins;
        edges.iter().for_each(|clock| self.edges[clock] += 1);
        // A divergence is recorded before it is reported, so that the waveforms show it.
        self.record_edge()?;
        done
    }

    // `resting` reports no clock as resting, so the node does not fast-forward polling loops and the
    // waveforms show their accesses.

    fn quiescent(&self) -> Quiet {
        match self.board.quiescent() {
            // Waveforms of a lockstep pair show that the RTL was compared at every edge.
            _ if self.board.sides().len() > 1 => Quiet::Busy,
            // Counters of the device must appear in the waveforms.
            Quiet::For(_) => Quiet::Busy,
            quiet => quiet,
        }
    }

    fn skip(&mut self, edges: &[u64]) {
        self.board.skip(edges);
        self.edges.iter_mut().zip(edges).for_each(|(sum, edges)| *sum += edges);
    }

    fn signals(&self) -> &[Signal] {
        self.board.signals()
    }

    fn sample(&self, words: &mut Vec<u64>) {
        self.board.sample(words);
    }

    fn memories(&self, words: &mut Vec<u64>) {
        self.board.memories(words);
    }

    fn check(&mut self) -> Result<(), NicError> {
        self.board.check()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::ValueEnum;
    use waveform::variables;

    use super::*;
    use crate::machines::{Name, with_machine};

    /// Asserts that every pick names existing signals, and that the first one lists the states of all state
    /// machines.
    fn check_picks<M: Built>() {
        let (pins, signals) = ([pins_i::<In<M>>()], hdl::signals(&M::Device::default()));
        let all = variables(&[
            Scope { name: "node0", signals: &pins },
            Scope { name: "node0.model", signals: &signals },
        ]);
        for pick in M::SHOWN {
            for (block, names) in pick.signals {
                for name in *names {
                    let is = |found: &str| found == *name || name.ends_with('.') && found.starts_with(name);
                    let found = all.iter().any(|v| v.block == *block && is(&v.name));
                    assert!(found, "{}, {}: {block} has no {name}", M::NAME, pick.title);
                }
            }
        }
        // Registers that hold the state of a state machine; other blocks may hold copies.
        let machines = all.iter().filter(|v| v.machine.is_some() && v.name == "state");
        let machines: BTreeSet<_> = machines.map(|v| v.block.as_str()).collect();
        let states: BTreeSet<_> = M::SHOWN[0].signals.iter().map(|(block, _)| *block).collect();
        assert_eq!(states, machines, "{}", M::NAME);
    }

    #[test]
    fn picks_name_existing_signals_and_all_state_machines() {
        for name in Name::value_variants() {
            with_machine!(*name, M => check_picks::<M>());
        }
    }
}
