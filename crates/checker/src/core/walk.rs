//! Walking a model: every reachable state is judged, and the graph shows from where no end can be reached.

use std::hash::Hash;

use stateright::Model;

use super::graph::{Graph, Trace};
use super::verdict::{Finding, Judged, Step, TooManyStates, Verdict, Wrong};

/// How a run goes on that cannot reach an end any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trap {
    /// It may come to rest: to a state without successors.
    Deadlock,
    /// It goes on for ever.
    Livelock,
}

/// Called for each state that a walk visits.
pub type OnVisit<'a> = &'a mut dyn FnMut();

/// A model that judges its own states and tells its traces in words.
pub trait Walk: Model<State: Clone + Eq + Hash, Action: Copy> {
    /// Kinds of findings.
    type Wrong: Wrong;

    /// The trace of a deadlock leads on to the nearest state without successors.
    const TELLS_REST: bool = true;

    /// Violations that a state shows by itself.
    fn wrong(&self, state: &Self::State) -> Vec<Self::Wrong>;

    /// All work is done.
    fn is_complete(&self, state: &Self::State) -> bool;

    /// A run may stop here. Besides completion, that may be a violation after which nothing can be done.
    fn is_end(&self, state: &Self::State) -> bool {
        self.is_complete(state)
    }

    /// The kind of finding that a trap is.
    fn trap(trap: Trap) -> Self::Wrong;

    /// An action in words, between the states before and after it.
    fn happens(&self, before: &Self::State, action: Self::Action, after: &Self::State) -> String;

    /// An action in words that cannot happen in a state.
    fn skipped(&self, state: &Self::State, action: Self::Action) -> String {
        self.happens(state, action, state)
    }

    /// The contents of each node and channel, a line each.
    fn knowledge(&self, _: &Self::State) -> Vec<String> {
        Vec::new()
    }

    /// Seconds that a run has waited when it is complete.
    fn waited_s(&self, _: &Self::State) -> u32 {
        0
    }

    /// Walks at most `limit` states.
    fn check(&self, limit: usize) -> Judged<Self::Wrong>
    where
        Self: Sized,
    {
        Ok(Exploration::new(self, limit, &mut || ())?.verdict())
    }
}

/// A kind of finding and the trace to it.
pub type Traced<M> = (<M as Walk>::Wrong, Trace<<M as Model>::State, <M as Model>::Action>);

/// Where in a graph a kind of finding is.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<W> {
    /// Its kind.
    pub wrong: W,
    /// The first state that shows it.
    pub first: usize,
    /// The state that its trace leads to.
    pub shown: usize,
    /// The nearest state without successors, of a trap.
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
