//! Parallel programs written from published descriptions, each with a serial version.
//!
//! Sums are added in the same order on any number of nodes, so all results are bitwise equal to the serial
//! version.

pub mod himeno;
pub mod latencies;
pub mod lu;
pub mod matmul;
pub mod sor;
pub mod task;
pub mod water;

use std::ops::Range;

use crate::{Dsm, Error, Shared};

/// Share of a node in `count` rows distributed as evenly as possible.
pub fn share(count: usize, node: usize, nodes: usize) -> Range<usize> {
    node * count / nodes..(node + 1) * count / nodes
}

/// A matrix with one part for each row.
struct Rows {
    array: Shared<[f64]>,
    width: usize,
}

impl Rows {
    async fn new(dsm: &Dsm, name: &str, count: usize, width: usize) -> Result<Rows, Error> {
        let parts: Vec<_> = (0..count).map(|row| row * width..(row + 1) * width).collect();
        Ok(Rows { array: dsm.shared_in(name, count * width, &parts).await?, width })
    }

    async fn read(&self, row: usize) -> Result<crate::ReadGuard<f64>, Error> {
        self.array.read(row * self.width..(row + 1) * self.width).await
    }

    async fn write(&self, row: usize) -> Result<crate::WriteGuard<f64>, Error> {
        self.array.write(row * self.width..(row + 1) * self.width).await
    }

    async fn all(&self) -> Result<Vec<f64>, Error> {
        self.array.gather(0..self.array.parts().last().map_or(0, |part| part.end)).await
    }
}
