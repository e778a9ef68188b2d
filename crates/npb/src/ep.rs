//! Kernel EP: pairs of normally distributed numbers, made and counted by each process for itself.

use cluster::Duration;
use mpi::{Communicator, Predefined};

use crate::error::Error;
use crate::random::Random;
use crate::traffic::{Traffic, World};
use crate::work::{Processor, Work, Worker, longest, near};

/// Size of the problem (RNR-94-007, table of EP; classes S and W are those of NPB 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// Letter of the class.
    pub name: &'static str,
    /// Log2 of the number of pairs.
    pub pairs_log: u32,
    /// Reference sums of both numbers of all pairs.
    pub sums: [f64; 2],
}

/// Class S, the sample size.
pub const S: Class =
    Class { name: "S", pairs_log: 24, sums: [-3.247_834_652_034_74e3, -6.958_407_078_382_297e3] };
/// Class W, workstation size.
pub const W: Class =
    Class { name: "W", pairs_log: 25, sums: [-2.863_319_731_645_753e3, -6.320_053_679_109_499e3] };
/// Class A, the smallest of the standard classes.
pub const A: Class =
    Class { name: "A", pairs_log: 28, sums: [-4.295_875_165_629_892e3, -1.580_732_573_678_431e4] };

/// Permitted relative deviation of the sums.
pub const TOLERANCE: f64 = 1e-8;

/// Initial x of the generator.
const SEED: u64 = 271_828_183;
/// Rings of width 1 around the origin in which pairs are counted.
const RINGS: usize = 10;
/// Pairs between two counts of work.
const BATCH: u64 = 1 << 16;

/// Making of a pair: two numbers of a multiplication, a mask and a conversion; scaled to -1 to 1, squared and
/// compared.
const PAIR: Work = Work::pass(7, 8, 0);
/// Pair within the circle: logarithm, root and quotient, counted as 8, 4 and 4 operations as is usual; two
/// products and two sums; its ring is found and counted.
const INSIDE: Work = Work { floating: 8 + 4 + 4 + 5, integer: 6, words: 0 };

/// Result of a run. All fields except `work` and `traffic` are the same at all ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Sums of both numbers of all pairs.
    pub sums: [f64; 2],
    /// Pairs whose larger number has this whole part.
    pub rings: [u64; RINGS],
    /// Whether the sums pass the verification.
    pub right: bool,
    /// Time of the slowest rank.
    pub time: Duration,
    /// Computation of this rank in that time.
    pub work: Work,
    /// Calls of MPI and partners of this rank.
    pub traffic: Traffic,
}

/// Runs the benchmark; called by all ranks.
pub async fn run(world: &Communicator, class: &Class, processor: Processor) -> Result<Report, Error> {
    let world = &World::new(world);
    let worker = Worker::new(world, processor, 0);
    world.barrier().await?;
    let begin = world.now();
    let pairs = 1_u64 << class.pairs_log;
    let share = |rank: usize| rank as u64 * pairs / world.size() as u64;
    let (mut place, end) = (share(world.rank()), share(world.rank() + 1));
    let mut counted = Counted::default();
    while place < end {
        let next = end.min(place + BATCH);
        let inside = counted.add(place, next);
        worker.does(PAIR * (next - place) as usize + INSIDE * inside).await;
        place = next;
    }
    let sums = world.allreduce(&counted.sums, Predefined::Sum).await?;
    let rings = world.allreduce(&counted.rings, Predefined::Sum).await?;
    let time = longest(world, world.now() - begin).await?;
    let sums = [sums[0], sums[1]];
    let right = (0..2).all(|axis| near(sums[axis], class.sums[axis], TOLERANCE));
    let rings = std::array::from_fn(|ring| rings[ring]);
    Ok(Report { sums, rings, right, time, work: worker.done(), traffic: world.traffic() })
}

/// Pairs made so far.
#[derive(Default)]
struct Counted {
    sums: [f64; 2],
    rings: [u64; RINGS],
}

impl Counted {
    /// Adds pairs of these places; returns how many lie within the circle.
    fn add(&mut self, first: u64, end: u64) -> usize {
        let mut random = Random::seeded(SEED, 2 * first);
        let mut inside = 0;
        for _ in first..end {
            let [x, y] = [0; 2].map(|_| 2.0 * random.next_uniform() - 1.0);
            let square = x * x + y * y;
            if square <= 1.0 {
                let factor = (-2.0 * square.ln() / square).sqrt();
                let (x, y) = (x * factor, y * factor);
                self.sums[0] += x;
                self.sums[1] += y;
                // Beyond 10 lies no pair of any class.
                self.rings[(x.abs().max(y.abs()) as usize).min(RINGS - 1)] += 1;
                inside += 1;
            }
        }
        inside
    }
}
