//! A world as a model: where it starts, what can happen next, and the words for it.

use ::hca::layout::Status;
use ::hca::protocol::responder::NAK;
use stateright::Model;

use super::replay;
use super::step::Effects;
use super::world::{Action, Packet, Request, SIDES, State, World};
use super::wrong::Wrong;
use crate::core::{Trap, Walk};

impl Model for World {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![self.start()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.wrong.is_some() {
            return;
        }
        let silent = self.is_silent(state);
        actions.extend((state.left.remakes > 0).then_some(Action::Remake));
        for me in SIDES {
            let side = &state.sides[me];
            let row = &side.requester;
            actions.extend((!self.eager).then_some(Action::Turn(me)));
            // Data and answers that wait to be sent go before the requester.
            let data = side.reader.active && !side.reader.yields;
            let turns = row.active && !data && !side.responder.answer;
            if turns && (row.waiting || silent || state.left.early > 0) {
                actions.push(Action::TimeOut(me));
            }
            if !state.wires[me].is_empty() {
                actions.push(Action::Arrive(me));
                actions.extend((state.left.repeats > 0).then_some(Action::Repeat(me)));
                actions.extend((state.left.losses > 0).then_some(Action::Lose(me)));
            }
            let overtaken = state.wires[me].len() > 1 && state.left.overtakes > 0;
            actions.extend(overtaken.then_some(Action::Overtake(me)));
            let sends = self.requests[1 - me].iter().filter(|request| matches!(request, Request::Send(_)));
            let (sends, others) = (sends.count(), usize::from(self.shared.unwrap_or(0)));
            let posts = sends > 0 && usize::from(side.posted) < sends + others;
            actions.extend(posts.then_some(Action::Post(me)));
            let shares = sends > 0 && state.left.others > 0 && side.posted != side.shared.0;
            actions.extend(shares.then_some(Action::Share(me)));
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        self.after(state, action).map(|(next, _)| next)
    }
}

impl Walk for World {
    type Wrong = Wrong;

    fn wrong(&self, state: &State) -> Vec<Wrong> {
        state.wrong.into_iter().collect()
    }

    /// Every request has a completion, with success or without.
    fn is_complete(&self, state: &State) -> bool {
        self.has_completed(state)
    }

    fn is_end(&self, state: &State) -> bool {
        self.has_completed(state) || state.wrong.is_some()
    }

    fn trap(trap: Trap) -> Wrong {
        match trap {
            Trap::Deadlock => Wrong::Deadlock,
            Trap::Livelock => Wrong::Livelock,
        }
    }

    fn skipped(&self, _: &State, action: Action) -> String {
        match action {
            Action::Turn(me) => format!("QP {me} sends"),
            Action::TimeOut(me) => format!("a deadline of QP {me} passes"),
            Action::Arrive(from) => format!("a packet reaches QP {}", 1 - from),
            Action::Repeat(from) => format!("a packet reaches QP {}, and will once more", 1 - from),
            Action::Lose(from) => format!("a packet of QP {from} is lost"),
            Action::Overtake(from) => format!("a packet overtakes and reaches QP {}", 1 - from),
            Action::Remake => "both queue pairs are made again".to_owned(),
            Action::Post(me) => format!("the host of QP {me} posts a receive WQE"),
            Action::Share(me) => format!("another QP takes a WQE of QP {me}'s queue"),
        }
    }

    fn knowledge(&self, state: &State) -> Vec<String> {
        replay::words(self, state)
    }

    fn happens(&self, before: &State, action: Action, _: &State) -> String {
        let done = self.after(before, action).map(|(_, done)| done).unwrap_or_default();
        let what = |from: usize| done.taken.map_or_else(String::new, |packet| self.name(from, packet));
        let does = match action {
            Action::Turn(me) | Action::TimeOut(me) => {
                let late = matches!(action, Action::TimeOut(_));
                let waits = late && before.sides[me].requester.waiting;
                let why = match (late, waits) {
                    (false, _) => "",
                    (true, true) => " has waited for its peer and",
                    (true, false) => "'s deadline passes, and it",
                };
                match done.sent {
                    Some(packet) => format!("QP {me}{why} sends {}", self.name(me, packet)),
                    None if late => format!("QP {me}{why} sends nothing"),
                    None => format!("QP {me} sends nothing"),
                }
            }
            Action::Arrive(from) => format!("{} reaches QP {}", what(from), 1 - from),
            Action::Repeat(from) => format!("{} reaches QP {}, and will once more", what(from), 1 - from),
            Action::Lose(from) => format!("{} is lost", what(from)),
            Action::Overtake(from) => format!("{} overtakes and reaches QP {}", what(from), 1 - from),
            Action::Remake => "both queue pairs are made again".to_owned(),
            Action::Post(me) => format!("the host of QP {me} posts a receive WQE"),
            Action::Share(me) => format!("another QP takes a WQE of QP {me}'s queue"),
        };
        format!("{does}{}", told(&done))
    }
}

/// The effects of an action in words.
fn told(done: &Effects) -> String {
    let executed = if done.executed { ", which takes it" } else { "" };
    let ended = |(number, status)| match status {
        Status::Success => format!("; request {} is complete", number + 1),
        Status::Flushed => format!("; request {} is flushed", number + 1),
        status => format!("; request {} fails: {status:?}", number + 1),
    };
    executed.to_owned() + &done.completed.iter().copied().map(ended).collect::<String>()
}

impl World {
    /// A packet from a queue pair, in words.
    fn name(&self, from: usize, packet: Packet) -> String {
        match packet {
            Packet::Request { psn, request, packet } => {
                let kind = self.requests[from][usize::from(request)];
                match kind {
                    Request::Read(_) | Request::Add => {
                        format!("{} {} (PSN {psn:06x})", kind.name(), request + 1)
                    }
                    _ => format!("packet {} of {} {} (PSN {psn:06x})", packet + 1, kind.name(), request + 1),
                }
            }
            Packet::Response { psn, value, .. } => format!("data {value} (PSN {psn:06x})"),
            Packet::Original { psn, value } => format!("original value {value} (PSN {psn:06x})"),
            Packet::Answer { psn, syndrome } => {
                let kind = match syndrome >> 5 & 3 {
                    0 => "ACK",
                    1 => "RNR NAK",
                    _ if syndrome == NAK => "NAK for a gap",
                    _ => "NAK for good",
                };
                format!("{kind} (PSN {psn:06x})")
            }
        }
    }
}
