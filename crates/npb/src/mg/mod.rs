//! Kernel MG: a Poisson equation on a periodic grid, by V cycles over coarser and coarser grids.

mod charges;
mod cycle;
mod field;
mod ghosts;
mod grid;
mod stencil;
mod transfer;

use cluster::Duration;
use mpi::{Communicator, Predefined};

use crate::error::Error;
use crate::traffic::{Traffic, World};
use crate::work::{Processor, Work, Worker, longest, near};
use cycle::Cycle;
use field::Field;
use grid::Grid;

/// Size of the problem (RNR-94-007, table of MG; class S is that of NPB 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// Letter of the class.
    pub name: &'static str,
    /// Log2 of the points along each axis.
    pub levels: usize,
    /// Number of V cycles.
    pub iterations: usize,
    /// Weights of the smoother: centre, faces, edges and corners of a cube of 3 by 3 by 3.
    pub smoother: [f64; 4],
    /// Reference value of the norm of the residual.
    pub norm: f64,
}

/// Smoother of the small classes.
const SMALL: [f64; 4] = [-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0, 0.0];

/// Class S, the sample size.
pub const S: Class =
    Class { name: "S", levels: 5, iterations: 4, smoother: SMALL, norm: 0.530_770_700_573_4e-4 };
/// Class A, the smallest of the standard classes.
pub const A: Class =
    Class { name: "A", levels: 8, iterations: 4, smoother: SMALL, norm: 0.243_336_530_906_9e-5 };
/// Class B, that of table 2.1 of DIMMnet-2's thesis.
pub const B: Class = Class {
    name: "B",
    levels: 8,
    iterations: 20,
    smoother: [-3.0 / 17.0, 1.0 / 33.0, -1.0 / 61.0, 0.0],
    norm: 0.180_056_440_135_5e-5,
};

/// Permitted relative deviation of the norm.
pub const TOLERANCE: f64 = 1e-8;

/// Square of an element, added to a sum.
const SQUARE: Work = Work::pass(2, 1, 2);

/// Result of a run. All fields except `work` and `traffic` are the same at all ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Root of the mean square of the residual.
    pub norm: f64,
    /// Whether the norm passes the verification.
    pub right: bool,
    /// Time of the cycles at the slowest rank.
    pub time: Duration,
    /// Computation of this rank in that time.
    pub work: Work,
    /// Calls of MPI and partners of this rank.
    pub traffic: Traffic,
}

/// Runs the benchmark; called by all ranks.
pub async fn run(world: &Communicator, class: &Class, processor: Processor) -> Result<Report, Error> {
    let world = &World::new(world);
    let grid = Grid::new(world.rank(), world.size(), class.levels)?;
    // Solution, residual and right side of all levels: 8/7 of those of the finest.
    let points: usize = grid.level(class.levels).points.iter().product();
    let worker = Worker::new(world, processor, 8 * 3 * points * 8 / 7);
    let charges = charges::charges(world, &grid, class.levels).await?;
    let cycle = Cycle::new(world, &worker, &grid, class);
    world.barrier().await?;
    let begin = world.now();
    let mut solution = Field::new(charges.points());
    let mut residual = cycle.residual(class.levels, &solution, &charges).await?;
    for _ in 0..class.iterations {
        cycle.improve(&mut solution, &charges, residual).await?;
        residual = cycle.residual(class.levels, &solution, &charges).await?;
    }
    worker.does(SQUARE * points).await;
    let squares = world.allreduce(&[residual.square()], Predefined::Sum).await?;
    let norm = (squares[0] / (1_u64 << (3 * class.levels)) as f64).sqrt();
    let time = longest(world, world.now() - begin).await?;
    let right = near(norm, class.norm, TOLERANCE);
    Ok(Report { norm, right, time, work: worker.done(), traffic: world.traffic() })
}
