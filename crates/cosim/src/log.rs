//! Log of a model's instants, for its RTL to follow.

use hdl::{Bundle, Changes, Edges, MOST_WORDS, words_for};

/// Instants that a model has executed: the clocks that rose, its input pins, and the changes of its signals.
///
/// A model a few instants ahead of its RTL lets each of the two run with warm caches, and on a thread of its
/// own. An executed log is kept for a while as the history of a failure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    /// Edges of the first clock before the first instant.
    cycle: u64,
    /// Signals before the first instant.
    start: Vec<u64>,
    /// Per instant: the clocks that rose, as [`Edges::bits`].
    edges: Vec<u8>,
    /// Per instant: the packed input pins.
    pins_i: Vec<u64>,
    /// Per instant: end of its changes in `places` and `values`.
    ends: Vec<u32>,
    /// Index of each changed word in the sample.
    places: Vec<u32>,
    /// New value of each changed word.
    values: Vec<u64>,
    /// Number of changes of the last instant.
    last: u32,
    /// Skipped edges of the first clock, with the instant before which they were skipped.
    skips: Vec<(usize, u64)>,
}

/// Instants of a log for the RTL to execute.
#[derive(Clone, Copy, Debug)]
pub struct LogSlice<'a> {
    /// Per instant: the clocks that rise, as [`Edges::bits`].
    pub edges: &'a [u8],
    /// Per instant: the packed input pins.
    pub pins_i: &'a [u64],
    /// Per instant: end of its changes in `places` and `values`.
    pub ends: &'a [u32],
    /// Index of each changed word in the sample.
    pub places: &'a [u32],
    /// New value of each changed word.
    pub values: &'a [u64],
}

impl LogSlice<'_> {
    /// Number of instants.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there is no instant.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Packed input pins of an instant.
    pub fn pins_of(&self, instant: usize) -> &[u64] {
        let words = self.pins_i.len() / self.len();
        &self.pins_i[instant * words..][..words]
    }

    /// Changes of an instant: word of the sample and its value after the instant.
    pub fn changes(&self, instant: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        let start = instant.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let range = start..self.ends[instant] as usize;
        range.map(|change| (self.places[change] as usize, self.values[change]))
    }
}

impl Log {
    /// Number of instants in the log.
    pub(crate) fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether the log has no instant.
    pub(crate) fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Clears the log; the next instant follows `cycle` edges of the first clock and the signals `start`.
    pub(crate) fn restart(&mut self, cycle: u64, start: &[u64]) {
        self.cycle = cycle;
        self.start.clear();
        self.start.extend_from_slice(start);
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
        !self.is_empty() && self.last == 0
    }

    /// Adds an instant, after which the signals are `sample`.
    #[inline]
    pub(crate) fn push<In: Bundle>(
        &mut self,
        edges: Edges,
        pins: &In,
        changes: &Changes,
        sample: &[u64; MOST_WORDS],
    ) {
        self.edges.push(edges.bits());
        let start = self.pins_i.len();
        self.pins_i.resize(start + words_for(In::WIDTH), 0);
        pins.put(&mut self.pins_i[start..], 0, In::WIDTH);
        let before = self.places.len();
        changes.for_each(|place| {
            self.places.push(place as u32);
            self.values.push(sample[place]);
        });
        self.ends.push(self.places.len() as u32);
        self.last = (self.places.len() - before) as u32;
    }

    /// All instants.
    pub(crate) fn all(&self) -> LogSlice<'_> {
        let Self { edges, pins_i, ends, places, values, .. } = self;
        LogSlice { edges, pins_i, ends, places, values }
    }

    /// The last instant alone.
    #[inline]
    pub(crate) fn newest(&self) -> LogSlice<'_> {
        let (instant, changes) = (self.len() - 1, self.places.len() - self.last as usize);
        LogSlice {
            edges: &self.edges[instant..],
            pins_i: &self.pins_i[self.pins_i.len() / self.len() * instant..],
            ends: std::slice::from_ref(&self.last),
            places: &self.places[changes..],
            values: &self.values[changes..],
        }
    }

    /// Edges of the first clock in the log.
    pub(crate) fn cycles(&self) -> u64 {
        self.edges.iter().filter(|edges| first_rises(**edges)).count() as u64
    }

    /// Appends the first `count` instants to a history.
    pub(crate) fn unpack(&self, count: usize, history: &mut Vec<Moment>) {
        let (mut sample, mut cycle, all) = (self.start.clone(), self.cycle, self.all());
        for instant in 0..count {
            all.changes(instant).for_each(|(place, value)| sample[place] = value);
            cycle += self.skipped(instant) + u64::from(first_rises(self.edges[instant]));
            history.push(Moment {
                cycle,
                edges: Edges::from_bits(self.edges[instant]),
                pins_i: all.pins_of(instant).to_vec(),
                sample: sample.clone(),
            });
        }
    }

    /// Signals of the model before an instant.
    pub(crate) fn before(&self, instant: usize) -> Vec<u64> {
        let mut sample = self.start.clone();
        let changes = (0..instant).flat_map(|earlier| self.all().changes(earlier).collect::<Vec<_>>());
        changes.for_each(|(place, value)| sample[place] = value);
        sample
    }

    /// Edges of the first clock that were skipped right before an instant.
    fn skipped(&self, instant: usize) -> u64 {
        self.skips.iter().filter(|(before, _)| *before == instant).map(|(_, edges)| edges).sum()
    }
}

/// Whether the first clock is among these clocks.
fn first_rises(edges: u8) -> bool {
    Edges::from_bits(edges).meets(Edges::FIRST)
}

/// One instant of a model in the past.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// Edges of the first clock since reset, up to and including this instant.
    pub cycle: u64,
    /// Clocks that rose.
    pub edges: Edges,
    /// Packed input pins at the edge.
    pub pins_i: Vec<u64>,
    /// Signals after the edge.
    pub sample: Vec<u64>,
}
