//! Boards whose every edge goes into waveform files.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::Context;
use cluster::Clocks;
use dimmnet2::pins::{In, Out};
use hdl::{Edges, Nic, NicError, Quiet, Signal};
use waveform::{DIMMNET2, Format, Layout, Recorder, Scope, Summary};

use crate::nic::Board;

/// The files that boards write to.
type Files = Rc<RefCell<Vec<Recorder>>>;

/// Waveforms of several boards, `node0` first: a VCD, an FST, and for each a layout that GTKWave opens on the
/// interesting signals.
pub struct Waves {
    files: Files,
    layouts: Vec<PathBuf>,
}

/// Waveforms begin here: boards, and what they write to.
pub fn record(folder: &Path, name: &str, boards: Vec<Board>) -> anyhow::Result<(Waves, Vec<Recorded>)> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut names = Vec::new();
    for (node, board) in boards.iter().enumerate() {
        names.extend(board.sides().iter().map(|side| (node, format!("node{node}.{side}"))));
    }
    let scopes: Vec<_> =
        names.iter().map(|(node, name)| Scope { name, signals: boards[*node].signals() }).collect();

    let (mut files, mut layouts) = (Vec::new(), Vec::new());
    for (format, ending) in [(Format::Vcd, "vcd"), (Format::Fst, "fst")] {
        let path = folder.join(format!("{name}.{ending}"));
        files.push(Recorder::create(&path, 1, &scopes)?);
        let layout = folder.join(format!("{name}.{ending}.gtkw"));
        std::fs::write(&layout, Layout::new(&scopes, DIMMNET2).gtkw(format))
            .with_context(|| format!("cannot write {}", layout.display()))?;
        layouts.push(layout);
    }

    let files = Rc::new(RefCell::new(files));
    let mut first = 0;
    let recorded = boards.into_iter().map(|board| {
        let scopes = first..first + board.sides().len();
        first = scopes.end;
        let mut recorded = Recorded { files: files.clone(), scopes, board, edges: [0; 2], words: Vec::new() };
        recorded.note().map(|()| recorded)
    });
    let recorded = recorded.collect::<Result<_, NicError>>().map_err(|error| anyhow::anyhow!(error))?;
    Ok((Waves { files, layouts }, recorded))
}

impl Waves {
    /// Ends the files; what each holds, and the layouts beside them.
    pub fn finish(self) -> anyhow::Result<(Vec<Summary>, Vec<PathBuf>)> {
        let files = std::mem::take(&mut *self.files.borrow_mut());
        let summaries = files.into_iter().map(Recorder::finish).collect::<Result<_, _>>()?;
        Ok((summaries, self.layouts))
    }
}

/// A board that writes to waveform files after every edge.
pub struct Recorded {
    files: Files,
    scopes: std::ops::Range<usize>,
    board: Board,
    /// Edges so far of the core clock and of the network clock; they are the time.
    edges: [u64; 2],
    words: Vec<u64>,
}

impl Recorded {
    fn note(&mut self) -> Result<(), NicError> {
        let clocks = Clocks::DIMMNET2;
        let time = clocks.core.period.ps() * self.edges[0];
        let time = time.max(clocks.network.period.ps() * self.edges[1]);
        for (side, scope) in self.scopes.clone().enumerate() {
            self.words.clear();
            self.board.sample_side(side, &mut self.words);
            for file in self.files.borrow_mut().iter_mut() {
                file.record(time, scope, &self.words)?;
            }
        }
        Ok(())
    }
}

impl Nic for Recorded {
    type In = In;
    type Out = Out;

    fn outputs(&self) -> &Out {
        self.board.outputs()
    }

    fn edge(&mut self, edges: Edges, pins: &In) -> Result<(), NicError> {
        let done = self.board.edge(edges, pins);
        self.edges[0] += edges.core as u64;
        self.edges[1] += edges.network as u64;
        // A divergence is what one wants to see, so it is recorded before it is told.
        self.note()?;
        done
    }

    fn quiescent(&self) -> Quiet {
        self.board.quiescent()
    }

    fn skip(&mut self, core_edges: u64, network_edges: u64) {
        self.board.skip(core_edges, network_edges);
        self.edges[0] += core_edges;
        self.edges[1] += network_edges;
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

    fn check(&self) -> Result<(), NicError> {
        self.board.check()
    }
}
