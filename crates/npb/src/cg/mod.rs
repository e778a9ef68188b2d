//! Kernel CG: the largest eigenvalue of a large sparse matrix, by power iteration over its inverse.

mod grid;
mod matrix;
mod solver;

use cluster::Duration;
use mpi::Communicator;

use crate::error::Error;
use crate::traffic::{Traffic, World};
use crate::work::{Processor, Work, longest};
use grid::Grid;
pub use matrix::Matrix;
use solver::Solver;

/// Size of the problem (RNR-94-007, table of CG; class W is that of NPB 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// Letter of the class.
    pub name: &'static str,
    /// Rows of the matrix.
    pub order: usize,
    /// Nonzeros of each generating vector, without the one on the diagonal.
    pub nonzeros: usize,
    /// Steps of the power iteration.
    pub iterations: usize,
    /// Shift of the diagonal, added back to the eigenvalue.
    pub shift: f64,
    /// Reference value of zeta.
    pub zeta: f64,
}

/// Class S, the sample size.
pub const S: Class =
    Class { name: "S", order: 1400, nonzeros: 7, iterations: 15, shift: 10.0, zeta: 8.597_177_507_864_8 };
/// Class W, workstation size.
pub const W: Class =
    Class { name: "W", order: 7000, nonzeros: 8, iterations: 15, shift: 12.0, zeta: 10.362_595_087_124 };
/// Class A, the smallest of the standard classes.
pub const A: Class =
    Class { name: "A", order: 14_000, nonzeros: 11, iterations: 15, shift: 20.0, zeta: 17.130_235_054_029 };
/// Class B, that of table 2.1 of DIMMnet-2's thesis.
pub const B: Class =
    Class { name: "B", order: 75_000, nonzeros: 13, iterations: 75, shift: 60.0, zeta: 22.712_745_482_631 };

/// Permitted deviation of zeta.
pub const TOLERANCE: f64 = 1e-10;

/// Result of a run. All fields except `work` and `traffic` are the same at all ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Estimate of the eigenvalue.
    pub zeta: f64,
    /// Norm of the residual of the last solution.
    pub residual: f64,
    /// Whether zeta passes the verification.
    pub right: bool,
    /// Time of the power iteration at the slowest rank.
    pub time: Duration,
    /// Computation of this rank in that time.
    pub work: Work,
    /// Calls of MPI and partners of this rank.
    pub traffic: Traffic,
}

/// Runs the benchmark; called by all ranks.
pub async fn run(world: &Communicator, class: &Class, processor: Processor) -> Result<Report, Error> {
    let world = &World::new(world);
    let grid = Grid::new(world.rank(), world.size(), class.order).ok_or(Error::Ranks("CG", world.size()))?;
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
    Ok(Report { zeta, residual, right, time, work: solver.work(), traffic: world.traffic() })
}
