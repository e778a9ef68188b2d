//! Tasks that share the user queue of the new NIF, and an operating system that sets masks.

use std::collections::VecDeque;

use mpi_de::{Rules, Window};
use stateright::Model;

use super::wrong::Wrong;
use crate::core::{Trap, Walk};

/// Tasks that share a user queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Masks {
    /// Whether masks may change while entries are queued.
    pub rules: Rules,
    /// Tasks that take turns.
    pub tasks: u8,
    /// Entries that each task writes.
    pub entries: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The task that runs, whose masks are set.
    running: u8,
    left: Vec<u8>,
    queue: VecDeque<u8>,
    foreign: bool,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The task that runs writes an entry.
    Write,
    /// The operating system switches to a task.
    Switch(u8),
    /// The NIF serves an entry.
    Serve,
}

impl Masks {
    /// Each task has a window of its own.
    fn window(self, task: u8) -> Window {
        Window { base: u32::from(task) << 18, pe_base: task, pe_mask: 0 }
    }
}

impl Model for Masks {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let left = vec![self.entries; self.tasks.into()];
        vec![State { running: 0, left, queue: VecDeque::new(), foreign: false }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        actions.extend((state.left[usize::from(state.running)] > 0).then_some(Action::Write));
        actions.extend((!state.queue.is_empty()).then_some(Action::Serve));
        if Window::may_change(self.rules.empties_queue, state.queue.len()) {
            actions.extend((0..self.tasks).filter(|task| *task != state.running).map(Action::Switch));
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut state = state.clone();
        match action {
            Action::Write => {
                state.left[usize::from(state.running)] -= 1;
                state.queue.push_back(state.running);
            }
            Action::Switch(task) => state.running = task,
            Action::Serve => {
                let (own, set) = (self.window(state.queue.pop_front()?), self.window(state.running));
                state.foreign |= (own.address(0), own.pe(0)) != (set.address(0), set.pe(0));
            }
        }
        Some(state)
    }
}

impl Walk for Masks {
    type Wrong = Wrong;

    fn wrong(&self, state: &State) -> Vec<Wrong> {
        state.foreign.then_some(Wrong::ForeignWindow).into_iter().collect()
    }

    fn is_complete(&self, state: &State) -> bool {
        state.queue.is_empty() && state.left.iter().all(|left| *left == 0)
    }

    fn is_end(&self, state: &State) -> bool {
        self.is_complete(state) || self.wrong(state).into_iter().any(Wrong::is_final)
    }

    fn trap(_: Trap) -> Wrong {
        Wrong::Deadlock
    }

    fn happens(&self, before: &State, action: Action, _: &State) -> String {
        match action {
            Action::Write => format!("task {} writes an entry into the user queue", before.running),
            Action::Switch(task) => format!("masks are set for task {task}"),
            Action::Serve => {
                format!(
                    "the NIF serves an entry of task {} under masks of task {}",
                    before.queue[0], before.running
                )
            }
        }
    }
}
