//! A run as one HTML file that opens without memonet.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dsh::{Boards, Shell, Start};
use machine_api::Subject;
use serde::Serialize;

use crate::capture::{Frame, MOST_WORDS};
use crate::page;
use crate::protocol::{Event, Hello, Ruler, Said, SourceFile};
use crate::simulator::{Audience, Simulator};
use crate::snapshot::Snapshot;

/// Content of the file.
#[derive(Serialize)]
struct Recording {
    hello: Hello,
    end_ps: u64,
    nic: &'static str,
    frames: Vec<Frame>,
    events: Vec<Event>,
    said: Vec<Said>,
    /// Sources of the blocks with state machines.
    sources: BTreeMap<String, Vec<SourceFile>>,
    figures: BTreeMap<String, String>,
    /// Stages of the last message of each recorded node that sent one.
    rulers: BTreeMap<usize, Ruler>,
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
    start: Start,
    boards: Rc<dyn Boards<M>>,
    kind: &str,
    script: &[String],
) -> Result<String, String> {
    let shell = Shell::start(start, boards, kind).map_err(|error| error.to_string())?;
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
    if capture.words > MOST_WORDS {
        return Err(format!("the recording has more than {MOST_WORDS} changes; shorten the script"));
    }
    let hello = simulator.hello();
    let figures =
        hello.tables.iter().filter_map(|table| Some((table.figure.clone(), page::figure(&table.figure)?)));
    let with_states =
        hello.blocks.iter().filter(|block| block.registers.iter().any(|register| register.table.is_some()));
    let sources = with_states.filter_map(|block| Some((block.path.clone(), simulator.sources(&block.path)?)));
    let sources = sources.collect();
    let rulers = (0..hello.recorded).filter_map(|node| Some((node, simulator.ruler(node).ok()?))).collect();
    let (end_ps, nic, events) = simulator.recorded();
    let recording = Recording {
        end_ps,
        nic,
        events,
        frames: capture.frames,
        said: lines.0.take(),
        sources,
        figures: figures.collect(),
        rulers,
        hello: hello.clone(),
    };
    Ok(page::alone(&serde_json::to_string(&recording).expect("it is text and numbers")))
}
