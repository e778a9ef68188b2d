//! A V cycle: residuals go down to the coarsest grid, corrections come up.

use super::field::Field;
use super::grid::Grid;
use super::{Class, ghosts, stencil, transfer};
use crate::error::Error;
use crate::traffic::World;
use crate::work::{Work, Worker};

/// Weights of the equation: centre, faces, edges and corners.
const EQUATION: [f64; 4] = [-8.0 / 3.0, 0.0, 1.0 / 6.0, 1.0 / 12.0];

/// Solver of a process, which cooperates with those of the other ranks.
pub struct Cycle<'a> {
    world: &'a World<'a>,
    worker: &'a Worker<'a>,
    grid: &'a Grid,
    class: &'a Class,
}

impl<'a> Cycle<'a> {
    pub fn new(world: &'a World<'a>, worker: &'a Worker<'a>, grid: &'a Grid, class: &'a Class) -> Cycle<'a> {
        Cycle { world, worker, grid, class }
    }

    /// Right side minus the equation's left side, with its layer.
    pub async fn residual(&self, level: usize, solution: &Field, right: &Field) -> Result<Field, Error> {
        let mut residual = right.clone();
        if self.grid.level(level).present() {
            stencil::add(&mut residual, solution, EQUATION.map(|weight| -weight));
        }
        self.does(level, stencil::POINT).await;
        self.fill(level, &mut residual).await?;
        Ok(residual)
    }

    /// Improves the solution of the finest level by a cycle.
    pub async fn improve(&self, solution: &mut Field, right: &Field, residual: Field) -> Result<(), Error> {
        let finest = self.class.levels;
        let mut residuals = vec![residual];
        for level in (1..finest).rev() {
            let coarse = self.coarser(level, residuals.last().expect("there is the finest one")).await?;
            residuals.push(coarse);
        }
        let coarsest = residuals.pop().expect("there is the finest one");
        let mut correction = Field::new(coarsest.points());
        self.smooth(1, &mut correction, &coarsest).await?;
        for level in 2..finest {
            let right = residuals.pop().expect("each level has one");
            correction = self.finer(level, correction).await?;
            let residual = self.residual(level, &correction, &right).await?;
            self.smooth(level, &mut correction, &residual).await?;
        }
        let correction = self.finer(finest, correction).await?;
        solution.values_mut().iter_mut().zip(correction.values()).for_each(|(value, more)| *value += more);
        let residual = self.residual(finest, solution, right).await?;
        self.smooth(finest, solution, &residual).await
    }

    /// Residual of a level, from that of the next finer one.
    async fn coarser(&self, level: usize, fine: &Field) -> Result<Field, Error> {
        let own = self.grid.level(level);
        let mut coarse = match own.present() {
            true => transfer::restrict(fine, own.points),
            false => Field::new(own.points),
        };
        self.does(level, transfer::COARSE).await;
        self.fill(level, &mut coarse).await?;
        Ok(coarse)
    }

    /// Correction of a level, from that of the next coarser one, with its layer.
    async fn finer(&self, level: usize, coarse: Field) -> Result<Field, Error> {
        let mut fine = transfer::interpolate(self.world, self.grid, level, coarse).await?;
        self.does(level, transfer::FINE).await;
        if self.grid.level(level).stride != self.grid.level(level - 1).stride {
            self.fill(level, &mut fine).await?;
        }
        Ok(fine)
    }

    /// Smooths a solution by its residual.
    async fn smooth(&self, level: usize, solution: &mut Field, residual: &Field) -> Result<(), Error> {
        if self.grid.level(level).present() {
            stencil::add(solution, residual, self.class.smoother);
        }
        self.does(level, stencil::POINT).await;
        self.fill(level, solution).await
    }

    async fn fill(&self, level: usize, field: &mut Field) -> Result<(), Error> {
        match self.grid.level(level).present() {
            true => ghosts::fill(self.world, self.grid, level, field).await,
            false => Ok(()),
        }
    }

    /// Counts work at each point of the process.
    async fn does(&self, level: usize, work: Work) {
        let own = self.grid.level(level);
        if own.present() {
            self.worker.does(work * own.points.iter().product()).await;
        }
    }
}
