//! Steps that are worth seeing although nothing is violated: where the rules waste time, or report that they give up.

use stateright::Model;

use crate::graph::Graph;
use crate::state::State;
use crate::verdict::{TooManyStates, Trace};
use crate::world::{Action, World};

/// A kind of step.
#[derive(Clone, Copy, Debug)]
pub struct Witness {
    /// Name.
    pub kind: &'static str,
    /// What such a step is, as a sentence.
    pub says: &'static str,
    /// Whether a step is one: the state before, what happens, the state after.
    pub is: fn(&World, &State, Action, &State) -> bool,
}

/// What there is of a kind of step in a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Steps of this kind that lead from one state to another.
    pub steps: usize,
    /// The shortest way to and over the first of them.
    pub trace: Option<Trace>,
}

impl World {
    /// Looks for steps of a kind in all states of the world.
    pub fn sight(&self, witness: &Witness, limit: usize) -> Result<Sighting, TooManyStates> {
        let (graph, stop) = Graph::explore(self, limit, |_| false);
        if stop.is_some() {
            return Err(TooManyStates(limit));
        }
        let mut sighting = Sighting { steps: 0, trace: None };
        let mut actions = Vec::new();
        for (number, before) in graph.states.iter().enumerate() {
            self.actions(before, &mut actions);
            for action in actions.drain(..) {
                let Some(after) = self.next_state(before, action) else { continue };
                if !self.within_boundary(&after) || !(witness.is)(self, before, action, &after) {
                    continue;
                }
                sighting.steps += 1;
                sighting.trace.get_or_insert_with(|| {
                    let mut trace = graph.way_to(number);
                    trace.steps.push((action, after));
                    trace
                });
            }
        }
        Ok(sighting)
    }
}
