//! Counted computation of programs, and its time.

use std::cell::Cell;
use std::ops::{Add, AddAssign, Mul};

use cluster::Duration;
use mpi::Predefined;

use crate::Error;
use crate::traffic::World;

/// Computation, counted from the loops as written: operations of one pass times the number of passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Floating-point operations.
    pub floating: u64,
    /// Other operations: loads and stores of elements, integer arithmetic, and [two](Work::LOOP) for each
    /// pass of a loop.
    pub integer: u64,
    /// Words of 4 bytes on the memory bus if the data is not cached: one for each word read; two for each
    /// word written, whose line is first read and later written back.
    pub words: u64,
}

impl Work {
    /// Overhead of a pass of a loop: index increment and branch.
    pub const LOOP: u64 = 2;

    /// Operations and words of one pass of a loop.
    pub(crate) const fn pass(floating: u64, integer: u64, words: u64) -> Work {
        Work { floating, integer: integer + Work::LOOP, words }
    }

    /// Sum of both kinds of operations.
    pub const fn operations(self) -> u64 {
        self.floating + self.integer
    }
}

impl Add for Work {
    type Output = Work;

    fn add(self, other: Work) -> Work {
        Work {
            floating: self.floating + other.floating,
            integer: self.integer + other.integer,
            words: self.words + other.words,
        }
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        *self = *self + other;
    }
}

impl Mul<usize> for Work {
    type Output = Work;

    fn mul(self, times: usize) -> Work {
        let times = times as u64;
        Work { floating: self.floating * times, integer: self.integer * times, words: self.words * times }
    }
}

/// A processor with a cache, and its time for work.
///
/// A program that sweeps over its data repeatedly finds all of it in the cache or, if the cache is smaller,
/// none of it: with least-recently-used replacement each line is evicted before its reuse. The time is then
/// that of the operations or that of the memory bus, whichever is longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Processor {
    /// Time of an operation.
    pub operation: Duration,
    /// Time of a word of 4 bytes on the memory bus.
    pub word: Duration,
    /// Cache size in bytes.
    pub cache: usize,
}

impl Processor {
    /// Computes in no time.
    pub const INSTANT: Processor =
        Processor { operation: Duration::ZERO, word: Duration::ZERO, cache: usize::MAX };

    /// Time of work in a program that accesses `swept` bytes before it returns to the same data.
    pub fn time(&self, work: Work, swept: usize) -> Duration {
        let operations = self.operation * work.operations();
        match swept > self.cache {
            true => operations.max(self.word * work.words),
            false => operations,
        }
    }
}

/// A rank that counts its work and spends its time.
pub(crate) struct Worker<'a> {
    world: &'a World<'a>,
    processor: Processor,
    /// Bytes that the program accesses before it returns to the same data.
    swept: usize,
    done: Cell<Work>,
}

impl<'a> Worker<'a> {
    pub fn new(world: &'a World<'a>, processor: Processor, swept: usize) -> Worker<'a> {
        Worker { world, processor, swept, done: Cell::default() }
    }

    /// Counts work and spends its time.
    pub async fn does(&self, work: Work) {
        self.done.set(self.done.get() + work);
        self.world.compute(self.processor.time(work, self.swept)).await;
    }

    /// Work done so far.
    pub fn done(&self) -> Work {
        self.done.get()
    }
}

/// Maximum of a time over all ranks.
pub(crate) async fn longest(world: &World<'_>, own: Duration) -> Result<Duration, Error> {
    Ok(world.allreduce(&[own.ps()], Predefined::Max).await?.into_iter().map(Duration::from_ps).sum())
}

/// Whether a result is the reference value, but for this relative deviation.
pub(crate) fn near(own: f64, reference: f64, tolerance: f64) -> bool {
    ((own - reference) / reference).abs() <= tolerance
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROCESSOR: Processor =
        Processor { operation: Duration::from_ns(3), word: Duration::from_ns(10), cache: 1000 };

    #[test]
    fn cached_work_takes_the_time_of_its_operations() {
        let work = Work { floating: 2, integer: 5, words: 3 };
        assert_eq!(PROCESSOR.time(work * 10, 1000), Duration::from_ns(210));
    }

    #[test]
    fn uncached_work_takes_the_longer_of_memory_and_operations() {
        let work = Work { floating: 2, integer: 5, words: 3 };
        assert_eq!(PROCESSOR.time(work * 10, 1001), Duration::from_ns(300));
        let much = Work { floating: 100, ..work };
        assert_eq!(PROCESSOR.time(much, 1001), Duration::from_ns(315));
    }
}
