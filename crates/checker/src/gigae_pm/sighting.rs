//! Steps of a kind in the states of a world.

use ::gigae_pm::protocol::{Kind, precedes, sender};
use stateright::Model;

use super::channel::{Direction, Frame};
use super::state::State;
use super::world::{Action, World};
use super::wrong::Wrong;
use crate::core::{Exploration, TooManyStates, Trace, Traced, Wrong as _};

/// The control frame of a kind that arrives at a sender, and the result of the sender's rule.
fn heard(world: &World, before: &State, action: Action, kind: Kind) -> Option<(Frame, sender::Out)> {
    let (Action::Arrive(index, way, at) | Action::Repeat(index, way, at)) = action else { return None };
    let link = &before.links[index];
    let frame = (way == Direction::Replies).then(|| link.replies.frames()[at])?;
    (frame.kind() == kind).then(|| (frame, world.hear(link, frame)))
}

impl Wrong {
    /// Whether the step from one state to the next is of this kind.
    fn is(self, world: &World, before: &State, action: Action, after: &State) -> bool {
        match (self, action) {
            (Self::IgnoredLose, _) => {
                heard(world, before, action, Kind::Lose).is_some_and(|(_, out)| !out.taken)
            }
            (Self::TakenLose, _) => {
                heard(world, before, action, Kind::Lose).is_some_and(|(_, out)| out.taken)
            }
            (Self::GoForTheNext, _) => heard(world, before, action, Kind::Go)
                .is_some_and(|(frame, out)| out.taken && !precedes(out.control.sent, frame.number)),
            (Self::TimerForward, Action::Timer(index, _)) => {
                precedes(before.links[index].sender.sent, after.links[index].sender.sent)
            }
            (Self::SecondRewind, Action::Arrive(index, ..) | Action::Repeat(index, ..)) => {
                let control = before.links[index].sender;
                heard(world, before, action, Kind::Lose).is_some_and(|(frame, out)| {
                    control.rewound
                        && frame.number == control.acked
                        && precedes(out.control.sent, control.sent)
                })
            }
            (Self::Report, Action::Timer(index, _)) => {
                after.links[index].sender.dead && !before.links[index].sender.dead
            }
            _ => false,
        }
    }
}

/// The steps of one kind in a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Edges of the graph that are such steps.
    pub steps: usize,
    /// The shortest trace that ends with one.
    pub trace: Option<Trace<State, Action>>,
}

impl World {
    /// Looks for steps of a kind in all states of the world.
    pub fn sight(&self, step: Wrong, limit: usize) -> Result<Sighting, TooManyStates> {
        Ok(self.sight_in(&Exploration::new(self, limit, &mut || ())?, step))
    }

    /// Looks for steps of a kind in a graph of this world.
    pub(super) fn sight_in(&self, exploration: &Exploration<'_, Self>, step: Wrong) -> Sighting {
        let mut sighting = Sighting { steps: 0, trace: None };
        let mut actions = Vec::new();
        for (number, before) in exploration.graph.states.iter().enumerate() {
            self.actions(before, &mut actions);
            for action in actions.drain(..) {
                let Some(after) = self.next_state(before, action) else { continue };
                if !self.within_boundary(&after) || !step.is(self, before, action, &after) {
                    continue;
                }
                sighting.steps += 1;
                sighting.trace.get_or_insert_with(|| {
                    let mut trace = exploration.graph.trace_to(number);
                    trace.steps.push((action, after));
                    trace
                });
            }
        }
        sighting
    }

    /// The trace to what the world seeks or, if it seeks nothing, to its nearest violation or else its trap.
    pub(super) fn first_finding(&self, limit: usize) -> Result<Option<Traced<Self>>, TooManyStates> {
        let exploration = Exploration::new(self, limit, &mut || ())?;
        if let Some(step) = self.seeks {
            return Ok(self.sight_in(&exploration, step).trace.map(|trace| (step, trace)));
        }
        let mut kinds = exploration.occurrences.iter().map(|occurrence| occurrence.wrong);
        let violation = kinds.find(|wrong| !wrong.is_trap());
        Ok(exploration.trace(violation))
    }
}
