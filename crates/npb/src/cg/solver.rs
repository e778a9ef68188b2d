//! 25 steps of conjugate gradients, on vectors that lie on the columns of the grid.

use mpi::{Communicator, Source, Tag};

use super::grid::Grid;
use super::matrix::Matrix;
use crate::error::Error;
use crate::packed::{pack, unpack};
use crate::work::{Processor, Work, Worker};

/// Steps of each solution.
const STEPS: usize = 25;

/// Messages that sum up a row of the grid, and those across its diagonal.
const ALONG: u32 = 0;
const ACROSS: u32 = 1;

// What loops do in a pass, as they are written: floating-point operations; loads, stores and integer arithmetic; words of the matrix.
/// An element of the matrix: its value, its column and the element of the vector are loaded, multiplied and added.
const ELEMENT: Work = Work::pass(2, 3, 3);
/// A row of the matrix: its end is loaded, its sum stored.
const ROW: Work = Work::pass(0, 2, 0);
/// Two elements multiplied and added to a sum.
const DOT: Work = Work::pass(2, 2, 0);
/// The same of an element with itself.
const SQUARE: Work = Work::pass(2, 1, 0);
/// y' = y + a x: two loads and a store.
const AXPY: Work = Work::pass(2, 3, 0);
/// An element added to another, in place.
const SUM: Work = Work::pass(1, 3, 0);
/// An element multiplied.
const SCALE: Work = Work::pass(1, 2, 0);
/// The square of a difference, added to a sum.
const DISTANCE: Work = Work::pass(3, 2, 0);
/// An element of a solution at the beginning: one load, three stores.
const CLEAR: Work = Work::pass(0, 4, 0);

/// A process that solves systems of equations with others.
pub struct Solver<'a> {
    world: &'a Communicator,
    grid: &'a Grid,
    matrix: &'a Matrix,
    worker: Worker<'a>,
}

impl<'a> Solver<'a> {
    pub fn new(
        world: &'a Communicator,
        grid: &'a Grid,
        matrix: &'a Matrix,
        processor: Processor,
    ) -> Solver<'a> {
        // x, z, p, q, r and the product of the block.
        let vectors = 8 * (5 * grid.columns().len() + grid.rows().len());
        Solver { world, grid, matrix, worker: Worker::new(world, processor, matrix.bytes() + vectors) }
    }

    /// An approximate solution of A z = x, and the norm of x - A z.
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

    /// x z and z z, in one go.
    pub async fn sums(&self, x: &[f64], z: &[f64]) -> Result<[f64; 2], Error> {
        self.worker.does((DOT + SQUARE) * x.len()).await;
        self.along([dot(x, z), dot(z, z)]).await
    }

    /// A vector, multiplied.
    pub async fn scaled(&self, vector: &[f64], factor: f64) -> Vec<f64> {
        self.worker.does(SCALE * vector.len()).await;
        vector.iter().map(|element| factor * element).collect()
    }

    /// What this process has computed.
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

    /// The matrix times a vector on the columns, on the columns again.
    async fn product(&self, vector: &[f64]) -> Result<Vec<f64>, Error> {
        let product = self.matrix.times(vector);
        self.worker.does(ELEMENT * self.matrix.nonzeros() + ROW * self.matrix.rows()).await;
        let product = self.sum_along(product).await?;
        let (wanted, across) = (&product[self.grid.wanted()], self.grid.across());
        match across == self.world.rank() {
            true => Ok(wanted.to_vec()),
            false => self.exchange(across, ACROSS, wanted, vector.len()).await,
        }
    }

    /// Sums of numbers over the columns: each row of the grid has them all.
    async fn along<const N: usize>(&self, sums: [f64; N]) -> Result<[f64; N], Error> {
        let sums = self.sum_along(sums.to_vec()).await?;
        Ok(std::array::from_fn(|i| sums[i]))
    }

    /// Sums over the row of the grid, two by two. Both of a pair add the same two numbers, so all get the same to the last bit.
    async fn sum_along(&self, mut sums: Vec<f64>) -> Result<Vec<f64>, Error> {
        for partner in self.grid.partners() {
            let others = self.exchange(partner, ALONG, &sums, sums.len()).await?;
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
            self.worker.does(SUM * sums.len()).await;
        }
        Ok(sums)
    }

    /// Numbers to another process, and so many from it.
    async fn exchange(
        &self,
        with: usize,
        tag: u32,
        numbers: &[f64],
        count: usize,
    ) -> Result<Vec<f64>, Error> {
        let from = (Source::Rank(with), Tag::Is(tag));
        let got = self.world.exchange((with, tag), pack(numbers), from, 8 * count).await?;
        Ok(unpack(&got.bytes))
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// y' = y + a x.
fn add(y: &mut [f64], a: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}
