//! Log of a model's instants, for its RTL to follow.

use hdl::{Bundle, CHUNK, Edges, MOST_WORDS, words_for};

/// Instants that a model has executed: the clocks that rose, its input pins, and the changes of its signals.
///
/// A model a few instants ahead of its RTL lets each of the two run with warm caches, and on a thread of its
/// own.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Edges of the first clock before the first instant.
    pub cycle: u64,
    /// Per instant: the clocks that rose, as [`Edges::bits`].
    pub edges: Vec<u8>,
    /// Per instant: the packed input pins.
    pub pins_i: Vec<u64>,
    /// Per instant: end of its changes in `places` and `values`.
    pub ends: Vec<u32>,
    /// Index of each changed word in the sample.
    pub places: Vec<u32>,
    /// New value of each changed word.
    pub values: Vec<u64>,
    /// Skipped edges of the first clock, with the instant before which they were skipped.
    pub(crate) skips: Vec<(usize, u64)>,
}

impl Log {
    /// Number of instants in the log.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether the log has no instant.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Clears the log; the next instant follows `cycle` edges of the first clock.
    pub(crate) fn restart(&mut self, cycle: u64) {
        self.cycle = cycle;
        self.edges.clear();
        self.pins_i.clear();
        self.ends.clear();
        self.places.clear();
        self.values.clear();
        self.skips.clear();
    }

    /// Skips edges of the first clock before the next instant.
    pub(crate) fn skip(&mut self, edges: u64) {
        self.skips.push((self.len(), edges));
    }

    /// Whether the last instant changed no signal.
    pub(crate) fn is_still(&self) -> bool {
        self.len().checked_sub(1).is_some_and(|last| self.start(last) == self.ends[last] as usize)
    }

    /// Adds an instant, after which the signals are `sample`; `logged` is updated from the previous sample to
    /// this one. Only words in the marked chunks have changed.
    #[inline]
    pub(crate) fn push<In: Bundle>(
        &mut self,
        edges: Edges,
        pins: &In,
        mut chunks: u64,
        sample: &[u64; MOST_WORDS],
        logged: &mut [u64; MOST_WORDS],
    ) {
        self.edges.push(edges.bits());
        let start = self.pins_i.len();
        self.pins_i.resize(start + words_for(In::WIDTH), 0);
        pins.put(&mut self.pins_i[start..], 0, In::WIDTH);
        while chunks != 0 {
            let first = chunks.trailing_zeros() as usize * CHUNK;
            chunks &= chunks - 1;
            // Every word is written and only the changed ones are kept, because a branch on each would be
            // mispredicted.
            let mut end = self.places.len();
            self.places.resize(end + CHUNK, 0);
            self.values.resize(end + CHUNK, 0);
            for place in first..first + CHUNK {
                self.places[end] = place as u32;
                self.values[end] = sample[place];
                end += (sample[place] != logged[place]) as usize;
                logged[place] = sample[place];
            }
            self.places.truncate(end);
            self.values.truncate(end);
        }
        self.ends.push(self.places.len() as u32);
    }

    /// Packed input pins of an instant.
    pub(crate) fn pins_of(&self, instant: usize) -> &[u64] {
        let words = self.pins_i.len() / self.len();
        &self.pins_i[instant * words..][..words]
    }

    /// Edges of the first clock up to and including an instant, skipped ones among them.
    pub(crate) fn cycle_of(&self, instant: usize) -> u64 {
        let first = |edges: &&u8| Edges::from_bits(**edges).meets(Edges::FIRST);
        let skipped = self.skips.iter().filter(|(before, _)| *before <= instant).map(|(_, edges)| edges);
        self.cycle + self.edges[..=instant].iter().filter(first).count() as u64 + skipped.sum::<u64>()
    }

    /// Index of the first change of an instant.
    fn start(&self, instant: usize) -> usize {
        instant.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }

    /// Changes of an instant: word of the sample and its value after the instant.
    pub fn changes(&self, instant: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        let range = self.start(instant)..self.ends[instant] as usize;
        range.map(|change| (self.places[change] as usize, self.values[change]))
    }
}
