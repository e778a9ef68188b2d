//! 25 steps of the conjugate gradient method, with vectors distributed over the columns of the grid.

use super::grid::Grid;
use super::matrix::Matrix;
use crate::error::Error;
use crate::traffic::World;
use crate::work::{Processor, Work, Worker};

/// Conjugate gradient steps of each solution.
const STEPS: usize = 25;

/// Tags of messages along a row of the grid, and to the transpose partner.
const ALONG: u32 = 0;
const ACROSS: u32 = 1;

// Work of one pass of each loop, as written: floating-point operations; loads, stores and integer operations;
// words of the matrix.
/// Matrix element: value, column and vector element are loaded, multiplied and added.
const ELEMENT: Work = Work::pass(2, 3, 3);
/// Matrix row: its end is loaded and its sum stored.
const ROW: Work = Work::pass(0, 2, 0);
/// Product of two elements, added to a sum.
const DOT: Work = Work::pass(2, 2, 0);
/// Square of an element, added to a sum.
const SQUARE: Work = Work::pass(2, 1, 0);
/// y' = y + a x: two loads and a store.
const AXPY: Work = Work::pass(2, 3, 0);
/// Element added to another, in place.
const SUM: Work = Work::pass(1, 3, 0);
/// Element scaled by a factor.
const SCALE: Work = Work::pass(1, 2, 0);
/// Square of a difference, added to a sum.
const DISTANCE: Work = Work::pass(3, 2, 0);
/// Initial element of a solution: one load, three stores.
const CLEAR: Work = Work::pass(0, 4, 0);

/// Solver of a process, which cooperates with those of the other ranks.
pub struct Solver<'a> {
    world: &'a World<'a>,
    grid: &'a Grid,
    matrix: &'a Matrix,
    worker: Worker<'a>,
}

impl<'a> Solver<'a> {
    pub fn new(world: &'a World<'a>, grid: &'a Grid, matrix: &'a Matrix, processor: Processor) -> Solver<'a> {
        // Vectors x, z, p, q, r and the product of the block.
        let vectors = 8 * (5 * grid.columns().len() + grid.rows().len());
        Solver { world, grid, matrix, worker: Worker::new(world, processor, matrix.bytes() + vectors) }
    }

    /// Approximate solution of A z = x, and the norm of x - A z.
    pub async fn solve(&self, x: &[f64]) -> Result<(Vec<f64>, f64), Error> {
        let n = x.len();
        let mut z = vec![0.0; n];
        let (mut r, mut p) = (x.to_vec(), x.to_vec());
        self.worker.does(CLEAR * n).await;
        let mut rho = self.square(&r).await?;
        for _ in 0..STEPS {
            let q = self.product(&p).await?;
            let alpha = rho / self.dot(&p, &q).await?;
            add(&mut z, alpha, &p);
            add(&mut r, -alpha, &q);
            self.worker.does(AXPY * (2 * n)).await;
            let before = rho;
            rho = self.square(&r).await?;
            let beta = rho / before;
            p.iter_mut().zip(&r).for_each(|(p, r)| *p = r + beta * *p);
            self.worker.does(AXPY * n).await;
        }
        let product = self.product(&z).await?;
        let distance = x.iter().zip(&product).map(|(x, product)| (x - product).powi(2)).sum();
        self.worker.does(DISTANCE * n).await;
        let [square] = self.along([distance]).await?;
        Ok((z, square.sqrt()))
    }

    /// Dot products x z and z z in a single reduction.
    pub async fn sums(&self, x: &[f64], z: &[f64]) -> Result<[f64; 2], Error> {
        self.worker.does((DOT + SQUARE) * x.len()).await;
        self.along([dot(x, z), dot(z, z)]).await
    }

    /// Vector scaled by a factor.
    pub async fn scaled(&self, vector: &[f64], factor: f64) -> Vec<f64> {
        self.worker.does(SCALE * vector.len()).await;
        vector.iter().map(|element| factor * element).collect()
    }

    /// Computation of this process so far.
    pub fn work(&self) -> Work {
        self.worker.done()
    }

    async fn dot(&self, a: &[f64], b: &[f64]) -> Result<f64, Error> {
        self.worker.does(DOT * a.len()).await;
        self.along([dot(a, b)]).await.map(|[sum]| sum)
    }

    async fn square(&self, a: &[f64]) -> Result<f64, Error> {
        self.worker.does(SQUARE * a.len()).await;
        self.along([dot(a, a)]).await.map(|[sum]| sum)
    }

    /// Matrix-vector product; both vectors are distributed over the columns.
    async fn product(&self, vector: &[f64]) -> Result<Vec<f64>, Error> {
        let product = self.matrix.times(vector);
        self.worker.does(ELEMENT * self.matrix.nonzeros() + ROW * self.matrix.rows()).await;
        let product = self.sum_along(product).await?;
        let (wanted, across) = (&product[self.grid.wanted()], self.grid.across());
        match across == self.world.rank() {
            true => Ok(wanted.to_vec()),
            false => self.world.exchange((across, across), ACROSS, wanted, vector.len()).await,
        }
    }

    /// Sums of partial results over a row of the grid, the same at all its processes.
    async fn along<const N: usize>(&self, sums: [f64; N]) -> Result<[f64; N], Error> {
        let sums = self.sum_along(sums.to_vec()).await?;
        Ok(std::array::from_fn(|i| sums[i]))
    }

    /// Pairwise sums over a row of the grid. Both partners add the same two numbers, so all results are
    /// bitwise equal.
    async fn sum_along(&self, mut sums: Vec<f64>) -> Result<Vec<f64>, Error> {
        for partner in self.grid.partners() {
            let others = self.world.exchange((partner, partner), ALONG, &sums, sums.len()).await?;
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
            self.worker.does(SUM * sums.len()).await;
        }
        Ok(sums)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Computes y' = y + a x.
fn add(y: &mut [f64], a: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}
