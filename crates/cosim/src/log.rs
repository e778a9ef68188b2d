//! What a model has done, instant by instant, so that its RTL can follow.

use hdl::{Bundle, CHUNK, Edges, MOST_WORDS, words_for};

/// Instants that a model has gone through: the clocks that rose, its input pins, and what changed in its signals.
///
/// A model that is a few instants ahead of its RTL lets each of the two run from warm caches, and on a thread of
/// its own.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Edges of the first clock before the first instant.
    pub cycle: u64,
    /// Per instant: the clocks that rose, as [`Edges::bits`].
    pub edges: Vec<u8>,
    /// Per instant: the packed input pins.
    pub pins_i: Vec<u64>,
    /// Per instant: where its changes end.
    pub ends: Vec<u32>,
    /// Changed words of the sample.
    pub places: Vec<u32>,
    /// What they hold now.
    pub values: Vec<u64>,
}

impl Log {
    /// Instants so far.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Forgets all instants; the next one follows that many edges of the first clock.
    pub(crate) fn restart(&mut self, cycle: u64) {
        self.cycle = cycle;
        self.edges.clear();
        self.pins_i.clear();
        self.ends.clear();
        self.places.clear();
        self.values.clear();
    }

    /// One more instant, after which the signals hold `sample`; `logged` is what they held before, and follows.
    /// Nothing has changed outside the marked chunks.
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
            // Every word is written and the changed ones kept: which they are, no processor guesses.
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

    /// Input pins of an instant.
    pub(crate) fn pins_of(&self, instant: usize) -> &[u64] {
        let words = self.pins_i.len() / self.len();
        &self.pins_i[instant * words..][..words]
    }

    /// Edges of the first clock up to an instant, its own included.
    pub(crate) fn cycle_of(&self, instant: usize) -> u64 {
        let first = |edges: &&u8| Edges::from_bits(**edges).meets(Edges::FIRST);
        self.cycle + self.edges[..=instant].iter().filter(first).count() as u64
    }

    /// The first changed word of an instant.
    fn start(&self, instant: usize) -> usize {
        instant.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }

    /// Changes of an instant: words of the sample and what they hold after it.
    pub fn changes(&self, instant: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        let range = self.start(instant)..self.ends[instant] as usize;
        range.map(|change| (self.places[change] as usize, self.values[change]))
    }
}
