//! Fingerprints: two runs with the same fingerprint agree in every sampled register and all memories.

use std::fmt;

use hdl::{Nic, Signal};
use xxhash_rust::xxh3::Xxh3;

use crate::{ClockDomain, Time};

/// Cycles of a device's first clock between samples of its registers.
pub const SAMPLE_CYCLES: u64 = 10_000;

/// Words that are hashed at once.
const PIECE: usize = 64;

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
    /// The hash as a number.
    pub fn bits(self) -> u128 {
        self.0
    }

    /// The fingerprint with this number.
    pub fn from_bits(bits: u128) -> Self {
        Fingerprint(bits)
    }

    /// The fingerprint of several parts in their order.
    pub fn of(parts: impl Iterator<Item = Fingerprint>) -> Self {
        let mut hash = Xxh3::new();
        parts.for_each(|part| hash.update(&part.0.to_le_bytes()));
        Fingerprint(hash.digest128())
    }
}

/// Computes the fingerprint of one node.
#[derive(Clone, Default)]
pub struct Recorder {
    hash: Xxh3,
}

impl Recorder {
    /// Starts with the names and widths of the signals, so that different machines have different
    /// fingerprints.
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
        let mut words = vec![time.ps()];
        nic.sample(&mut words);
        self.add_words(&words);
    }

    /// The fingerprint if the run ended now; `around` adds the state of the device's environment.
    pub fn finish<In, Out>(
        &self,
        time: Time,
        nic: &dyn Nic<In = In, Out = Out>,
        around: impl FnOnce(&mut Recorder),
    ) -> Fingerprint {
        let mut end = self.clone();
        end.sample(time, nic);
        let mut words = Vec::new();
        nic.memories(&mut words);
        end.add_words(&words);
        around(&mut end);
        Fingerprint(end.hash.digest128())
    }

    /// Adds bytes of the device's environment.
    pub fn add(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
    }

    fn add_words(&mut self, words: &[u64]) {
        // The hash is much faster for long pieces than for single words.
        for piece in words.chunks(PIECE) {
            let mut bytes = [0; 8 * PIECE];
            for (bytes, word) in bytes.chunks_exact_mut(8).zip(piece) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            self.hash.update(&bytes[..8 * piece.len()]);
        }
    }
}

/// Time of the first sample after `time`.
pub(crate) fn next_sample(clock: ClockDomain, time: Time) -> Time {
    let passed = clock.edges_through(time) / SAMPLE_CYCLES;
    clock.edge((passed + 1) * SAMPLE_CYCLES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Duration;

    #[test]
    fn samples_are_10_000_core_cycles_apart() {
        let core = ClockDomain { period: Duration::from_ns(10), phase: Duration::ZERO };
        let first = next_sample(core, Time::ZERO);
        assert_eq!(first.ps(), 100_000_000);
        assert_eq!(next_sample(core, Time::from_ps(99_999_999)), first);
        assert_eq!(next_sample(core, first).ps(), 200_000_000);
    }

    #[test]
    fn order_of_parts_matters() {
        let (a, b) = (Fingerprint(1), Fingerprint(2));
        assert_ne!(Fingerprint::of([a, b].into_iter()), Fingerprint::of([b, a].into_iter()));
        assert_eq!(a.to_string(), "00000000000000000000000000000001");
    }
}
