//! The verdict on a world: what goes wrong in it, and how soon.

use super::step::Time;
use super::world::{Action, PACKET, State, World, Wrong};
use crate::core::graph::Graph;
use crate::gigae_pm::verdict::TooManyStates;

/// The shortest way to where something goes wrong.
pub type Trace = crate::core::graph::Trace<State, Action>;

/// What exploration found.
pub struct Verdict {
    /// States visited.
    pub states: usize,
    /// What goes wrong, each with its shortest trace; the shortest first.
    pub found: Vec<(Wrong, Trace)>,
    /// The nearest state in which nothing can happen any more although not all has arrived.
    pub rest: Option<Trace>,
    /// Events on the way there until nothing could mend it any more.
    pub sealed: usize,
}

impl Verdict {
    /// Nothing goes wrong.
    pub fn holds(&self) -> bool {
        self.found.is_empty()
    }

    /// The way to the first state in which something is wrong.
    pub fn trace(&self, wrong: Wrong) -> Option<&Trace> {
        self.found.iter().find(|(found, _)| *found == wrong).map(|(_, trace)| trace)
    }

    /// The way to where something goes wrong; for a deadlock on to the nearest state in which nothing can happen any more.
    pub fn story(&self, wrong: Wrong) -> Option<Vec<Action>> {
        let rest = self.rest.as_ref().filter(|_| wrong == Wrong::Deadlock);
        let trace = rest.or(self.trace(wrong))?;
        Some(trace.steps.iter().map(|(action, _)| *action).collect())
    }

    /// Events until something goes wrong.
    pub fn events_to(&self, wrong: Wrong) -> Option<usize> {
        self.trace(wrong).map(|trace| trace.steps.len())
    }
}

impl World {
    /// Explores the world, at most `limit` states of it.
    pub fn check(&self, limit: usize) -> Result<Verdict, TooManyStates> {
        self.check_with(limit, &mut || ())
    }

    /// The same, and tells of every state that it looks at.
    pub fn check_with(&self, limit: usize, looks: &mut dyn FnMut()) -> Result<Verdict, TooManyStates> {
        let graph = Graph::whole(self, limit, looks)?;
        let mut first: Vec<(Wrong, usize)> = Vec::new();
        for (number, state) in graph.states.iter().enumerate() {
            for wrong in self.wrong(state) {
                if !first.iter().any(|(found, _)| *found == wrong) {
                    first.push((wrong, number));
                }
            }
        }
        let completes = graph.reaching(|state| self.is_complete(state));
        if let Some(state) = completes.iter().position(|completes| !completes) {
            let trap = if graph.can_end(state) { Wrong::Deadlock } else { Wrong::Livelock };
            first.push((trap, state));
        }
        let storms = |state: &State| !self.falls_silent(&mut state.clone(), Time::TakenOut);
        first.extend(graph.states.iter().position(storms).map(|state| (Wrong::Storm, state)));
        first.sort_by_key(|(_, state)| *state);
        let rests =
            |state: &usize| graph.successors(*state).is_empty() && !self.is_complete(&graph.states[*state]);
        let rest = (0..graph.states.len()).find(rests).map(|state| graph.way_to(state));
        let number = |state: &State| graph.states.iter().position(|other| other == state);
        let sealed = |state: &State| number(state).is_some_and(|number| !completes[number]);
        let way = rest.iter().flat_map(|trace| &trace.steps);
        let sealed = 1 + way.take_while(|(_, state)| !sealed(state)).count();
        let found = first.into_iter().map(|(wrong, state)| (wrong, graph.way_to(state))).collect();
        Ok(Verdict { states: graph.states.len(), found, rest, sealed })
    }

    /// What is wrong with a state, leaving aside what can come of it.
    pub fn wrong(&self, state: &State) -> Vec<Wrong> {
        let mut wrong: Vec<_> = state.wrong.into_iter().collect();
        let mut say = |is: bool, what| wrong.extend(is.then_some(what));
        for from in self.nodes() {
            let (node, to) = (&state.nodes[from], self.receiver(from));
            let receiver = &state.nodes[to];
            let held = receiver.peers[from].map_or(0, |peer| receiver.endpoint.held(peer));
            say(held > self.window * PACKET, Wrong::Memory);
            let Some(flow) = node.peers[to].and_then(|peer| node.endpoint.flow(peer)) else { continue };
            let begun = usize::from(node.begun - node.since - node.refused);
            let came = usize::from(receiver.taken[from].saturating_sub(node.since));
            say(held == 0 && begun - flow.queued_blocks.min(begun) > came, Wrong::SilentLoss);
            let paper = self.repairs().is_some();
            say(paper && flow.in_flight > self.window * PACKET, Wrong::Overrun);
            say(node.allowance < 0, Wrong::Unpermitted);
            say(node.endpoint.permitted() > self.budget * PACKET, Wrong::Unpermitted);
        }
        let towards = self.nodes().map(|from| &state.wires[from * self.blocks.len()]);
        let data = towards.flatten().filter(|packet| self.buffer.is_some() && self.see(packet).data).count();
        say(self.buffer.is_some_and(|buffer| data > buffer), Wrong::Overflow);
        wrong
    }
}
