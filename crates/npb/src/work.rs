//! What programs compute, counted, and how long it takes.

use std::cell::Cell;
use std::ops::{Add, AddAssign, Mul};

use cluster::Duration;
use mpi::{Communicator, Kind, Operation, Predefined};

use crate::Error;
use crate::packed::{pack, unpack};

/// Computation, counted as its loops are written: what one does in a pass, times its passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Floating-point operations.
    pub floating: u64,
    /// All others: loads and stores of elements, arithmetic with integers, and [two](Work::LOOP) for each pass of a loop.
    pub integer: u64,
    /// Words of 4 bytes that cross the memory bus where no cache holds them: those read of a matrix or of keys once; those written twice,
    /// because their line is read before and written back later.
    pub words: u64,
}

impl Work {
    /// What a pass of a loop costs by itself: the next index, and the branch back.
    pub const LOOP: u64 = 2;

    /// A pass of a loop: its operations and words.
    pub(crate) const fn pass(floating: u64, integer: u64, words: u64) -> Work {
        Work { floating, integer: integer + Work::LOOP, words }
    }

    /// All operations.
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

/// A processor with a cache, and how long it takes for work.
///
/// A program that goes through its data again and again finds all of it in the cache, or, where the cache is smaller, nothing: what was
/// used least recently has made room when its turn comes. Work then takes as long as its operations, or as its words on the memory
/// bus, whichever is longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Processor {
    /// An operation.
    pub operation: Duration,
    /// A word of 4 bytes on its way over the memory bus.
    pub word: Duration,
    /// Bytes of the cache.
    pub cache: usize,
}

impl Processor {
    /// Computes in no time.
    pub const INSTANT: Processor =
        Processor { operation: Duration::ZERO, word: Duration::ZERO, cache: usize::MAX };

    /// How long work takes, in a program that goes through so many bytes before it comes back to the same.
    pub fn time(&self, work: Work, swept: usize) -> Duration {
        let operations = self.operation * work.operations();
        match swept > self.cache {
            true => operations.max(self.word * work.words),
            false => operations,
        }
    }
}

/// A rank at work: it counts what it does, and lets the time pass.
pub(crate) struct Worker<'a> {
    world: &'a Communicator,
    processor: Processor,
    /// Bytes that the program goes through before it comes back to the same.
    swept: usize,
    done: Cell<Work>,
}

impl<'a> Worker<'a> {
    pub fn new(world: &'a Communicator, processor: Processor, swept: usize) -> Worker<'a> {
        Worker { world, processor, swept, done: Cell::default() }
    }

    /// The work has been done.
    pub async fn does(&self, work: Work) {
        self.done.set(self.done.get() + work);
        self.world.compute(self.processor.time(work, self.swept)).await;
    }

    /// All work so far.
    pub fn done(&self) -> Work {
        self.done.get()
    }
}

/// The longest of a time of each rank, at all of them.
pub(crate) async fn longest(world: &Communicator, own: Duration) -> Result<Duration, Error> {
    let most = Operation::Predefined(Predefined::Max, Kind::Uint64);
    let longest = world.allreduce(pack(&[own.ps()]), most).await?;
    Ok(unpack::<u64>(&longest).into_iter().map(Duration::from_ps).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROCESSOR: Processor =
        Processor { operation: Duration::from_ns(3), word: Duration::from_ns(10), cache: 1000 };

    #[test]
    fn what_the_cache_holds_takes_as_long_as_its_operations() {
        let work = Work { floating: 2, integer: 5, words: 3 };
        assert_eq!(PROCESSOR.time(work * 10, 1000), Duration::from_ns(210));
    }

    #[test]
    fn what_the_cache_does_not_hold_takes_as_long_as_memory_or_operations() {
        let work = Work { floating: 2, integer: 5, words: 3 };
        assert_eq!(PROCESSOR.time(work * 10, 1001), Duration::from_ns(300));
        let much = Work { floating: 100, ..work };
        assert_eq!(PROCESSOR.time(much, 1001), Duration::from_ns(315));
    }
}
