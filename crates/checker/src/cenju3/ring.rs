//! A ring between a library and its NIF.

use mpi_de::{Positions, Rules};
use stateright::Model;

use super::wrong::Wrong;
use crate::core::{Trap, Walk};

/// A ring that one side writes and the other reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Whether a place stays free.
    pub rules: Rules,
    /// Places, two at least.
    pub places: u8,
    /// Entries written in the whole run.
    pub entries: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    positions: Positions,
    written: u8,
    read: u8,
}

/// An entry is written or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Write,
    Read,
}

impl Model for Ring {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let positions = Positions::new(self.places, self.rules.keeps_one_free);
        positions.map(|positions| State { positions, written: 0, read: 0 }).into_iter().collect()
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let writes = state.written < self.entries && state.positions.may_write();
        actions.extend(writes.then_some(Action::Write));
        actions.extend(state.positions.may_read().then_some(Action::Read));
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut state = *state;
        match action {
            Action::Write => {
                state.positions.wrote();
                state.written += 1;
            }
            Action::Read => {
                state.positions.took();
                state.read += 1;
            }
        }
        Some(state)
    }
}

impl Walk for Ring {
    type Wrong = Wrong;

    fn wrong(&self, state: &State) -> Vec<Wrong> {
        (state.written - state.read != state.positions.entries())
            .then_some(Wrong::Overrun)
            .into_iter()
            .collect()
    }

    fn is_complete(&self, state: &State) -> bool {
        state.read == self.entries
    }

    fn is_end(&self, state: &State) -> bool {
        self.is_complete(state) || self.wrong(state).into_iter().any(Wrong::is_final)
    }

    fn trap(_: Trap) -> Wrong {
        Wrong::Deadlock
    }

    fn happens(&self, _: &State, action: Action, _: &State) -> String {
        match action {
            Action::Write => "an entry is written, and the write position goes on".into(),
            Action::Read => "an entry is read, and the read position goes on".into(),
        }
    }
}
