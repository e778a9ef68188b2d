//! A world as a model: where it starts, and what can happen next.

use ::gigae_pm::protocol::{Control, Kind, Receiving, precedes};
use stateright::{Model, Property};

use crate::core::{Graph, Stop, TooManyStates, Trap, Walk};
use crate::gigae_pm::channel::{Direction, Frame, MOST};
use crate::gigae_pm::network::Timers;
use crate::gigae_pm::state::{Link, SENDERS, State};
use crate::gigae_pm::world::{Action, Before, Grain, World};
use crate::gigae_pm::wrong::Wrong;

impl Model for World {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        assert!((1..=SENDERS).contains(&self.senders), "one sender or two");
        assert!(!self.mutual || self.senders == 2, "two nodes send to each other");
        assert!((1..=MOST).contains(&self.capacity), "a channel has room for 1 to {MOST} frames");
        let mut state = State::default();
        let epoch = u16::from(self.before != Before::Nothing);
        for link in &mut state.links[self.senders()] {
            let start = Control {
                sent: self.base,
                acked: self.base,
                received: self.base,
                highest: self.base,
                ..Control::open(epoch)
            };
            *link = Link { sender: start, receiver: start, delivered: self.base, ..Link::default() };
            link.gone = self.base;
            match self.before {
                Before::Nothing => {}
                Before::Receiver(received) => link.receiver = Control { received, ..Control::open(0) },
                Before::Sender(sent) => {
                    link.sender = Control { sent, acked: sent, highest: sent, ..Control::open(0) };
                    (link.delivered, link.gone) = (sent, sent);
                }
                Before::Ack(number) => {
                    link.replies.send(Frame { kind: Kind::Ack.code(), epoch: 0, number }, true);
                }
                Before::Forged(number) => {
                    link.replies.send(Frame { kind: Kind::Ack.code(), epoch, number }, true);
                }
            }
        }
        vec![state]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let silent =
            state.links[self.senders()].iter().all(|link| link.quiet() && self.sends(link).is_none());
        for index in self.senders() {
            let link = &state.links[index];
            if self.sends(link).is_some() {
                actions.push(Action::Send(index));
            }
            if silent || self.timers == Timers::Premature {
                let outstanding = link.sender.highest.wrapping_sub(link.sender.acked);
                let one = self.rules.one_timer || self.grain == Grain::Firmware;
                let timers = if one { outstanding.min(1) } else { outstanding };
                // A sender that has more acknowledged than sent has no timers.
                let timers = if precedes(outstanding, 0) { 0 } else { timers };
                actions.extend((1..=timers).map(|i| Action::Timer(index, link.sender.acked.wrapping_add(i))));
            }
            for (way, channel) in [(Direction::Data, &link.data), (Direction::Replies, &link.replies)] {
                let frames = channel.frames();
                let within_reach = if self.ordered() { frames.len().min(1) } else { frames.len() };
                for at in 0..within_reach {
                    // Of equal frames one is enough.
                    if at > 0 && frames[at] == frames[at - 1] {
                        continue;
                    }
                    actions.push(Action::Arrive(index, way, at));
                    if self.network.duplication {
                        actions.push(Action::Repeat(index, way, at));
                    }
                    if self.network.loss {
                        actions.push(Action::Lose(index, way, at));
                    }
                }
            }
            if link.storing > 0 {
                actions.push(Action::Stored(index));
            }
        }
        for buffer in self.buffers() {
            let used = state.used[buffer];
            if used > 0 {
                actions.push(Action::HostFrees(buffer));
            }
            let room = self.slots.is_none_or(|slots| used < slots);
            if state.receiving[buffer] == Receiving::Discard && room {
                actions.push(Action::Room(buffer));
            }
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        self.after(state, action)
    }

    /// A receiver that has taken old messages for new ones could count on for ever; it need not go beyond the last one.
    fn within_boundary(&self, state: &State) -> bool {
        let beyond = |link: &Link| precedes(self.last(), link.receiver.received);
        !state.links[self.senders()].iter().any(beyond)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(Wrong::SilentLoss.property(), |world: &Self, state| {
                !world.violates(state, Wrong::SilentLoss)
            }),
            Property::always(Wrong::Duplicate.property(), |world: &Self, state| {
                !world.violates(state, Wrong::Duplicate)
            }),
            Property::always(Wrong::Misorder.property(), |world: &Self, state| {
                !world.violates(state, Wrong::Misorder)
            }),
            Property::always(Wrong::FreedSent.property(), |world: &Self, state| {
                !world.violates(state, Wrong::FreedSent)
            }),
        ]
    }
}

impl Walk for World {
    type Wrong = Wrong;

    const TELLS_REST: bool = false;

    fn wrong(&self, state: &State) -> Vec<Wrong> {
        Wrong::VIOLATIONS.into_iter().filter(|violation| self.violates(state, *violation)).collect()
    }

    /// Every message is delivered and acknowledged, or its sender knows that the peer is dead.
    fn is_complete(&self, state: &State) -> bool {
        state.links[self.senders()]
            .iter()
            .all(|link| link.sender.dead || link.delivered == self.last() && link.sender.acked == self.last())
    }

    fn trap(trap: Trap) -> Wrong {
        match trap {
            Trap::Deadlock => Wrong::Deadlock,
            Trap::Livelock => Wrong::Livelock,
        }
    }

    fn happens(&self, before: &State, action: Action, after: &State) -> String {
        self.told(before, action, after)
    }

    fn skipped(&self, state: &State, action: Action) -> String {
        self.tell_skipped(state, action)
    }

    fn knowledge(&self, state: &State) -> Vec<String> {
        self.known(state)
    }
}

impl World {
    /// Whether the world is free of violations and traps. Stops at the first violation.
    pub fn is_safe_and_live(&self, limit: usize) -> Result<bool, TooManyStates> {
        match Graph::explore(self, limit, |state| !self.wrong(state).is_empty()) {
            (_, Some(Stop::Avoided)) => Ok(false),
            (_, Some(Stop::TooMany)) => Err(TooManyStates(limit)),
            (graph, None) => {
                Ok(graph.reaching(|state| self.is_complete(state)).into_iter().all(|reaches| reaches))
            }
        }
    }
}
