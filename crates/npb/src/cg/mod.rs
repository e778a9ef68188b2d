//! Kernel CG: the largest eigenvalue of a large sparse matrix, by power iteration over its inverse.

mod grid;
mod matrix;
mod solver;

use cluster::Duration;
use mpi::Communicator;

use crate::error::Error;
use crate::work::{Processor, Work, longest};
use grid::Grid;
pub use matrix::Matrix;
use solver::Solver;

/// A size of the problem (RNR-94-007, table of CG; class W is NPB 2's).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// What it is called.
    pub name: &'static str,
    /// Rows of the matrix.
    pub order: usize,
    /// Nonzeros of the vectors that the matrix is made of, beside the one of its diagonal.
    pub nonzeros: usize,
    /// Steps of the power iteration.
    pub iterations: usize,
    /// What is taken from the diagonal, and added to the eigenvalue.
    pub shift: f64,
    /// What zeta should be.
    pub zeta: f64,
}

/// Class S, the sample.
pub const S: Class =
    Class { name: "S", order: 1400, nonzeros: 7, iterations: 15, shift: 10.0, zeta: 8.597_177_507_864_8 };
/// Class W, for workstations.
pub const W: Class =
    Class { name: "W", order: 7000, nonzeros: 8, iterations: 15, shift: 12.0, zeta: 10.362_595_087_124 };
/// Class A.
pub const A: Class =
    Class { name: "A", order: 14_000, nonzeros: 11, iterations: 15, shift: 20.0, zeta: 17.130_235_054_029 };

/// By how much zeta may be off.
pub const TOLERANCE: f64 = 1e-10;

/// How a run went, the same at all ranks but for the work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// The eigenvalue.
    pub zeta: f64,
    /// Norm of what the last solution leaves of its equations.
    pub residual: f64,
    /// Zeta is as it should be.
    pub right: bool,
    /// The power iteration, at the rank where it took longest.
    pub time: Duration,
    /// What this rank computed in it.
    pub work: Work,
}

/// Runs the benchmark; all ranks call it.
pub async fn run(world: &Communicator, class: &Class, processor: Processor) -> Result<Report, Error> {
    let grid = Grid::new(world.rank(), world.size(), class.order).ok_or(Error::Ranks(world.size()))?;
    let matrix = Matrix::new(class, grid.rows(), grid.columns());
    let solver = Solver::new(world, &grid, &matrix, processor);
    world.barrier().await?;
    let begin = world.now();
    let mut x = vec![1.0; grid.columns().len()];
    let (mut zeta, mut residual) = (0.0, 0.0);
    for _ in 0..class.iterations {
        let (z, norm) = solver.solve(&x).await?;
        let [along, square] = solver.sums(&x, &z).await?;
        (zeta, residual) = (class.shift + 1.0 / along, norm);
        x = solver.scaled(&z, 1.0 / square.sqrt()).await;
    }
    let time = longest(world, world.now() - begin).await?;
    let right = (zeta - class.zeta).abs() <= TOLERANCE;
    Ok(Report { zeta, residual, right, time, work: solver.work() })
}
