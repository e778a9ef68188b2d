//! Boards whose every edge goes into waveform files.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::iter;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::Context;
use cluster::Stage;
use dimmnet2::Dimmnet2;
use hdl::{
    Bundle, Clock, Edges, Kind, MOST_CLOCKS, Nic, NicError, Quiet, Role, Signal, SignalRole, words_for,
};
use waveform::{Format, Layout, Pick, RecordError, Recorder, Scope, View};

use crate::anatomy::{self, STAGES};
use crate::device::Known;
use crate::nic::Board;

/// The files that boards write to.
struct Files {
    recorders: Vec<Recorder>,
    /// Time of the last record.
    now: u64,
    /// By board: when its pins become idle unless it walks another edge, their scope, and what they hold then.
    idle: Vec<Option<(u64, usize, Vec<u64>)>>,
    /// Scope of the stages, and when each of those to come begins.
    stages: usize,
    coming: VecDeque<(u64, u64)>,
}

impl Files {
    /// Records what became idle before that time.
    fn settle(&mut self, time: u64) -> Result<(), RecordError> {
        for board in 0..self.idle.len() {
            if let Some((due, scope, words)) = self.idle[board].take_if(|(due, ..)| *due < time) {
                self.record(due, scope, &words)?;
            }
        }
        Ok(())
    }

    /// Records a sample. A board that slept walks its last edges after the others, so what it shows then, which is
    /// nothing new, may be late.
    fn record(&mut self, time: u64, scope: usize, words: &[u64]) -> Result<(), RecordError> {
        self.reach(time)?;
        self.write(time, scope, words)
    }

    /// Records the stages that begin by that time.
    fn reach(&mut self, time: u64) -> Result<(), RecordError> {
        while let Some(&(begin, code)) = self.coming.front()
            && begin <= time
        {
            self.coming.pop_front();
            self.write(begin, self.stages, &[code])?;
        }
        Ok(())
    }

    fn write(&mut self, time: u64, scope: usize, words: &[u64]) -> Result<(), RecordError> {
        self.now = self.now.max(time);
        self.recorders.iter_mut().try_for_each(|recorder| recorder.record(self.now, scope, words))
    }
}

/// Where waveforms go, and what goes into them.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The files, and for each the name of its layout.
    pub files: Vec<(PathBuf, PathBuf)>,
    /// How many boards to record, beginning with `node0`.
    pub nodes: usize,
    /// Nothing is recorded before this core clock edge.
    pub from: u64,
    /// What the layouts show first.
    pub view: View,
    /// The stages of a message, known from the same run without waveforms.
    pub stages: Vec<Stage>,
}

impl Recording {
    /// A run from that core clock edge on, as VCD and FST of that name, each with a layout beside it.
    pub fn new(folder: &Path, name: &str, from: u64, view: View) -> Self {
        let file =
            |ending| (folder.join(format!("{name}.{ending}")), folder.join(format!("{name}.{ending}.gtkw")));
        Self { nodes: usize::MAX, ..Self::golden(vec![file("vcd"), file("fst")], from, view) }
    }

    /// The same of `node0` only, into these files.
    pub fn golden(files: Vec<(PathBuf, PathBuf)>, from: u64, view: View) -> Self {
        Self { files, nodes: 1, from, view, stages: Vec::new() }
    }

    /// When each stage begins, and its code; before the first one and after the last it is 0.
    fn changes(&self) -> VecDeque<(u64, u64)> {
        let begin = |stage: &Stage| (stage.begin.ps(), anatomy::code(stage.name));
        let Some(last) = self.stages.last() else { return VecDeque::new() };
        let end = ((last.begin + last.duration).ps(), 0);
        iter::once((0, 0)).chain(self.stages.iter().map(begin)).chain([end]).collect()
    }
}

/// Waveforms of several boards, `node0` first, and for each file a layout that GTKWave opens on the interesting
/// signals.
pub struct Waves {
    files: Rc<RefCell<Files>>,
    layouts: Vec<PathBuf>,
}

/// Waveforms begin here: boards, and what they write to.
///
/// `node0` holds the input pins of a board, as the edge at that time takes them; `node0.model` and `node0.rtl`
/// hold the blocks, as the edge leaves them. `message.stage` tells where the message is.
pub fn record<D: Known>(
    recording: &Recording,
    boards: Vec<Board<D>>,
) -> anyhow::Result<(Waves, Vec<Recorded<D>>)> {
    let pins_i = [pins_i::<D::In>()];
    let shown = boards.len().min(recording.nodes);
    let mut names = Vec::new();
    for (node, board) in boards[..shown].iter().enumerate() {
        names.push((format!("node{node}"), &pins_i[..]));
        names.extend(board.sides().iter().map(|side| (format!("node{node}.{side}"), board.signals())));
    }
    let stage = [stage()];
    let stages = names.len();
    if !recording.stages.is_empty() {
        names.push(("message".to_string(), &stage));
    }
    let scopes: Vec<_> = names.iter().map(|(name, signals)| Scope { name, signals }).collect();

    let layout = Layout::new(&scopes, &[&[STAGE], D::PICKS].concat());
    let (mut recorders, mut layouts) = (Vec::new(), Vec::new());
    for (path, gtkw) in &recording.files {
        for folder in [path.parent(), gtkw.parent()].into_iter().flatten() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        recorders.push(Recorder::create(path, 1, &scopes)?);
        let format = Format::of(path).expect("a recorder was made for it");
        std::fs::write(gtkw, layout.gtkw(format, recording.view))
            .with_context(|| format!("cannot write {}", gtkw.display()))?;
        layouts.push(gtkw.clone());
    }

    let files = Rc::new(RefCell::new(Files {
        recorders,
        now: 0,
        idle: vec![None; shown],
        stages,
        coming: recording.changes(),
    }));
    let mut first = 0;
    let recorded = boards.into_iter().enumerate().map(|(node, board)| {
        let sides = if node < shown { board.sides().len() } else { 0 };
        let from = if node < shown { recording.from } else { u64::MAX };
        let files = files.clone();
        let scope = first;
        first += 1 + sides;
        let (pins, edges, words) = (D::In::default(), [0; MOST_CLOCKS], Vec::new());
        Recorded { files, node, scope, from, board, pins, edges, words }
    });
    let mut recorded: Vec<_> = recorded.collect();
    for board in &mut recorded {
        board.note().map_err(|error| anyhow::anyhow!(error))?;
    }
    Ok((Waves { files, layouts }, recorded))
}

/// What a layout shows of the stages.
const STAGE: Pick = Pick { title: "Stage", signals: &[("", &["stage"])] };

/// The stage of a message as a signal.
fn stage() -> Signal {
    let role = SignalRole::Register(Kind::Machine(&STAGES));
    let width = STAGES.width();
    Signal { block: String::new(), name: "stage", width, word: 0, role, clocks: Edges::all(MOST_CLOCKS) }
}

fn packed<In: Bundle>(pins: &In) -> Vec<u64> {
    let mut words = vec![0; words_for(In::WIDTH)];
    pins.put(&mut words, 0, In::WIDTH);
    words
}

/// The input pins of a board as a signal; the device shows its output pins itself.
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
    /// Ends the files; where they are, and the layouts beside them.
    pub fn finish(self) -> anyhow::Result<Vec<PathBuf>> {
        let mut files = self.files.borrow_mut();
        files.reach(u64::MAX)?;
        let finish = |recorder| Ok(Recorder::finish(recorder)?.path);
        let paths: anyhow::Result<Vec<_>> = files.recorders.drain(..).map(finish).collect();
        Ok(paths?.into_iter().chain(self.layouts).collect())
    }
}

/// A board that writes to waveform files after every edge.
pub struct Recorded<D: Known = Dimmnet2> {
    files: Rc<RefCell<Files>>,
    node: usize,
    /// Its first scope: the input pins; the sides follow.
    scope: usize,
    /// Core clock edge from which on it writes.
    from: u64,
    board: Board<D>,
    /// The input pins at the last edge.
    pins: D::In,
    /// Edges so far of each clock; they are the time.
    edges: [u64; MOST_CLOCKS],
    words: Vec<u64>,
}

impl<D: Known> Recorded<D> {
    /// The board.
    pub fn board(&mut self) -> &mut Board<D> {
        &mut self.board
    }

    fn note(&mut self) -> Result<(), NicError> {
        if self.edges[0] < self.from {
            return Ok(());
        }
        let mut files = self.files.borrow_mut();
        let time = self.time();
        let idle = D::idle_pins(&self.pins);
        files.settle(time)?;
        files.idle[self.node] = None;
        files.record(time, self.scope, &packed(&self.pins))?;
        if idle != self.pins {
            files.idle[self.node] = Some((time + D::CLOCKS[0].period_ps, self.scope, packed(&idle)));
        }
        for side in 0..self.board.sides().len() {
            self.words.clear();
            self.board.sample_side(side, &mut self.words);
            files.record(time, self.scope + 1 + side, &self.words)?;
        }
        Ok(())
    }

    /// Time of the last edge.
    fn time(&self) -> u64 {
        let last = |(clock, edges): (&Clock, &u64)| clock.period_ps * edges;
        D::CLOCKS.iter().zip(&self.edges).map(last).max().unwrap_or(0)
    }
}

impl<D: Known> Nic for Recorded<D> {
    type In = D::In;
    type Out = D::Out;

    fn clocks(&self) -> &'static [Clock] {
        D::CLOCKS
    }

    fn outputs(&self) -> &D::Out {
        self.board.outputs()
    }

    fn edge(&mut self, edges: Edges, pins: &D::In) -> Result<(), NicError> {
        let done = self.board.edge(edges, pins);
        self.pins = *pins;
        edges.iter().for_each(|clock| self.edges[clock] += 1);
        // A divergence is what one wants to see, so it is recorded before it is told.
        self.note()?;
        done
    }

    fn quiescent(&self) -> Quiet {
        match self.board.quiescent() {
            // What a device counts meanwhile is to be seen.
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
