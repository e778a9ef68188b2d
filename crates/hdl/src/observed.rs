//! Access to all signals and memories of a model, compiled once.

use crate::resample::MOST_WORDS;
use crate::{BlockType, Changes, Edges, MemoryPlace, Signal, Visibility};

/// All signals and memories of a model, for code that compares, records or displays them.
///
/// The size of these functions grows with the model. [`observed!`](crate::observed) compiles them once, in
/// the crate of the model, instead of in every program that observes it.
pub trait Observed {
    /// All signals, in the order of their values; see [`crate::signals`].
    fn signals(&self) -> Vec<Signal>;
    /// Appends the value of every signal; see [`crate::sample`].
    fn sample(&self, words: &mut Vec<u64>);
    /// Appends the value of every register; see [`crate::sample_registers`].
    fn sample_registers(&self, words: &mut Vec<u64>);
    /// Updates the values of a sample after an edge; see [`crate::resample`].
    fn resample(&self, edges: Edges, visibility: Visibility, words: &mut [u64; MOST_WORDS]) -> Changes;
    /// Appends the contents of every memory; see [`crate::memories`].
    fn memories(&self, words: &mut Vec<u64>);
    /// Position of each memory in these words; see [`crate::memory_map`].
    fn memory_map(&self) -> Vec<MemoryPlace>;
    /// Rust types of all blocks; see [`crate::block_types`].
    fn block_types(&self) -> Vec<BlockType>;
}

/// Implements [`Observed`](crate::Observed) for a [`Device`](crate::Device): `hdl::observed!(Nic)`. Anything
/// else has to say how many clocks it has: `hdl::observed!(for<B: Probe> Toy<B>, 1)`.
#[macro_export]
macro_rules! observed {
    (for<$parameter:ident: $bound:ident $(+ $more:ident)*> $model:ty, $clocks:expr) => {
        impl<$parameter: $bound $(+ $more)*> $crate::Observed for $model {
            $crate::observed!(@calls $clocks);
        }
    };
    (@calls $clocks:expr) => {
        fn signals(&self) -> Vec<$crate::Signal> {
            $crate::signals(self)
        }

        fn sample(&self, words: &mut Vec<u64>) {
            $crate::sample(self, words);
        }

        fn sample_registers(&self, words: &mut Vec<u64>) {
            $crate::sample_registers(self, words);
        }

        fn resample(
            &self,
            edges: $crate::Edges,
            visibility: $crate::Visibility,
            words: &mut [u64; $crate::MOST_WORDS],
        ) -> $crate::Changes {
            $crate::resample::<{ $clocks }>(self, edges, visibility, words)
        }

        fn memories(&self, words: &mut Vec<u64>) {
            $crate::memories(self, words);
        }

        fn memory_map(&self) -> Vec<$crate::MemoryPlace> {
            $crate::memory_map(self)
        }

        fn block_types(&self) -> Vec<$crate::BlockType> {
            $crate::block_types(self)
        }
    };
    ($model:ty) => {
        impl $crate::Observed for $model {
            $crate::observed!(@calls <$model as $crate::Device>::CLOCKS.len());
        }
    };
}
