//! Records the states of the first nodes at every instant.

use std::sync::{Arc, Mutex, MutexGuard};

use cluster::{Machine, Node, Time};

use crate::hello::Lane;
use crate::history::{History, RECORDED};
use crate::protocol::Event;

/// History that the thread of the boards writes and connections read.
pub type Shared = Arc<Mutex<History>>;

/// The history is consistent even if a thread panicked with the lock.
pub fn lock(history: &Shared) -> MutexGuard<'_, History> {
    history.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The states of the recorded nodes at the last instant.
pub struct Recorder {
    lanes: Vec<Lane>,
    codes: Vec<Vec<u64>>,
    words: Vec<u64>,
    history: Shared,
}

impl Recorder {
    pub fn new(lanes: Vec<Lane>, history: Shared) -> Self {
        Recorder { lanes, codes: Vec::new(), words: Vec::new(), history }
    }

    /// Records the states at the present time as those from which changes count. The first call adds all of them.
    pub fn begin<M: Machine>(&mut self, now: Time, nodes: &[Node<M>]) {
        if self.codes.is_empty() {
            let none = vec![u64::MAX; self.lanes.len()];
            self.codes = vec![none; nodes.len().min(RECORDED)];
            self.look(now, nodes);
            return;
        }
        for (codes, node) in self.codes.iter_mut().zip(nodes) {
            self.words.clear();
            node.nic().sample(&mut self.words);
            codes.iter_mut().zip(&self.lanes).for_each(|(code, lane)| *code = lane.code(&self.words));
        }
        lock(&self.history).back_to(now.ps());
    }

    /// Records the changes of an instant.
    pub fn look<M: Machine>(&mut self, now: Time, nodes: &[Node<M>]) {
        let mut history = lock(&self.history);
        for (node, codes) in nodes.iter().zip(&mut self.codes) {
            self.words.clear();
            node.nic().sample(&mut self.words);
            for (number, (code, lane)) in codes.iter_mut().zip(&self.lanes).enumerate() {
                let new = lane.code(&self.words);
                if *code != new {
                    *code = new;
                    history.add(Event { time_ps: now.ps(), node: node.id(), lane: number, code: new });
                }
            }
        }
        history.come_to(now.ps());
    }
}
