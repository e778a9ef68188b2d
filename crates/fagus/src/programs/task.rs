//! Programs and sizes by name.

use xxhash_rust::xxh3::xxh3_64;

use super::{himeno, lu, matmul, sor, water};
use crate::{Dsm, Error};

/// Name of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Poisson's equation by Jacobi iteration.
    Himeno,
    /// Successive over-relaxation of a square grid.
    Sor,
    /// Product of two matrices.
    Matmul,
    /// LU decomposition without pivoting.
    Lu,
    /// Molecular dynamics.
    Water,
}

/// Problem size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For tests.
    Tiny,
    /// XS of Himeno, and sizes of similar duration.
    Xs,
    /// SMALL of Himeno, which the paper measures, and sizes of similar duration.
    Small,
}

/// A program with its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// One of the five programs.
    pub program: Which,
    /// Problem size of the program.
    pub size: Size,
    /// Iterations of iterative programs; ignored by the others.
    pub iterations: usize,
}

/// Result of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Gosa of Himeno; the sum of all elements of other programs.
    pub number: f64,
    /// Hash of all result bits.
    pub bits: u64,
}

impl Answer {
    fn of(elements: &[f64]) -> Answer {
        let bytes: Vec<u8> = elements.iter().flat_map(|element| element.to_bits().to_le_bytes()).collect();
        Answer { number: elements.iter().sum(), bits: xxh3_64(&bytes) }
    }
}

impl From<himeno::Result> for Answer {
    fn from(himeno::Result { gosa, pressure }: himeno::Result) -> Self {
        let all = pressure.iter().chain([&gosa]);
        let bytes: Vec<u8> = all.flat_map(|element| element.to_bits().to_le_bytes()).collect();
        Answer { number: gosa.into(), bits: xxh3_64(&bytes) }
    }
}

impl Task {
    /// Runs the serial version.
    pub fn alone(self) -> Answer {
        match self.program {
            Which::Himeno => himeno::alone(self.grid(), self.iterations).into(),
            Which::Sor => Answer::of(&sor::alone(self.edge(), self.iterations)),
            Which::Matmul => Answer::of(&matmul::alone(self.edge())),
            Which::Lu => Answer::of(&lu::alone(self.edge())),
            Which::Water => Answer::of(&water::alone(self.molecules(), self.iterations)),
        }
    }

    /// Runs the program of a node.
    pub async fn run(self, dsm: &Dsm) -> Result<Answer, Error> {
        Ok(match self.program {
            Which::Himeno => himeno::program(dsm, self.grid(), self.iterations).await?.into(),
            Which::Sor => Answer::of(&sor::program(dsm, self.edge(), self.iterations).await?),
            Which::Matmul => Answer::of(&matmul::program(dsm, self.edge()).await?),
            Which::Lu => Answer::of(&lu::program(dsm, self.edge()).await?),
            Which::Water => Answer::of(&water::program(dsm, self.molecules(), self.iterations).await?),
        })
    }

    fn grid(self) -> himeno::Size {
        match self.size {
            Size::Tiny => himeno::Size::TINY,
            Size::Xs => himeno::Size::XS,
            Size::Small => himeno::Size::SMALL,
        }
    }

    /// Rows and columns of a square matrix or grid.
    fn edge(self) -> usize {
        match self.size {
            Size::Tiny => 20,
            Size::Xs => 64,
            Size::Small => 128,
        }
    }

    fn molecules(self) -> usize {
        match self.size {
            Size::Tiny => 27,
            Size::Xs => 64,
            Size::Small => 216,
        }
    }
}
