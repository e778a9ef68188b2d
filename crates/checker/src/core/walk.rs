//! Exploration of a model: violations in every reachable state, and states from which no end is reachable.

use std::hash::Hash;

use stateright::Model;

use super::graph::{Graph, Trace};
use super::verdict::{Finding, Judged, Step, TooManyStates, Verdict, Wrong};

/// Kind of a run that can no longer reach an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trap {
    /// It can reach a state without successors.
    Deadlock,
    /// It continues for ever.
    Livelock,
}

/// Called for each state that a walk visits.
pub type OnVisit<'a> = &'a mut dyn FnMut();

/// A model that recognises failures in its states and describes its actions in words.
pub trait Walk: Model<State: Clone + Eq + Hash, Action: Copy> {
    /// Kinds of findings.
    type Wrong: Wrong;

    /// The trace of a deadlock continues to the nearest state without successors.
    const TELLS_REST: bool = true;

    /// Violations in this state.
    fn wrong(&self, state: &Self::State) -> Vec<Self::Wrong>;

    /// All work is done.
    fn is_complete(&self, state: &Self::State) -> bool;

    /// A run may stop here: it is complete, or a violation has made completion impossible.
    fn is_end(&self, state: &Self::State) -> bool {
        self.is_complete(state)
    }

    /// The protocol's finding for a trap.
    fn trap(trap: Trap) -> Self::Wrong;

    /// Description of an action, given the states before and after it.
    fn happens(&self, before: &Self::State, action: Self::Action, after: &Self::State) -> String;

    /// Description of an action that is impossible in this state.
    fn skipped(&self, state: &Self::State, action: Self::Action) -> String {
        self.happens(state, action, state)
    }

    /// Contents of each node and channel, a line each.
    fn knowledge(&self, _: &Self::State) -> Vec<String> {
        Vec::new()
    }

    /// Seconds that a run has waited; read when it is complete.
    fn waited_s(&self, _: &Self::State) -> u32 {
        0
    }

    /// Explores all states, at most `limit`.
    fn check(&self, limit: usize) -> Judged<Self::Wrong>
    where
        Self: Sized,
    {
        Ok(Exploration::new(self, limit, &mut || ())?.verdict())
    }
}

/// A kind of finding and the trace to it.
pub type Traced<M> = (<M as Walk>::Wrong, Trace<<M as Model>::State, <M as Model>::Action>);

/// Place of a finding in a graph.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<W> {
    /// Kind of the finding.
    pub wrong: W,
    /// Nearest state that shows the finding.
    pub first: usize,
    /// Last state of the trace.
    pub shown: usize,
    /// For a trap, the nearest state without successors.
    rests: Option<usize>,
}

/// The graph of a model with its findings.
pub struct Exploration<'a, M: Walk> {
    model: &'a M,
    /// Every reachable state.
    pub graph: Graph<M>,
    /// The first state of each kind of finding, the nearest first.
    pub occurrences: Vec<Occurrence<M::Wrong>>,
    /// For every state whether an end can be reached.
    ends: Vec<bool>,
}

impl<'a, M: Walk> Exploration<'a, M> {
    /// Walks at most `limit` states and calls `on_visit` for each.
    pub fn new(model: &'a M, limit: usize, on_visit: OnVisit<'_>) -> Result<Self, TooManyStates> {
        let graph = Graph::whole(model, limit, on_visit)?;
        let mut occurrences: Vec<Occurrence<M::Wrong>> = Vec::new();
        for (state, wrongs) in graph.states.iter().map(|state| model.wrong(state)).enumerate() {
            for wrong in wrongs {
                if occurrences.iter().all(|occurrence| occurrence.wrong != wrong) {
                    occurrences.push(Occurrence { wrong, first: state, shown: state, rests: None });
                }
            }
        }
        let ends = graph.reaching(|state| model.is_end(state));
        if let Some(first) = ends.iter().position(|ends| !ends) {
            let trap = if graph.can_end(first) { Trap::Deadlock } else { Trap::Livelock };
            let rests = (0..ends.len()).find(|state| !ends[*state] && graph.successors(*state).is_empty());
            let shown = rests.filter(|_| M::TELLS_REST && trap == Trap::Deadlock).unwrap_or(first);
            occurrences.push(Occurrence { wrong: M::trap(trap), first, shown, rests });
        }
        occurrences.sort_by_key(|occurrence| (graph.distance(occurrence.first), occurrence.wrong));
        Ok(Self { model, graph, occurrences, ends })
    }

    /// The trace to a kind of finding, or to the nearest one.
    pub fn trace(&self, wrong: Option<M::Wrong>) -> Option<Traced<M>> {
        let is = |occurrence: &&Occurrence<M::Wrong>| wrong.is_none_or(|wrong| occurrence.wrong == wrong);
        let occurrence = self.occurrences.iter().find(is)?;
        Some((occurrence.wrong, self.graph.trace_to(occurrence.shown)))
    }

    /// All findings in words.
    pub fn verdict(&self) -> Verdict<M::Wrong> {
        let complete = self.graph.states.iter().filter(|state| self.model.is_complete(state));
        Verdict {
            states: self.graph.states.len(),
            findings: self.occurrences.iter().map(|occurrence| self.finding(occurrence)).collect(),
            waited_s: complete.map(|state| self.model.waited_s(state)).max().unwrap_or(0),
        }
    }

    fn finding(&self, occurrence: &Occurrence<M::Wrong>) -> Finding<M::Wrong> {
        let path = self.graph.path_to(occurrence.shown);
        let open = path.iter().take_while(|state| self.ends[**state]).count().max(1);
        Finding {
            events: self.graph.distance(occurrence.first),
            sealed: Some(open).filter(|open| occurrence.wrong.is_trap() && *open + 1 < path.len()),
            rests: occurrence.rests.map(|state| self.graph.distance(state)),
            ..describe(self.model, occurrence.wrong, &self.graph.trace_to(occurrence.shown))
        }
    }
}

/// A trace in words.
pub fn describe<M: Walk>(
    model: &M,
    wrong: M::Wrong,
    trace: &Trace<M::State, M::Action>,
) -> Finding<M::Wrong> {
    let mut before = &trace.start;
    let steps = trace.steps.iter().map(|(action, after)| {
        let happens = model.happens(before, *action, after);
        before = after;
        Step { happens, knowledge: model.knowledge(after) }
    });
    Finding {
        wrong,
        events: trace.steps.len(),
        steps: steps.collect(),
        start: model.knowledge(&trace.start),
        sealed: None,
        rests: None,
        times: None,
    }
}
