//! Records a run of programs: registers and states after every edge, and the calls of hosts.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::rc::Rc;

use cluster::{AnyNic, Cluster, In, Out};
use hdl::{Clock, Edges, MOST_CLOCKS, Nic, NicError, Quiet, Signal};
use machine_api::Subject;

use crate::capture::Capture;
use crate::hello::Structure;
use crate::history::RECORDED;
use crate::protocol::{Call, Event};
use crate::record::Recording;

/// Most changes of states.
const MOST_EVENTS: usize = 200_000;

/// A run from power-on until it ends, or until the recording is full.
pub struct RunRecorder<M> {
    structure: Structure,
    nodes: usize,
    recorded: RefCell<Recorded>,
    machine: PhantomData<M>,
}

#[derive(Default)]
struct Recorded {
    capture: Capture,
    /// States of the first nodes after the last edge.
    codes: Vec<Vec<u64>>,
    events: Vec<Event>,
    calls: Vec<Call>,
    /// By node, the index of the call that its program is in.
    current: BTreeMap<usize, usize>,
    end_ps: u64,
    is_full: bool,
}

impl<M: Subject> RunRecorder<M> {
    /// A recorder for a cluster of `nodes` nodes.
    pub fn new(nodes: usize) -> Self {
        let structure = Structure::of::<M>();
        let recorded = Recorded::default();
        RunRecorder { structure, nodes, recorded: RefCell::new(recorded), machine: PhantomData }
    }

    /// The devices of all nodes, recorded from now on.
    pub fn around(self: &Rc<Self>, nics: Vec<Box<AnyNic<M>>>) -> Vec<Box<AnyNic<M>>> {
        let recorded = |(node, nic)| {
            let nic = RecordedNic { nic, node, edges: [0; MOST_CLOCKS], recorder: self.clone() };
            nic.record();
            Box::new(nic) as Box<AnyNic<M>>
        };
        nics.into_iter().enumerate().map(recorded).collect()
    }

    /// Records the library calls of the programs of a cluster from now on.
    pub fn observe_calls(self: &Rc<Self>, cluster: &mut Cluster<M>) {
        for node in cluster.here() {
            let recorder = self.clone();
            cluster.node_mut(node).observe_calls(Box::new(move |now, function| {
                recorder.call(node, now.ps(), function);
            }));
        }
    }

    /// Records the words of a node after an edge.
    fn sample(&self, node: usize, time_ps: u64, sample: impl FnOnce(&mut Vec<u64>)) {
        let recorded = &mut *self.recorded.borrow_mut();
        if recorded.is_full || node >= RECORDED {
            return;
        }
        let mut words = Vec::new();
        sample(&mut words);
        recorded.codes.resize_with(recorded.codes.len().max(node + 1), Vec::new);
        let codes = &mut recorded.codes[node];
        codes.resize(self.structure.lanes.len(), u64::MAX);
        for (number, (old, lane)) in codes.iter_mut().zip(&self.structure.lanes).enumerate() {
            let code = lane.code(&words);
            if *old != code {
                *old = code;
                recorded.events.push(Event { time_ps, node, lane: number, code });
            }
        }
        recorded.capture.sample(time_ps, node, words);
        recorded.end_ps = recorded.end_ps.max(time_ps);
        recorded.is_full = recorded.capture.is_full() || recorded.events.len() > MOST_EVENTS;
    }

    /// The program of a node enters a function, or runs on.
    pub fn call(&self, node: usize, time_ps: u64, function: Option<&str>) {
        let recorded = &mut *self.recorded.borrow_mut();
        if let Some(call) = recorded.current.remove(&node) {
            recorded.calls[call].end_ps = time_ps;
        }
        if let Some(name) = function.filter(|_| !recorded.is_full && node < RECORDED) {
            recorded.current.insert(node, recorded.calls.len());
            let name = name.to_string();
            recorded.calls.push(Call { node, name, begin_ps: time_ps, end_ps: u64::MAX });
        }
    }

    /// The page that shows the run, and the time in ps at which the recording was full, if it was.
    pub fn page(&self, nic: &'static str) -> (String, Option<u64>) {
        let recorded = std::mem::take(&mut *self.recorded.borrow_mut());
        let Recorded { capture, mut events, mut calls, end_ps, is_full, .. } = recorded;
        // Each node has its own time within an epoch of the run.
        let mut frames = capture.frames;
        frames.sort_by_key(|frame| frame.time_ps);
        events.sort_by_key(|event| event.time_ps);
        calls.retain(|call| call.begin_ps <= end_ps);
        calls.iter_mut().for_each(|call| call.end_ps = call.end_ps.min(end_ps));
        let hello = self.structure.hello::<M>(self.nodes, 0);
        let (said, rulers) = (Vec::new(), BTreeMap::new());
        let recording = Recording { hello, end_ps, nic, frames, events, said, calls, rulers };
        (recording.page(&self.structure), is_full.then_some(end_ps))
    }
}

/// A device whose signals are recorded after every edge. The run is the same as without.
struct RecordedNic<M: Subject> {
    nic: Box<AnyNic<M>>,
    node: usize,
    /// Edges of each clock so far, from which the time follows.
    edges: [u64; MOST_CLOCKS],
    recorder: Rc<RunRecorder<M>>,
}

impl<M: Subject> RecordedNic<M> {
    fn record(&self) {
        let last = |(clock, edges): (&Clock, &u64)| clock.period_ps * edges;
        let time_ps = self.nic.clocks().iter().zip(&self.edges).map(last).max().unwrap_or(0);
        self.recorder.sample(self.node, time_ps, |words| self.nic.sample(words));
    }
}

impl<M: Subject> Nic for RecordedNic<M> {
    type In = In<M>;
    type Out = Out<M>;

    fn clocks(&self) -> &'static [Clock] {
        self.nic.clocks()
    }

    fn outputs(&self) -> &Out<M> {
        self.nic.outputs()
    }

    fn edge(&mut self, edges: Edges, pins: &In<M>) -> Result<(), NicError> {
        let done = self.nic.edge(edges, pins);
        edges.iter().for_each(|clock| self.edges[clock] += 1);
        // A divergence is recorded before it is reported.
        self.record();
        done
    }

    fn quiescent(&self) -> Quiet {
        self.nic.quiescent()
    }

    fn resting(&self) -> Edges {
        self.nic.resting()
    }

    fn skip(&mut self, edges: &[u64]) {
        self.nic.skip(edges);
        self.edges.iter_mut().zip(edges).for_each(|(sum, edges)| *sum += edges);
    }

    fn signals(&self) -> &[Signal] {
        self.nic.signals()
    }

    fn sample(&self, words: &mut Vec<u64>) {
        self.nic.sample(words);
    }

    fn sample_twin(&self, words: &mut Vec<u64>) -> bool {
        self.nic.sample_twin(words)
    }

    fn memories(&self, words: &mut Vec<u64>) {
        self.nic.memories(words);
    }

    fn flip(&mut self, signal: usize, bit: u32) -> Result<(), NicError> {
        self.nic.flip(signal, bit)
    }

    fn check(&mut self) -> Result<(), NicError> {
        self.nic.check()
    }
}
