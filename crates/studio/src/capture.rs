//! Changes of all registers at every instant, for a recording.

use cluster::{Machine, Node, Time};
use serde::Serialize;

/// Most nodes whose registers are recorded.
const NODES: usize = 2;

/// Most changed words of a recording.
pub const MOST_WORDS: usize = 500_000;

/// Changed words of a node at an instant.
#[derive(Serialize)]
pub struct Frame {
    time_ps: u64,
    node: usize,
    words: Vec<(usize, String)>,
}

/// Samples of the recorded nodes at every instant.
#[derive(Default)]
pub struct Capture {
    nodes: Vec<Vec<u64>>,
    pub frames: Vec<Frame>,
    /// Number of changed words in `frames`.
    pub words: usize,
}

impl Capture {
    /// Adds what has changed since the last call.
    pub fn look<M: Machine>(&mut self, now: Time, nodes: &[Node<M>]) {
        self.nodes.resize(nodes.len().min(NODES), Vec::new());
        for (node, old) in nodes.iter().zip(&mut self.nodes) {
            if self.words > MOST_WORDS {
                return;
            }
            let mut sample = Vec::new();
            node.nic().sample(&mut sample);
            let is_new = |(index, word): &(usize, &u64)| old.get(*index) != Some(word);
            let new = sample.iter().enumerate().filter(is_new);
            let words: Vec<_> = new.map(|(index, word)| (index, format!("{word:x}"))).collect();
            if !words.is_empty() {
                self.words += words.len();
                self.frames.push(Frame { time_ps: now.ps(), node: node.id(), words });
            }
            *old = sample;
        }
    }
}
