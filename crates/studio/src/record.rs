//! A run as one HTML file that opens without memonet.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dsh::Boards;
use machine_api::Subject;
use serde::Serialize;

use crate::capture::{Frame, MOST_WORDS};
use crate::hello::Structure;
use crate::page;
use crate::protocol::{Call, Event, Hello, Ruler, Said, SourceFile};
use crate::simulator::{Audience, Simulator, shell};
use crate::snapshot::Snapshot;
use crate::sources::sources;

/// Content of the file.
#[derive(Serialize)]
pub struct Recording {
    pub hello: Hello,
    pub end_ps: u64,
    pub nic: &'static str,
    pub frames: Vec<Frame>,
    pub events: Vec<Event>,
    pub said: Vec<Said>,
    /// Calls of programs on hosts.
    pub calls: Vec<Call>,
    /// Stages of the last message of each recorded node that sent one.
    pub rulers: BTreeMap<usize, Ruler>,
}

/// The recording with the sources of the blocks with state machines, and their drawings.
#[derive(Serialize)]
struct Complete<'a> {
    #[serde(flatten)]
    recording: &'a Recording,
    sources: BTreeMap<&'a str, Vec<SourceFile>>,
    figures: BTreeMap<&'a str, String>,
}

impl Recording {
    /// The page that shows it.
    pub fn page(&self, structure: &Structure) -> String {
        let Hello { tables, blocks, .. } = &self.hello;
        let figures = tables.iter().map(|table| table.figure.as_str());
        let figures = figures.filter_map(|figure| Some((figure, page::figure(figure)?))).collect();
        let with_states =
            blocks.iter().filter(|block| block.registers.iter().any(|register| register.table.is_some()));
        let sources = with_states.filter_map(|block| Some((&*block.path, sources(structure, &block.path)?)));
        let complete = Complete { recording: self, sources: sources.collect(), figures };
        page::alone(&serde_json::to_string(&complete).expect("it is text and numbers"))
    }
}

/// Lines and their outputs.
#[derive(Default)]
struct Lines(RefCell<Vec<Said>>);

impl Audience for Lines {
    fn show(&self, _snapshot: Snapshot) {}

    fn tell(&self, said: Said) {
        self.0.borrow_mut().push(said);
    }
}

/// Executes the lines of a script on a fresh cluster; returns the page with the recording.
pub fn record<M: Subject>(
    nodes: usize,
    boards: Rc<dyn Boards<M>>,
    kind: &str,
    script: &[String],
) -> Result<String, String> {
    let shell = shell(nodes, boards, kind)?;
    let mut simulator = Simulator::new(shell, Arc::new(AtomicBool::new(false)));
    let capture = simulator.capture();
    let lines = Lines::default();
    for line in script {
        let name = line.split_whitespace().next().unwrap_or_default();
        if ["back", "forward", "restore", "nic"].contains(&name) {
            return Err(format!("{line}: a recording goes forward in time; leave this line out"));
        }
        simulator.enter(line, &lines).map_err(|error| format!("{line}: {error}"))?;
    }
    let capture = std::mem::take(&mut *capture.borrow_mut());
    if capture.is_full() {
        return Err(format!("the recording has more than {MOST_WORDS} changes; shorten the script"));
    }
    let hello = simulator.hello();
    let rulers = (0..hello.recorded).filter_map(|node| Some((node, simulator.ruler(node).ok()?))).collect();
    let (end_ps, nic, events) = simulator.recorded();
    let (said, frames) = (lines.0.take(), capture.frames);
    let recording = Recording { hello, end_ps, nic, frames, events, said, calls: Vec::new(), rulers };
    Ok(recording.page(simulator.structure()))
}
