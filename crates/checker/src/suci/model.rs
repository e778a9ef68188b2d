//! A world as a model: where it starts, what can happen next, and which findings a state shows.

use stateright::Model;

use super::step::{Time, is_silent};
use super::world::{Action, PACKET, State, World};
use super::wrong::Wrong;
use crate::core::{Trap, Walk};

impl Model for World {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![self.start(Time::TakenOut)]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for node in self.nodes() {
            actions.push(Action::Send(node));
            if self.slow {
                actions.push(Action::Take(node));
            }
            if self.asks && is_silent(state) {
                actions.push(Action::Ask(node));
            }
        }
        for (wire, packets) in state.wires.iter().enumerate() {
            let (from, to) = (wire / self.blocks.len(), wire % self.blocks.len());
            let within_reach = if self.network.reorders { packets.len() } else { packets.len().min(1) };
            for at in 0..within_reach {
                // Of equal packets one is enough.
                if at > 0 && packets[at] == packets[at - 1] {
                    continue;
                }
                actions.push(Action::Arrive(from, to, at));
                if state.left.repeats > 0 && self.is(&packets[at], self.network.repeats.class) {
                    actions.push(Action::Repeat(from, to, at));
                }
                if self.loss_of(state, &packets[at]).is_some() {
                    actions.push(Action::Lose(from, to, at));
                }
            }
        }
        let expires = self.repairs().is_some_and(|repairs| repairs.permits) && self.counts_permits();
        if expires && state.left.early > 0 && state.nodes[0].endpoint.permitted() > 0 {
            actions.push(Action::Expire);
        }
        if state.left.early > 0 || self.is_idle(state) {
            self.time_outs(state, actions);
        }
        if state.restarts < self.restarts && state.nodes[1].begun > 0 {
            actions.push(Action::Restart);
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let (next, _) = self.step(state, action, Time::TakenOut)?;
        // An action without an effect is no action.
        (next != *state).then_some(next)
    }
}

impl Walk for World {
    type Wrong = Wrong;

    fn wrong(&self, state: &State) -> Vec<Wrong> {
        let mut wrong = self.violations(state);
        wrong.extend((!self.falls_silent(&mut state.clone(), Time::TakenOut)).then_some(Wrong::Storm));
        wrong
    }

    fn is_complete(&self, state: &State) -> bool {
        self.has_arrived(state)
    }

    fn trap(trap: Trap) -> Wrong {
        match trap {
            Trap::Deadlock => Wrong::Deadlock,
            Trap::Livelock => Wrong::Livelock,
        }
    }

    fn happens(&self, before: &State, action: Self::Action, _: &State) -> String {
        self.words(before, action, Time::TakenOut)
    }
}

impl World {
    /// Violations that a state shows, but for storms.
    pub(super) fn violations(&self, state: &State) -> Vec<Wrong> {
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

    /// A common clock goes on to the next time-out of all nodes; clocks of their own go on to the next of any node.
    fn time_outs(&self, state: &State, actions: &mut Vec<Action>) {
        if self.has_arrived(state) {
            return;
        }
        let due = |node: &usize| state.nodes[*node].endpoint.poll_timeout();
        if !self.has_common_clock() {
            actions.extend(self.nodes().filter(|node| due(node).is_some()).map(Action::TimeOut));
        } else {
            let next = self.nodes().filter(|node| due(node).is_some()).min_by_key(due);
            actions.extend(next.map(Action::TimeOut));
        }
    }

    /// Every block that was not refused or given up has been taken, and its sender knows that it has arrived.
    pub(super) fn has_arrived(&self, state: &State) -> bool {
        self.nodes().filter(|node| self.only.is_none_or(|only| only == *node)).all(|from| {
            let (node, to) = (&state.nodes[from], self.receiver(from));
            let plan = self.blocks[from].len();
            let queued =
                node.peers[to].and_then(|peer| node.endpoint.flow(peer)).map_or(0, |flow| flow.queued_blocks);
            let taken = usize::from(state.nodes[to].taken[from].max(node.since) + node.refused);
            usize::from(node.begun) == plan && queued == 0 && taken == plan
        })
    }
}
