//! Kinds of findings, and which of them a state shows.

use super::step::Time;
use super::world::{PACKET, State, World};
use crate::core::{Trap, Walk, kinds};

kinds! {
    /// A kind of finding.
    pub enum Wrong {
        Duplicate = "duplicate": "a block is handed over twice",
        Misorder = "wrong order": "a block is handed over before the one that precedes it",
        Torn = "torn block": "a block is not as it was sent",
        SilentLoss = "silent loss": "a block counts as arrived that its receiver does not have",
        Memory = "memory": "blocks take more memory than there is for them",
        Overrun = "window": "more is on the way than the whole window of the receiver",
        Overflow = "socket buffer": "more is on the way to a node than its socket buffer holds",
        Unpermitted = "permits": "more is sent again than is permitted, or more is permitted than the budget",
        Deadlock (trap) = "deadlock": "from here on all comes to rest before everything has arrived",
        Livelock (trap) = "livelock": "from here on it goes on for ever, and not everything can arrive",
        Storm = "storm": "packets chase each other for ever, although nothing is done and no time passes",
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
}
