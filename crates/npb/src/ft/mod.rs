//! Kernel FT: a heat equation on a periodic grid, solved in the space of frequencies.

mod complex;
mod spectrum;
mod transform;

use cluster::Duration;
use mpi::{Communicator, Predefined};

use crate::error::Error;
use crate::traffic::{Traffic, World};
use crate::work::{Processor, Work, Worker, longest, near};
use complex::Complex;
use spectrum::Spectrum;
use transform::Transform;

/// Size of the problem (RNR-94-007, table of FT; class S is that of NPB 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// Letter of the class.
    pub name: &'static str,
    /// Points along x, y and z, powers of two.
    pub points: [usize; 3],
    /// Reference checksum of each step, real and imaginary part.
    pub checksums: &'static [[f64; 2]],
}

/// Class S, the sample size.
pub const S: Class = Class {
    name: "S",
    points: [64, 64, 64],
    checksums: &[
        [554.608_700_496_4, 484.536_333_197_8],
        [554.638_540_918_9, 486.530_426_951_1],
        [554.614_840_617_1, 488.391_072_233_6],
        [554.542_360_741_5, 490.127_316_904_6],
        [554.425_503_962_4, 491.747_585_799_3],
        [554.268_341_190_2, 493.259_724_494_1],
    ],
};
/// Class A, the smallest of the standard classes.
pub const A: Class = Class {
    name: "A",
    points: [256, 256, 128],
    checksums: &[
        [504.673_500_819_3, 511.404_790_551_0],
        [505.941_231_973_4, 509.880_966_643_3],
        [506.937_689_628_7, 509.814_404_221_3],
        [507.789_286_847_4, 510.133_613_075_9],
        [508.523_309_539_1, 510.491_465_519_4],
        [509.148_709_995_9, 510.791_784_280_3],
    ],
};

/// Permitted relative deviation of a checksum.
pub const TOLERANCE: f64 = 1e-12;

/// Points that are added up for a checksum.
const CHECKED: usize = 1024;

/// Multiplication of a frequency by its factor, and its copy for the transform back.
const EVOLVE: Work = Work::pass(2, 6, 2 * 4 + 2 * 4);

/// Result of a run. All fields except `work` and `traffic` are the same at all ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Checksum of each step.
    pub checksums: Vec<[f64; 2]>,
    /// Whether all checksums pass the verification.
    pub right: bool,
    /// Time of the transforms at the slowest rank.
    pub time: Duration,
    /// Computation of this rank in that time.
    pub work: Work,
    /// Calls of MPI and partners of this rank.
    pub traffic: Traffic,
}

/// Runs the benchmark; called by all ranks.
pub async fn run(world: &Communicator, class: &Class, processor: Processor) -> Result<Report, Error> {
    let world = &World::new(world);
    let [width, height, depth] = class.points;
    if !world.size().is_power_of_two() {
        return Err(Error::Ranks("FT", world.size()));
    }
    if world.size() > width.min(depth) {
        return Err(Error::Most("FT", width.min(depth), world.size()));
    }
    let points = width * height * depth / world.size();
    // Frequencies, their factors, and the field that is transformed.
    let worker = Worker::new(world, processor, points * (16 + 8 + 16));
    let transform = Transform::new(world, &worker, class.points);
    world.barrier().await?;
    let begin = world.now();
    let initial = spectrum::initial(class, world.rank(), world.size());
    let mut spectrum = Spectrum::new(class, world.rank(), transform.forward(initial).await?);
    let mut checksums = Vec::new();
    for _ in class.checksums {
        worker.does(EVOLVE * points).await;
        let field = transform.back(spectrum.evolve()).await?;
        checksums.push(checksum(world, class, &field).await?);
    }
    let time = longest(world, world.now() - begin).await?;
    let pairs = checksums.iter().flatten().zip(class.checksums.iter().flatten());
    let right = pairs.into_iter().all(|(own, right)| near(*own, *right, TOLERANCE));
    Ok(Report { right, checksums, time, work: worker.done(), traffic: world.traffic() })
}

/// Mean of certain points of the field, which is divided along z.
async fn checksum(world: &World<'_>, class: &Class, field: &[Complex]) -> Result<[f64; 2], Error> {
    let [width, height, depth] = class.points;
    let planes = depth / world.size();
    let mut sum = Complex::default();
    for place in 1..=CHECKED {
        let [x, y, z] = [place % width, 3 * place % height, 5 * place % depth];
        if z / planes == world.rank() {
            sum += field[x + width * (y + height * (z % planes))];
        }
    }
    let sums = world.allreduce(&[sum.re, sum.im], Predefined::Sum).await?;
    let all = (width * height * depth) as f64;
    Ok([sums[0] / all, sums[1] / all])
}
