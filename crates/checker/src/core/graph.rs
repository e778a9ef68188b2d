//! All reachable states of a model, breadth first, and the states from which a goal cannot be reached.
//!
//! A checker that follows single paths cannot tell an endless cycle from a detour. This one keeps the whole graph and
//! follows its edges backwards from the goal; a state that is not reached that way is a trap.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use stateright::Model;

use super::verdict::TooManyStates;

/// The reachable states of a model, numbered in the order of their distance from the initial states.
pub struct Graph<M: Model> {
    /// All states, by number.
    pub states: Vec<M::State>,
    /// The edge by which each state was found; `None` for initial states.
    found_by: Vec<Option<(u32, M::Action)>>,
    /// Successors of state i are `edges[ends[i - 1]..ends[i]]`.
    edges: Vec<u32>,
    ends: Vec<usize>,
}

/// A path from an initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace<S, A> {
    /// The initial state.
    pub start: S,
    /// Each action with the state after it.
    pub steps: Vec<(A, S)>,
}

impl<S, A: Copy> Trace<S, A> {
    /// The actions without the states.
    pub fn actions(&self) -> Vec<A> {
        self.steps.iter().map(|(action, _)| *action).collect()
    }
}

/// A fast hash for states, which consist of many short numbers. No adversary chooses them, so the standard hash, which
/// would take most of the time, is not needed.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    #[inline]
    fn write_u16(&mut self, value: u16) {
        self.write_u64(u64::from(value));
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        // Multiplication by the golden ratio carries every bit into the high bits; the rotation brings them down.
        self.0 = (self.0.rotate_left(26) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(32)
    }
}

/// Reason why an exploration ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A state was found for which `avoid` holds.
    Avoided,
    /// There are more states than the limit.
    TooMany,
}

impl<M: Model> Graph<M>
where
    M::State: Clone + Eq + Hash,
    M::Action: Copy,
{
    /// Explores all states; stops at a state for which `avoid` holds, and at the limit.
    pub fn explore(
        model: &M,
        limit: usize,
        mut avoid: impl FnMut(&M::State) -> bool,
    ) -> (Self, Option<Stop>) {
        let mut graph =
            Self { states: Vec::new(), found_by: Vec::new(), edges: Vec::new(), ends: Vec::new() };
        let mut numbers: HashMap<M::State, u32, BuildHasherDefault<Mixer>> = HashMap::default();
        let mut actions = Vec::new();
        for state in model.init_states() {
            numbers.insert(state.clone(), graph.states.len() as u32);
            graph.found_by.push(None);
            graph.states.push(state);
        }
        let mut at = 0;
        while at < graph.states.len() {
            let state = graph.states[at].clone();
            if avoid(&state) {
                return (graph, Some(Stop::Avoided));
            }
            model.actions(&state, &mut actions);
            for action in actions.drain(..) {
                let Some(next) = model.next_state(&state, action) else { continue };
                if !model.within_boundary(&next) {
                    continue;
                }
                let fresh = graph.states.len() as u32;
                let number = *numbers.entry(next).or_insert_with_key(|next| {
                    graph.states.push(next.clone());
                    graph.found_by.push(Some((at as u32, action)));
                    fresh
                });
                graph.edges.push(number);
            }
            graph.ends.push(graph.edges.len());
            at += 1;
            if graph.states.len() > limit {
                return (graph, Some(Stop::TooMany));
            }
        }
        (graph, None)
    }

    /// Explores at most `limit` states and calls `on_visit` for each.
    pub fn whole(model: &M, limit: usize, on_visit: &mut dyn FnMut()) -> Result<Self, TooManyStates> {
        let (graph, stop) = Self::explore(model, limit, |_| {
            on_visit();
            false
        });
        if stop.is_some() { Err(TooManyStates(limit)) } else { Ok(graph) }
    }

    /// Numbers of the states that follow a state.
    pub fn successors(&self, state: usize) -> &[u32] {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.edges[start..self.ends[state]]
    }

    /// For every state whether a goal can be reached from it.
    pub fn reaching(&self, goal: impl Fn(&M::State) -> bool) -> Vec<bool> {
        let mut before = vec![0; self.states.len() + 1];
        for &to in &self.edges {
            before[to as usize + 1] += 1;
        }
        for i in 1..before.len() {
            before[i] += before[i - 1];
        }
        let mut occurrence = before.clone();
        let mut sources = vec![0; self.edges.len()];
        for from in 0..self.states.len() {
            for &to in self.successors(from) {
                sources[occurrence[to as usize]] = from as u32;
                occurrence[to as usize] += 1;
            }
        }
        let mut reaches: Vec<_> = self.states.iter().map(goal).collect();
        let mut open: Vec<_> = (0..reaches.len()).filter(|&i| reaches[i]).collect();
        while let Some(state) = open.pop() {
            for &from in &sources[before[state]..before[state + 1]] {
                if !reaches[from as usize] {
                    reaches[from as usize] = true;
                    open.push(from as usize);
                }
            }
        }
        reaches
    }

    /// Whether a state without successors can be reached from a state.
    pub fn can_end(&self, state: usize) -> bool {
        let mut seen = vec![false; self.states.len()];
        let mut open = vec![state];
        seen[state] = true;
        while let Some(state) = open.pop() {
            if self.successors(state).is_empty() {
                return true;
            }
            for &next in self.successors(state) {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    open.push(next as usize);
                }
            }
        }
        false
    }

    /// States of the shortest path to a state, both ends included.
    pub fn path_to(&self, state: usize) -> Vec<usize> {
        let before = |at: &usize| self.found_by[*at].map(|(from, _)| from as usize);
        let mut path: Vec<_> = std::iter::successors(Some(state), before).collect();
        path.reverse();
        path
    }

    /// Events of the shortest path to a state.
    pub fn distance(&self, state: usize) -> usize {
        self.path_to(state).len() - 1
    }

    /// The shortest path to a state.
    pub fn trace_to(&self, state: usize) -> Trace<M::State, M::Action> {
        let path = self.path_to(state);
        let step = |at: &usize| self.found_by[*at].map(|(_, action)| (action, self.states[*at].clone()));
        Trace { start: self.states[path[0]].clone(), steps: path.iter().filter_map(step).collect() }
    }
}
