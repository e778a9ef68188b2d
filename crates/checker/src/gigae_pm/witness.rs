//! Steps that are worth seeing although nothing is violated: where the rules waste time, or report that they give up.

use ::gigae_pm::protocol::{Kind, precedes, sender};
use stateright::Model;

use crate::core::graph::Graph;
use crate::gigae_pm::channel::Frame;
use crate::gigae_pm::state::State;
use crate::gigae_pm::verdict::{TooManyStates, Trace};
use crate::gigae_pm::world::{Action, Way, World};

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

/// The control frame of that kind that arrives at a sender, and what is done with it.
fn heard(world: &World, before: &State, action: Action, kind: Kind) -> Option<(Frame, sender::Out)> {
    let (Action::Arrive(index, way, at) | Action::Repeat(index, way, at)) = action else { return None };
    let link = &before.links[index];
    let frame = (way == Way::Replies).then(|| link.replies.frames()[at])?;
    (frame.kind() == kind).then(|| (frame, world.hear(link, frame)))
}

impl Witness {
    /// LOSE arrives and is out of bounds.
    pub const IGNORED_LOSE: Self = Self {
        kind: "ignored LOSE",
        says: "LOSE arrives and is ignored",
        is: |world, before, action, _| {
            heard(world, before, action, Kind::Lose).is_some_and(|(_, out)| !out.taken)
        },
    };
    /// LOSE arrives and is within bounds.
    pub const TAKEN_LOSE: Self = Self {
        kind: "LOSE taken",
        says: "LOSE arrives and is taken",
        is: |world, before, action, _| {
            heard(world, before, action, Kind::Lose).is_some_and(|(_, out)| out.taken)
        },
    };
    /// GO(k) is taken, and the sender goes on behind message k, which the receiver does not have.
    pub const GO_FOR_THE_NEXT: Self = Self {
        kind: "GO without rewind",
        says: "GO(k) is taken, and the sender goes on behind message k, which was discarded",
        is: |world, before, action, _| {
            heard(world, before, action, Kind::Go)
                .is_some_and(|(frame, out)| out.taken && !precedes(out.control.sent, frame.number))
        },
    };
    /// A timer takes MsgIdSent forward.
    pub const TIMER_FORWARD: Self = Self {
        kind: "timer forward",
        says: "a timer takes the sender forward, over a message that another timer wanted to send again",
        is: |_, before, action, after| {
            let Action::Timer(index, _) = action else { return false };
            precedes(before.links[index].sender.sent, after.links[index].sender.sent)
        },
    };
    /// LOSE rewinds to where an earlier one has rewound to.
    pub const SECOND_REWIND: Self = Self {
        kind: "second rewind",
        says: "LOSE takes the sender back to where an earlier LOSE has taken it already",
        is: |world, before, action, _| {
            let (Action::Arrive(index, ..) | Action::Repeat(index, ..)) = action else { return false };
            let control = before.links[index].sender;
            heard(world, before, action, Kind::Lose).is_some_and(|(frame, out)| {
                control.rewound && frame.number == control.acked && precedes(out.control.sent, control.sent)
            })
        },
    };
    /// A peer is reported dead.
    pub const REPORT: Self = Self {
        kind: "report",
        says: "the peer is reported dead",
        is: |_, before, action, after| {
            let Action::Timer(index, _) = action else { return false };
            after.links[index].sender.dead && !before.links[index].sender.dead
        },
    };
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
        self.sight_with(witness, limit, &mut || ())
    }

    /// The same, and tells of every state that it looks at.
    pub fn sight_with(
        &self,
        witness: &Witness,
        limit: usize,
        looks: &mut dyn FnMut(),
    ) -> Result<Sighting, TooManyStates> {
        let graph = Graph::whole(self, limit, looks)?;
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
