//! Observers while time passes: break points, watches, a waveform file.

use std::path::{Path, PathBuf};

use cluster::{Direction, Machine, Node, Time};
use machine_api::TargetError;
use thiserror::Error;
use waveform::{Recorder, Scope, Summary};

use crate::break_point::{BreakPoint, Subject};
use crate::frames::SeenFrame;
use crate::values::{Register, sample};

/// Most changes that one line reports.
const NOTES: usize = 10_000;

/// Why a waveform file failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TraceError {
    /// A file is being written already.
    #[error("a trace goes to {0} already; end it with trace off")]
    On(PathBuf),
    /// No file is being written.
    #[error("no trace is on")]
    Off,
    /// The file cannot be written.
    #[error("{path}: {error}")]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the file.
        error: String,
    },
}

struct Trace {
    path: PathBuf,
    recorder: Recorder,
    failed: Option<String>,
}

/// All observers.
#[derive(Default)]
pub(crate) struct Looking {
    breaks: Vec<BreakPoint>,
    /// Links whose frames break points need.
    links: Vec<Direction>,
    watches: Vec<(Register, u64)>,
    trace: Option<Trace>,
    /// Reports of changes.
    notes: Vec<String>,
    samples: Vec<Vec<u64>>,
}

impl Looking {
    pub fn is_on(&self) -> bool {
        !self.breaks.is_empty() || !self.watches.is_empty() || self.trace.is_some()
    }

    /// Takes the reports since the last call.
    pub fn notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Adds a break point.
    pub fn add_break<M: Machine>(&mut self, subject: Subject, nodes: &[Node<M>]) {
        self.breaks.push(BreakPoint::new(subject, nodes));
        self.find_links(nodes.len());
    }

    /// Finds the links whose frames break points need.
    fn find_links(&mut self, nodes: usize) {
        let frames = self.breaks.iter().filter_map(BreakPoint::frames);
        self.links = frames.flat_map(|condition| condition.links(nodes)).collect();
        self.links.sort_unstable();
        self.links.dedup();
    }

    /// The links whose frames break points need.
    pub fn links(&self) -> &[Direction] {
        &self.links
    }

    /// Removes the break point that was added last; returns whether it was met.
    pub fn take_break(&mut self, nodes: usize) -> bool {
        let met = self.breaks.pop().is_some_and(|point| point.is_met());
        self.find_links(nodes);
        met
    }

    /// Break points as text.
    pub fn breaks(&self) -> impl Iterator<Item = String> {
        self.breaks.iter().map(ToString::to_string)
    }

    /// Removes break point `n`, counted from 0, or all; returns whether there was one.
    pub fn remove_break(&mut self, n: Option<usize>, nodes: usize) -> bool {
        match n {
            Some(n) if n < self.breaks.len() => drop(self.breaks.remove(n)),
            Some(_) => return false,
            None => self.breaks.clear(),
        }
        self.find_links(nodes);
        true
    }

    /// Reports all later changes of a register.
    pub fn add_watch<M: Machine>(&mut self, register: Register, nodes: &[Node<M>]) {
        let value = register.value(&sample(&nodes[register.node]));
        self.watches.push((register, value));
    }

    pub fn watches(&self) -> impl Iterator<Item = &Register> {
        self.watches.iter().map(|(register, _)| register)
    }

    pub fn clear_watches(&mut self) {
        self.watches.clear();
    }

    /// Begins a waveform file of all boards; its path is relative to `folder`.
    pub fn trace_on<M: Machine>(
        &mut self,
        path: &Path,
        folder: &Path,
        now: Time,
        nodes: &[Node<M>],
    ) -> Result<(), TraceError> {
        if let Some(trace) = &self.trace {
            return Err(TraceError::On(trace.path.clone()));
        }
        let failed = |error: String| TraceError::File { path: path.to_path_buf(), error };
        // Opening a pipe for writing would block the server until a reader opens it.
        if std::fs::metadata(folder.join(path)).is_ok_and(|there| !there.is_file()) {
            return Err(failed("this is no regular file; choose another name".to_string()));
        }
        let names: Vec<_> = nodes.iter().map(|node| format!("node{}", node.id())).collect();
        let scopes: Vec<_> = names
            .iter()
            .zip(nodes)
            .map(|(name, node)| Scope { name, signals: node.nic().signals() })
            .collect();
        let mut recorder =
            Recorder::create(folder.join(path), 1, &scopes).map_err(|error| failed(error.to_string()))?;
        for (scope, node) in nodes.iter().enumerate() {
            recorder.record(now.ps(), scope, &sample(node)).map_err(|error| failed(error.to_string()))?;
        }
        self.trace = Some(Trace { path: path.to_path_buf(), recorder, failed: None });
        Ok(())
    }

    /// Whether a waveform file is being written.
    pub fn is_tracing(&self) -> bool {
        self.trace.is_some()
    }

    /// Ends the file and returns a summary.
    pub fn trace_off(&mut self) -> Result<String, TraceError> {
        let Trace { path, recorder, failed } = self.trace.take().ok_or(TraceError::Off)?;
        let ended = recorder.finish();
        match (failed, ended) {
            (Some(error), _) => Err(TraceError::File { path, error }),
            (None, Err(error)) => Err(TraceError::File { path, error: error.to_string() }),
            // Only numbers that are the same for all kinds of boards: RTL is sampled at more instants than an idle
            // model.
            (None, Ok(Summary { variables, changes, .. })) => {
                Ok(format!("{}: {variables} variables, {changes} changes", path.display()))
            }
        }
    }

    /// Starts anew after time was reversed or boards were replaced: samples all values and ends a waveform file.
    pub fn begin_again<M: Machine>(&mut self, nodes: &[Node<M>]) {
        let samples: Vec<_> = nodes.iter().map(sample).collect();
        for point in &mut self.breaks {
            point.begin_again(&samples);
        }
        for (register, value) in &mut self.watches {
            *value = register.value(&samples[register.node]);
        }
        if self.trace.is_some() {
            let end = self.trace_off().unwrap_or_else(|error| error.to_string());
            self.notes.push(format!("the trace ends where time was turned back: {end}"));
        }
    }

    /// Whether the observers need samples of a node.
    fn observes(&self, node: usize) -> bool {
        self.trace.is_some()
            || self.breaks.iter().filter_map(BreakPoint::register).any(|register| register.node == node)
            || self.watches.iter().any(|(register, _)| register.node == node)
    }

    /// Samples the observed boards; a break point that becomes true, or that one of the frames meets, is an error.
    pub fn look<M: Machine>(
        &mut self,
        now: Time,
        nodes: &[Node<M>],
        frames: &[SeenFrame],
    ) -> Result<(), TargetError> {
        let mut samples = std::mem::take(&mut self.samples);
        samples.resize_with(nodes.len(), Vec::new);
        for (number, (words, node)) in samples.iter_mut().zip(nodes).enumerate() {
            // A sample has hundreds of words, and this is done at every instant.
            if self.observes(number) {
                words.clear();
                node.nic().sample(words);
            }
        }
        self.samples = samples;
        if let Some(trace) = &mut self.trace {
            for (scope, words) in self.samples.iter().enumerate() {
                let done = trace.recorder.record(now.ps(), scope, words);
                trace.failed = trace.failed.take().or(done.err().map(|error| error.to_string()));
            }
        }
        for (register, value) in &mut self.watches {
            let words = &self.samples[register.node];
            let new = register.value(words);
            if new != *value {
                *value = new;
                if self.notes.len() > NOTES {
                    continue;
                }
                if self.notes.len() == NOTES {
                    self.notes.push(format!("(no more than {NOTES} changes are told)"));
                    continue;
                }
                let show = register.show(words);
                self.notes.push(format!("{now} node{}.{} = {show}", register.node, register.name));
            }
        }
        let mut hit = None;
        for point in &mut self.breaks {
            let met = point.look(&self.samples, frames);
            hit = hit.or(met);
        }
        hit.map_or(Ok(()), |met| Err(TargetError::Break(format!("break at {now}: {met}"))))
    }
}
