//! The state of a run, from which each connection computes what is new for its page.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::protocol::{Link, Moment, Node, Queue};
use crate::recorder::{Shared, lock};

/// Most events of a moment; the next one has more.
const MOST_EVENTS: usize = 4_000;

/// The state of a run at an instant.
#[derive(Clone)]
pub struct Snapshot {
    pub(crate) time_ps: u64,
    pub(crate) cycle: u64,
    pub(crate) undone_ps: Option<u64>,
    pub(crate) playing: Option<u64>,
    pub(crate) nic: &'static str,
    pub(crate) here: usize,
    pub(crate) breaks: Vec<String>,
    /// The nodes that pages look at.
    pub(crate) nodes: BTreeMap<usize, Sampled>,
    pub(crate) links: Arc<[Link]>,
    pub(crate) queues: Arc<[Queue]>,
    pub(crate) history: Shared,
}

/// The signals of a node.
#[derive(Clone)]
pub(crate) struct Sampled {
    pub words: Arc<[u64]>,
    /// In lockstep, index and value of the words in which the RTL differs.
    pub rtl: Arc<[(usize, u64)]>,
    /// Entries that are not 0, by block.
    pub memories: Arc<BTreeMap<usize, usize>>,
}

/// The part of a run that a page has received.
#[derive(Default)]
pub struct Seen {
    node: Option<usize>,
    words: Vec<u64>,
    memories: Arc<BTreeMap<usize, usize>>,
    next: u64,
    generation: u64,
}

impl Seen {
    /// The next moment for the page, which looks at `node`; `true` if more events wait.
    pub fn moment(&mut self, snapshot: &Snapshot, node: usize) -> (Moment, bool) {
        let history = lock(&snapshot.history);
        let begins_again = self.generation != history.generation();
        if begins_again {
            (self.next, self.generation) = (0, history.generation());
        }
        let (events, next) = history.since(self.next, MOST_EVENTS);
        self.next = next;
        let horizon_ps = history.horizon_ps().max(snapshot.time_ps);
        drop(history);
        let more = events.len() == MOST_EVENTS;
        let moment = Moment {
            time_ps: snapshot.time_ps,
            cycle: snapshot.cycle,
            horizon_ps,
            undone_ps: snapshot.undone_ps,
            playing: snapshot.playing,
            nic: snapshot.nic.to_string(),
            here: snapshot.here,
            breaks: snapshot.breaks.clone(),
            node: self.words_of(snapshot, node),
            links: snapshot.links.to_vec(),
            queues: snapshot.queues.to_vec(),
            lanes_begin_again: begins_again,
            events,
        };
        (moment, more)
    }

    fn words_of(&mut self, snapshot: &Snapshot, node: usize) -> Node {
        // The words of another node come with the next snapshot.
        let Some(Sampled { words, rtl, memories }) = snapshot.nodes.get(&node) else {
            return Node { node, whole: false, words: Vec::new(), rtl: Vec::new(), memories: Vec::new() };
        };
        let whole = self.node != Some(node) || self.words.len() != words.len();
        let is_new = |(index, word): &(usize, &u64)| whole || self.words[*index] != **word;
        let new = words.iter().enumerate().filter(is_new);
        let new = new.map(|(index, word)| (index, format!("{word:x}"))).collect();
        let rtl = rtl.iter().map(|(index, word)| (*index, format!("{word:x}"))).collect();
        let is_new = |(block, fill): &(&usize, &usize)| whole || self.memories.get(block) != Some(fill);
        let fills = memories.iter().filter(is_new).map(|(block, fill)| (*block, *fill)).collect();
        (self.node, self.words, self.memories) = (Some(node), words.to_vec(), memories.clone());
        Node { node, whole, words: new, rtl, memories: fills }
    }
}
