//! A fingerprint: two runs with the same one did the same, register by register.

use std::fmt;

use hdl::{Nic, Signal};
use xxhash_rust::xxh3::Xxh3;

use crate::memory::SoDimm;
use crate::{Clocks, Time};

/// Registers are sampled at the end of every so many core cycles.
pub const SAMPLE_CYCLES: u64 = 10_000;

/// Hash over all signals of all nodes at every sample, and over all memories at the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(u128);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl Fingerprint {
    /// The fingerprint of several parts in their order.
    pub(crate) fn of(parts: impl Iterator<Item = Fingerprint>) -> Self {
        let mut hash = Xxh3::new();
        parts.for_each(|part| hash.update(&part.0.to_le_bytes()));
        Fingerprint(hash.digest128())
    }
}

/// Gathers the fingerprint of one node.
#[derive(Clone, Default)]
pub struct Recorder {
    hash: Xxh3,
    words: Vec<u64>,
}

impl Recorder {
    /// Begins with the names and widths of the signals, so that a different machine has a different fingerprint.
    pub fn new(signals: &[Signal]) -> Self {
        let mut recorder = Recorder::default();
        for signal in signals {
            recorder.hash.update(signal.block.as_bytes());
            recorder.hash.update(&[0]);
            recorder.hash.update(signal.name.as_bytes());
            recorder.hash.update(&signal.width.to_le_bytes());
        }
        recorder
    }

    /// Adds the present values of all signals.
    pub fn sample<In, Out>(&mut self, time: Time, nic: &dyn Nic<In = In, Out = Out>) {
        self.words.clear();
        self.words.push(time.ps());
        nic.sample(&mut self.words);
        self.add_words();
    }

    /// The fingerprint if the run ended here.
    pub fn finish<In, Out>(
        &self,
        time: Time,
        nic: &dyn Nic<In = In, Out = Out>,
        memories: &[SoDimm],
    ) -> Fingerprint {
        let mut end = self.clone();
        end.sample(time, nic);
        end.words.clear();
        nic.memories(&mut end.words);
        end.add_words();
        for memory in memories {
            for (address, bytes) in memory.pages() {
                end.hash.update(&address.to_le_bytes());
                end.hash.update(bytes);
            }
        }
        Fingerprint(end.hash.digest128())
    }

    fn add_words(&mut self) {
        for word in &self.words {
            self.hash.update(&word.to_le_bytes());
        }
    }
}

/// The first sample after `time`.
pub(crate) fn next_sample(clocks: Clocks, time: Time) -> Time {
    let passed = clocks.core.edges_through(time) / SAMPLE_CYCLES;
    clocks.core.edge((passed + 1) * SAMPLE_CYCLES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_lie_10_000_core_cycles_apart() {
        let first = next_sample(Clocks::DIMMNET2, Time::ZERO);
        assert_eq!(first.ps(), 100_000_000);
        assert_eq!(next_sample(Clocks::DIMMNET2, Time::from_ps(99_999_999)), first);
        assert_eq!(next_sample(Clocks::DIMMNET2, first).ps(), 200_000_000);
    }

    #[test]
    fn order_of_parts_matters() {
        let (a, b) = (Fingerprint(1), Fingerprint(2));
        assert_ne!(Fingerprint::of([a, b].into_iter()), Fingerprint::of([b, a].into_iter()));
        assert_eq!(a.to_string(), "00000000000000000000000000000001");
    }
}
