//! Changes of all registers at every instant, for a recording.

use cluster::{Machine, Node, Time};
use serde::Serialize;

/// Most nodes whose registers are recorded.
const NODES: usize = 2;

/// Most changed words of a recording; its page then has about 2 MB.
pub const MOST_WORDS: usize = 240_000;

/// Changed words of a node at an instant.
#[derive(Serialize)]
pub struct Frame {
    pub time_ps: u64,
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
        for node in nodes.iter().take(NODES) {
            let mut sample = Vec::new();
            node.nic().sample(&mut sample);
            self.sample(now.ps(), node.id(), sample);
        }
    }

    /// Adds the words of a node that have changed since its last sample.
    pub fn sample(&mut self, time_ps: u64, node: usize, sample: Vec<u64>) {
        if node >= NODES || self.is_full() {
            return;
        }
        self.nodes.resize_with(self.nodes.len().max(node + 1), Vec::new);
        let old = &mut self.nodes[node];
        let is_new = |(index, word): &(usize, &u64)| old.get(*index) != Some(word);
        let new = sample.iter().enumerate().filter(is_new);
        let words: Vec<_> = new.map(|(index, word)| (index, format!("{word:x}"))).collect();
        if !words.is_empty() {
            self.words += words.len();
            self.frames.push(Frame { time_ps, node, words });
        }
        *old = sample;
    }

    /// More changes than a recording has.
    pub fn is_full(&self) -> bool {
        self.words > MOST_WORDS
    }
}
