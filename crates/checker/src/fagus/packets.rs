//! A world of packets: senders divide messages, an adapter writes the packets into slots, and a library makes messages of them again (sections 3.2.1 to 3.2.3).
//!
//! Nothing of it is modelled but the adapter and the cable: packets are divided by [`fagus::reassembly`], put together by it or by the printed
//! [`fagus::ring`]. A sender has one message on its way and sends it again, as a new one, if it is not acknowledged; acknowledgements cost nothing.

use std::collections::VecDeque;
use std::time::Duration;

use ::fagus::reassembly::{HEADER, Header, Ids, Reassembly, split};
use ::fagus::ring::{Pulled, Slot, pull};
use stateright::Model;

use super::verdict::{Verdict, Violation, Walk};
use crate::verdict::TooManyStates;

/// Bytes of a message in a packet: few, and nothing else is other than on a cable.
pub const PAYLOAD: usize = 2;

/// How packets become messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receive {
    /// As printed: in the ring (H3, H4).
    Ring,
    /// Each is copied out of its slot when its completion is pulled.
    Records,
}

/// A world to explore.
#[derive(Clone, Debug)]
pub struct World {
    /// How packets become messages.
    pub receive: Receive,
    /// A slot has room for the Global Route Header, which the adapter writes in front of a packet (H1).
    pub room: bool,
    /// Slots for packets.
    pub slots: usize,
    /// Packets of a sender at most that have left and whose slot is not posted again (H6).
    pub window: usize,
    /// Numbers of messages (H5).
    pub ids: Ids,
    /// Bytes of each sender's messages.
    pub messages: Vec<Vec<usize>>,
    /// How often a message is sent again.
    pub again: u8,
    /// Packets that the cable loses at most.
    pub losses: u8,
}

/// One thing that happens; of a sender each, but the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// It divides its next message into packets.
    Send(usize),
    /// The same message once more.
    Again(usize),
    /// A packet leaves.
    Leave(usize),
    /// A packet is lost.
    Lose(usize),
    /// A packet comes.
    Arrive(usize),
    /// The library pulls a completion.
    Pull,
}

/// Who sends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sender {
    /// Messages that have come whole.
    done: usize,
    /// One is on its way.
    sends: bool,
    again: u8,
    /// Number of the next message.
    id: u16,
    /// Packets that have not left.
    packets: VecDeque<Vec<u8>>,
    /// Packets on the cable.
    cable: VecDeque<Vec<u8>>,
}

/// A state of a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    senders: Vec<Sender>,
    /// What is in each slot.
    slots: Vec<Option<(u16, Vec<u8>)>>,
    /// Slots whose packet the library has taken before its completion.
    received: Vec<bool>,
    /// Slots for packets that come, in order.
    posted: VecDeque<usize>,
    /// Slots whose completion is not pulled, in order.
    completed: VecDeque<usize>,
    records: Reassembly,
    losses: u8,
    wrong: Option<Violation>,
}

impl World {
    /// With all repairs.
    pub fn repaired(&self) -> World {
        World {
            receive: Receive::Records,
            room: true,
            window: self.window.min(self.slots / self.messages.len()),
            ids: Ids { forget: Some(self.ids.count / 2), ..self.ids },
            ..self.clone()
        }
    }

    /// Explores the world, at most `limit` states of it.
    pub fn check(&self, limit: usize) -> Result<Verdict, TooManyStates> {
        self.walk(limit, &mut || ())
    }

    fn divide(&self, sender: &mut Sender, at: usize) {
        // Each message has bytes of its own, so that one is known by any of them.
        let message = vec![sender.done as u8 + 1; self.messages[at][sender.done]];
        sender.packets = split(sender.id, &message, HEADER + PAYLOAD).collect();
        sender.id = (u32::from(sender.id) + 1).rem_euclid(self.ids.count) as u16;
        sender.sends = true;
    }

    fn on_the_way(&self, state: &State, at: usize) -> usize {
        let holds = |slot: &&usize| state.slots[**slot].as_ref().is_some_and(|(from, _)| *from == at as u16);
        state.senders[at].cable.len() + state.completed.iter().filter(holds).count()
    }

    /// What the adapter does with a packet.
    fn arrive(&self, state: &mut State, from: usize, packet: Vec<u8>) {
        let Some(slot) = state.posted.pop_front() else {
            state.wrong.get_or_insert(Violation::Overrun);
            return;
        };
        if !self.room && packet.len() == HEADER + PAYLOAD {
            state.wrong.get_or_insert(Violation::TooLong);
            state.posted.push_back(slot);
            return;
        }
        state.slots[slot] = Some((from as u16, packet));
        state.completed.push_back(slot);
    }

    /// What the library does with a completion.
    fn pull(&self, state: &mut State) {
        let slot = state.completed[0];
        let message = match self.receive {
            Receive::Ring => {
                let slots: Vec<Slot> = state.slots.iter().map(header).collect();
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
            state.wrong.get_or_insert(Violation::Mixed);
            return;
        }
        let sender = &mut state.senders[from];
        // One that comes once more is known by the numbers of libComm.
        if usize::from(message[0]) == sender.done + 1 {
            sender.done += 1;
            (sender.sends, sender.again) = (false, self.again);
            sender.packets.clear();
        }
    }
}

/// Header of what is in a slot.
fn header(slot: &Option<(u16, Vec<u8>)>) -> Slot {
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
    const VIOLATIONS: &[Violation] = &[Violation::TooLong, Violation::Overrun, Violation::Mixed];

    fn shows(&self, violation: Violation, state: &State) -> bool {
        state.wrong == Some(violation)
    }

    fn is_over(&self, state: &State) -> bool {
        state.senders.iter().zip(&self.messages).all(|(sender, messages)| sender.done == messages.len())
    }

    fn words(&self, before: &State, action: Action) -> String {
        let next = |sender: usize| before.senders[sender].done + 1;
        let named = |packet: Option<&Vec<u8>>| {
            let Some((header, bytes)) = packet.and_then(|packet| Header::decode(packet, PAYLOAD).ok()) else {
                return "a packet".to_string();
            };
            let Header { id, number, .. } = header;
            format!("packet {number} of message {} (m_ID {id})", bytes[0])
        };
        let cable = |sender: usize| named(before.senders[sender].cable.front());
        match action {
            Action::Send(sender) => format!("node {sender} divides message {}", next(sender)),
            Action::Again(sender) => format!("node {sender} sends message {} again", next(sender)),
            Action::Leave(sender) => {
                format!("{} leaves node {sender}", named(before.senders[sender].packets.front()))
            }
            Action::Lose(sender) => format!("{} from node {sender} is lost", cable(sender)),
            Action::Arrive(sender) => match before.posted.front() {
                Some(slot) => format!("{} from node {sender} comes for slot {slot}", cable(sender)),
                None => format!("{} from node {sender} finds no slot", cable(sender)),
            },
            Action::Pull => {
                let slot = before.completed[0];
                let packet = before.slots[slot].as_ref().map(|(_, packet)| packet);
                format!("the completion of slot {slot} is pulled, {}", named(packet))
            }
        }
    }}
