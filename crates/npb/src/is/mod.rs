//! Kernel IS: ranking of small integers.

mod keys;
mod ranking;
mod verification;

use cluster::Duration;
use mpi::Communicator;

use crate::error::Error;
use crate::traffic::{Traffic, World};
use crate::work::{Processor, Work, Worker, longest};
use keys::Keys;
use ranking::Ranker;

/// Size of the problem (RNR-94-007, table of IS; class W and all bucket counts are those of NPB 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Letter of the class.
    pub name: &'static str,
    /// Log2 of the number of keys.
    pub keys_log: u32,
    /// Log2 of the key range.
    pub most_log: u32,
    /// Log2 of the number of buckets.
    pub buckets_log: u32,
    /// Keys with published ranks.
    pub tests: [Test; 5],
}

/// A key with a published rank in each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// Position in the sequence of all keys.
    pub place: usize,
    /// Rank, before `i * step` is added in iteration `i`.
    pub rank: i64,
    /// Change of the rank in each iteration, 1 or -1.
    pub step: i64,
}

const fn test(place: usize, rank: i64, step: i64) -> Test {
    Test { place, rank, step }
}

/// Class S, the sample size.
pub const S: Class = Class {
    name: "S",
    keys_log: 16,
    most_log: 11,
    buckets_log: 9,
    tests: [
        test(48_427, 0, 1),
        test(17_148, 18, 1),
        test(23_627, 346, 1),
        test(62_548, 64_917, -1),
        test(4_431, 65_463, -1),
    ],
};

/// Class W, workstation size.
pub const W: Class = Class {
    name: "W",
    keys_log: 20,
    most_log: 16,
    buckets_log: 10,
    tests: [
        test(357_773, 1_247, 1),
        test(934_767, 11_696, 1),
        test(875_723, 1_039_987, -1),
        test(898_999, 1_043_896, -1),
        test(404_505, 1_048_018, -1),
    ],
};

/// Class A, the smallest of the standard classes.
pub const A: Class = Class {
    name: "A",
    keys_log: 23,
    most_log: 19,
    buckets_log: 10,
    tests: [
        test(2_112_377, 103, 1),
        test(662_041, 17_522, 1),
        test(5_336_171, 123_927, 1),
        test(3_642_833, 8_288_933, -1),
        test(4_250_760, 8_388_265, -1),
    ],
};

/// Class B, that of table 2.1 of DIMMnet-2's thesis.
pub const B: Class = Class {
    name: "B",
    keys_log: 25,
    most_log: 21,
    buckets_log: 10,
    tests: [
        test(41_869, 33_422_937, -1),
        test(812_306, 10_244, 1),
        test(5_102_857, 59_149, 1),
        test(18_232_239, 33_135_281, -1),
        test(26_860_214, 99, 1),
    ],
};

/// Number of rankings, each after two keys were changed.
pub const ITERATIONS: usize = 10;

impl Class {
    /// Number of keys.
    pub const fn keys(&self) -> usize {
        1 << self.keys_log
    }

    /// Exclusive upper bound of the keys.
    pub const fn most(&self) -> usize {
        1 << self.most_log
    }

    /// Number of buckets.
    pub const fn buckets(&self) -> usize {
        1 << self.buckets_log
    }
}

/// Result of a run. All fields except `work` and `traffic` are the same at all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Published ranks reproduced, of five in each iteration.
    pub ranks_right: usize,
    /// Whether the keys are complete and sorted after the full verification.
    pub sorted: bool,
    /// Time of the iterations at the slowest rank.
    pub time: Duration,
    /// Computation of this rank in that time.
    pub work: Work,
    /// Calls of MPI and partners of this rank.
    pub traffic: Traffic,
}

impl Report {
    /// Whether both verifications passed.
    pub fn right(&self) -> bool {
        self.sorted && self.ranks_right == ITERATIONS * 5
    }
}

/// Runs the benchmark; called by all ranks.
pub async fn run(world: &Communicator, class: &Class, processor: Processor) -> Result<Report, Error> {
    let world = &World::new(world);
    let mut keys = Keys::new(class, world.rank(), world.size());
    let worker = Worker::new(world, processor, Ranker::swept(class, world.size()));
    let ranker = Ranker::new(world, class, &worker);
    world.barrier().await?;
    let begin = world.now();
    let mut right = 0;
    let mut ranked = None;
    for iteration in 1..=ITERATIONS {
        keys.change(iteration);
        let now = ranker.rank(&keys).await?;
        right += now.tests_right(class, iteration);
        ranked = Some(now);
    }
    let time = longest(world, world.now() - begin).await?;
    let work = worker.done();
    let ranks_right = verification::sum(world, right as u64).await? as usize;
    let sorted = match ranked {
        Some(ranked) => verification::sorted(world, class, &keys, &ranked).await?,
        None => false,
    };
    Ok(Report { ranks_right, sorted, time, work, traffic: world.traffic() })
}
