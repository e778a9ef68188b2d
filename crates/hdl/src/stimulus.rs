//! Random pins, reproducible from a seed on every platform.

use crate::{Bits, Bundle, BundleTable, Field, Kind, words_for};

/// A stream of random values (SplitMix64).
#[derive(Clone, Debug)]
pub struct Stimulus(u64);

impl Stimulus {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A random number from 0 to `n` - 1.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        ((self.word() as u128 * n as u128) >> 64) as u64
    }

    /// True with probability 1 in `n`.
    #[inline]
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// Pins with random bits; fields that hold a state get a declared one.
    pub fn pins<B: Bundle>(&mut self) -> B {
        let mut words = vec![0; words_for(B::WIDTH)];
        self.fill(B::TABLE, 0, &mut words);
        B::take(&words, 0, B::WIDTH)
    }

    fn fill(&mut self, table: &BundleTable, at: u32, words: &mut [u64]) {
        for &Field { kind, offset, width, .. } in table.fields {
            let at = at + offset;
            match kind {
                Kind::Bundle(table) => self.fill(table, at, words),
                Kind::StateMachine(table) => put(words, at, self.below(table.states.len() as u64), width),
                Kind::Vector => {
                    for low in (0..width).step_by(64) {
                        let width = (width - low).min(64);
                        put(words, at + low, self.word() >> (64 - width), width);
                    }
                }
            }
        }
    }
}

fn put(words: &mut [u64], at: u32, value: u64, width: u32) {
    Bits::put(value, words, at, width);
}
