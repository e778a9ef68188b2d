//! Kernel IS: the ranks of many small integers.

mod keys;
mod ranking;
mod verification;

use cluster::Duration;
use mpi::Communicator;

use crate::error::Error;
use crate::work::{Processor, Work, Worker, longest};
use keys::Keys;
use ranking::Ranker;

/// A size of the problem (RNR-94-007, table of IS; class W is NPB 2's, and so are all numbers of buckets).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// What it is called.
    pub name: &'static str,
    /// There are 2^this keys.
    pub keys_log: u32,
    /// All keys are below 2^this.
    pub most_log: u32,
    /// Keys are divided into 2^this buckets.
    pub buckets_log: u32,
    /// Keys whose ranks are published.
    pub tests: [Test; 5],
}

/// A key whose rank is published for each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// Its place among all keys.
    pub place: usize,
    /// In iteration `i` its rank is this, and `i` more or less.
    pub rank: i64,
    /// How much more in each iteration.
    pub step: i64,
}

const fn test(place: usize, rank: i64, step: i64) -> Test {
    Test { place, rank, step }
}

/// Class S, the sample.
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

/// Class W, for workstations.
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

/// Class A.
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

/// How often keys are ranked, each time with two of them changed.
pub const ITERATIONS: usize = 10;

impl Class {
    /// Keys that there are.
    pub const fn keys(&self) -> usize {
        1 << self.keys_log
    }

    /// What all keys are below.
    pub const fn most(&self) -> usize {
        1 << self.most_log
    }

    /// Buckets that there are.
    pub const fn buckets(&self) -> usize {
        1 << self.buckets_log
    }
}

/// How a run went, the same at all ranks but for the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Published ranks that came out, of five in each iteration.
    pub ranks_right: usize,
    /// All keys are there, in order, when each is put where its rank says.
    pub sorted: bool,
    /// The iterations, at the rank where they took longest.
    pub time: Duration,
    /// What this rank computed in them.
    pub work: Work,
}

impl Report {
    /// Both verifications passed.
    pub fn right(&self) -> bool {
        self.sorted && self.ranks_right == ITERATIONS * 5
    }
}

/// Runs the benchmark; all ranks call it.
pub async fn run(world: &Communicator, class: &Class, processor: Processor) -> Result<Report, Error> {
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
    Ok(Report { ranks_right, sorted, time, work })
}
