//! How one state leads to the next.

use std::collections::VecDeque;
use std::time::Duration;

use ::fagus::reassembly::{HEADER, Header, Reassembly, split};
use ::fagus::ring::{Pulled, Slot, pull};
use stateright::Model;

use super::super::wrong::Wrong;
use super::words;
use super::world::{Action, PAYLOAD, Receive, Sender, State, World};
use crate::core::{Trap, Walk};

impl World {
    fn divide(&self, sender: &mut Sender, at: usize) {
        // All bytes of a message are its number.
        let message = vec![sender.done as u8 + 1; self.messages[at][sender.done]];
        sender.packets = split(sender.id, &message, HEADER + PAYLOAD).collect();
        sender.id = (u32::from(sender.id) + 1).rem_euclid(self.ids.count) as u16;
        sender.sends = true;
    }

    fn on_the_way(&self, state: &State, at: usize) -> usize {
        let holds = |slot: &&usize| state.slots[**slot].as_ref().is_some_and(|(from, _)| *from == at as u16);
        state.senders[at].cable.len() + state.completed.iter().filter(holds).count()
    }

    /// The adapter writes a packet into the next posted slot.
    fn arrive(&self, state: &mut State, from: usize, packet: Vec<u8>) {
        let Some(slot) = state.posted.pop_front() else {
            state.wrong.get_or_insert(Wrong::Overrun);
            return;
        };
        if !self.room && packet.len() == HEADER + PAYLOAD {
            state.wrong.get_or_insert(Wrong::TooLong);
            state.posted.push_back(slot);
            return;
        }
        state.slots[slot] = Some((from as u16, packet));
        state.completed.push_back(slot);
    }

    /// The library pulls the oldest completion.
    fn pull(&self, state: &mut State) {
        let slot = state.completed[0];
        let message = match self.receive {
            Receive::Ring => {
                let slots: Vec<Slot> = state.slots.iter().map(head).collect();
                match pull(slot, PAYLOAD, &slots, &mut state.received) {
                    Pulled::Received => None,
                    Pulled::Missing => return,
                    Pulled::Whole(slots) => {
                        let packets = slots.iter().filter_map(|slot| state.slots[*slot].as_ref());
                        Some(packets.flat_map(|(_, packet)| packet[HEADER..].to_vec()).collect())
                    }
                }
            }
            Receive::Records => state.slots[slot].as_ref().and_then(|(from, packet)| {
                state.records.hear(Duration::ZERO, *from, packet).expect("senders make packets")
            }),
        };
        let from = state.slots[slot].as_ref().map_or(0, |(from, _)| usize::from(*from));
        state.completed.pop_front();
        state.posted.push_back(slot);
        if let Some(message) = message {
            self.deliver(state, from, &message);
        }
    }

    fn deliver(&self, state: &mut State, from: usize, message: &[u8]) {
        if message.iter().any(|byte| *byte != message[0]) {
            state.wrong.get_or_insert(Wrong::Mixed);
            return;
        }
        let sender = &mut state.senders[from];
        // The numbers of libComm tell a repeated message from a new one.
        if usize::from(message[0]) == sender.done + 1 {
            sender.done += 1;
            (sender.sends, sender.again) = (false, self.again);
            sender.packets.clear();
        }
    }
}

/// Sender and header of the packet in a slot.
pub(super) fn head(slot: &Option<(u16, Vec<u8>)>) -> Slot {
    let (from, packet) = slot.as_ref()?;
    Header::decode(packet, PAYLOAD).ok().map(|(header, _)| (*from, header))
}

impl Model for World {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            senders: vec![Sender { again: self.again, ..Sender::default() }; self.messages.len()],
            slots: vec![None; self.slots],
            received: vec![false; self.slots],
            posted: (0..self.slots).collect(),
            completed: VecDeque::new(),
            records: Reassembly::with_ids(HEADER + PAYLOAD, self.ids),
            losses: self.losses,
            wrong: None,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (at, sender) in state.senders.iter().enumerate() {
            let idle = sender.packets.is_empty() && sender.cable.is_empty();
            if !sender.sends && sender.done < self.messages[at].len() {
                actions.push(Action::Send(at));
            }
            if sender.sends && idle && sender.again > 0 {
                actions.push(Action::Again(at));
            }
            if !sender.packets.is_empty() && self.on_the_way(state, at) < self.window {
                actions.push(Action::Leave(at));
            }
            if !sender.cable.is_empty() {
                actions.push(Action::Arrive(at));
                if state.losses > 0 {
                    actions.push(Action::Lose(at));
                }
            }
        }
        if !state.completed.is_empty() {
            actions.push(Action::Pull);
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut state = state.clone();
        match action {
            Action::Send(at) => self.divide(&mut state.senders[at], at),
            Action::Again(at) => {
                state.senders[at].again -= 1;
                self.divide(&mut state.senders[at], at);
            }
            Action::Leave(at) => {
                let Sender { packets, cable, .. } = &mut state.senders[at];
                cable.extend(packets.pop_front());
            }
            Action::Lose(at) => {
                state.losses -= 1;
                state.senders[at].cable.pop_front();
            }
            Action::Arrive(at) => {
                let packet = state.senders[at].cable.pop_front()?;
                self.arrive(&mut state, at, packet);
            }
            Action::Pull => self.pull(&mut state),
        }
        Some(state)
    }
}

impl Walk for World {
    type Wrong = Wrong;

    const TELLS_REST: bool = false;

    fn wrong(&self, state: &State) -> Vec<Wrong> {
        state.wrong.into_iter().collect()
    }

    /// All messages have come.
    fn is_complete(&self, state: &State) -> bool {
        state.senders.iter().zip(&self.messages).all(|(sender, messages)| sender.done == messages.len())
    }

    fn trap(_: Trap) -> Wrong {
        Wrong::Trap
    }

    fn happens(&self, before: &State, action: Action, _: &State) -> String {
        words::of(before, action)
    }
}
