//! The verdict on a world: what goes wrong in it, and how soon.

use crate::core::graph::{Graph, Stop};
use crate::gigae_pm::state::State;
use crate::gigae_pm::world::{Action, Violation, World};

/// The shortest way to where something went wrong.
pub type Trace = crate::core::graph::Trace<State, Action>;

/// How a state from which no completion can be reached goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trap {
    /// It comes to rest: nothing can happen any more.
    Deadlock,
    /// It goes on without end.
    Livelock,
}

/// What exploration found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// States visited.
    pub states: usize,
    /// Violations, each with its shortest trace.
    pub violations: Vec<(Violation, Trace)>,
    /// The nearest state from which completion is out of reach.
    pub trap: Option<(Trap, Trace)>,
    /// The nearest state where nothing can happen any more although something is left to do.
    pub rest: Option<Trace>,
}

impl Verdict {
    /// No violation and no trap.
    pub fn holds(&self) -> bool {
        self.violations.is_empty() && self.trap.is_none()
    }

    /// Events of the shortest trace to a violation.
    pub fn events_to(&self, violation: Violation) -> Option<usize> {
        self.violations.iter().find(|(found, _)| *found == violation).map(|(_, trace)| trace.steps.len())
    }

    /// Events to the nearest deadlock that is complete: where nothing is on its way any more.
    pub fn rests_after(&self) -> Option<usize> {
        self.rest.as_ref().map(|trace| trace.steps.len())
    }

    /// Kind of the nearest trap, and events to it.
    pub fn trapped_after(&self) -> Option<(Trap, usize)> {
        self.trap.as_ref().map(|(trap, trace)| (*trap, trace.steps.len()))
    }
}

/// A world has more states than were allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyStates(pub usize);

impl std::fmt::Display for TooManyStates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "more than {} states", self.0)
    }
}

impl std::error::Error for TooManyStates {}

impl World {
    /// Explores the world, at most `limit` states of it.
    pub fn check(&self, limit: usize) -> Result<Verdict, TooManyStates> {
        self.check_with(limit, &mut || ())
    }

    /// The same, and tells of every state that it looks at.
    pub fn check_with(&self, limit: usize, looks: &mut dyn FnMut()) -> Result<Verdict, TooManyStates> {
        let graph = Graph::whole(self, limit, looks)?;
        let trace = |state| graph.way_to(state);
        let violations = Violation::ALL.into_iter().filter_map(|violation| {
            let state = graph.states.iter().position(|state| self.violates(state, violation))?;
            Some((violation, trace(state)))
        });
        let trap = self.reach(&graph).iter().position(|reaches| !reaches).map(|state| {
            let trap = if graph.can_end(state) { Trap::Deadlock } else { Trap::Livelock };
            (trap, trace(state))
        });
        let at_rest = |&i: &usize| graph.successors(i).is_empty() && !self.complete(&graph.states[i]);
        let rest = (0..graph.states.len()).find(at_rest).map(trace);
        Ok(Verdict { states: graph.states.len(), violations: violations.collect(), trap, rest })
    }

    /// Whether the world is free of violations and traps; found sooner than all that is wrong.
    pub fn is_safe_and_live(&self, limit: usize) -> Result<bool, TooManyStates> {
        let wrong = |state: &State| Violation::ALL.into_iter().any(|kind| self.violates(state, kind));
        match Graph::explore(self, limit, wrong) {
            (_, Some(Stop::Avoided)) => Ok(false),
            (_, Some(Stop::TooMany)) => Err(TooManyStates(limit)),
            (graph, None) => Ok(self.reach(&graph).into_iter().all(|reaches| reaches)),
        }
    }

    fn reach(&self, graph: &Graph<Self>) -> Vec<bool> {
        graph.reaching(|state| self.complete(state))
    }
}
