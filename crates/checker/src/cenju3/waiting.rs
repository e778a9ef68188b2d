//! A thread that waits for messages, and a progress thread that takes messages too.

use mpi_de::{Rules, Turn, Waiter};
use stateright::Model;

use super::wrong::Wrong;
use crate::core::{Trap, Walk};

/// One thread that waits for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// How the thread waits.
    pub rules: Rules,
    /// Messages that come.
    pub messages: u8,
    /// A progress thread takes what has come, too.
    pub progress: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) waiter: Waiter,
    pub(super) coming: u8,
    pub(super) ring: u8,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A message comes.
    Arrive,
    /// The thread takes its next step.
    Turn,
    /// The progress thread takes a message.
    Progress,
}

impl Model for Waiting {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let waiter = Waiter::new(self.rules.counts_events, self.rules.polls_again);
        vec![State { waiter, coming: self.messages, ring: 0 }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        actions.extend((state.coming > 0).then_some(Action::Arrive));
        // A thread that looks sees that all is done; one that is about to sleep does not.
        let turns = state.waiter.turn() != Turn::Asleep && !self.is_complete(state);
        actions.extend(turns.then_some(Action::Turn));
        actions.extend((self.progress && state.ring > 0).then_some(Action::Progress));
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut state = *state;
        match action {
            Action::Arrive => {
                state.coming -= 1;
                state.ring += 1;
                state.waiter.notify();
            }
            Action::Turn => match state.waiter.turn() {
                Turn::Poll => {
                    let found = state.ring > 0;
                    state.ring -= u8::from(found);
                    state.waiter.polled(found);
                }
                Turn::Arm => state.waiter.arm(),
                Turn::Sleep => state.waiter.sleep(),
                Turn::Asleep => return None,
            },
            Action::Progress => {
                state.ring -= 1;
                if self.rules.hands_over {
                    state.waiter.notify();
                }
            }
        }
        Some(state)
    }
}

impl Walk for Waiting {
    type Wrong = Wrong;

    fn wrong(&self, _: &State) -> Vec<Wrong> {
        Vec::new()
    }

    /// All messages were taken, and the thread is about to look.
    fn is_complete(&self, state: &State) -> bool {
        state.coming == 0 && state.ring == 0 && state.waiter.turn() == Turn::Poll
    }

    fn is_end(&self, state: &State) -> bool {
        self.is_complete(state) || self.wrong(state).into_iter().any(Wrong::is_final)
    }

    fn trap(_: Trap) -> Wrong {
        Wrong::Deadlock
    }

    fn knowledge(&self, state: &State) -> Vec<String> {
        vec![line(state.waiter, state.coming, state.ring)]
    }

    fn happens(&self, before: &State, action: Action, _: &State) -> String {
        let words = match (action, before.waiter.turn()) {
            (Action::Arrive, Turn::Asleep) => "a message comes and wakes the thread",
            (Action::Arrive, _) => "a message comes while the thread is awake",
            (Action::Turn, Turn::Poll) if before.ring > 0 => "the thread looks and takes a message",
            (Action::Turn, Turn::Poll) => "the thread looks and finds nothing",
            (Action::Turn, Turn::Arm) => "the thread arms",
            (Action::Turn, _) => "the thread calls evc_wait",
            (Action::Progress, _) => "the progress thread takes a message",
        };
        words.into()
    }
}

/// A thread and its ring in words.
pub(super) fn line(waiter: Waiter, coming: u8, ring: u8) -> String {
    let thread = match waiter.turn() {
        Turn::Poll => "is about to look",
        Turn::Arm => "is about to arm",
        Turn::Sleep => "is about to sleep",
        Turn::Asleep => "sleeps",
    };
    format!("{coming} to come; {ring} in the ring; the thread {thread}")
}
