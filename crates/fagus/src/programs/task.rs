//! Programs by their names, with sizes that have names, too.

use xxhash_rust::xxh3::xxh3_64;

use super::{himeno, lu, matmul, sor, water};
use crate::{Dsm, Error};

/// A program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Poisson's equation by Jacobi iteration.
    Himeno,
    /// Successive over-relaxation of a square.
    Sor,
    /// A product of matrices.
    Matmul,
    /// LU decomposition.
    Lu,
    /// Molecules.
    Water,
}

/// A size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For tests.
    Tiny,
    /// Himeno's XS, and what takes about as long.
    Xs,
    /// Himeno's SMALL, which the paper measures, and what takes about as long.
    Small,
}

/// What a run computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The program.
    pub program: Which,
    /// How much it has to do.
    pub size: Size,
    /// How often; those that iterate.
    pub iterations: usize,
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Himeno's Gosa; of the others the sum of all elements.
    pub number: f64,
    /// A hash of all bits.
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
    /// The same on one computer, without shared memory.
    pub fn alone(self) -> Answer {
        match self.program {
            Which::Himeno => himeno::alone(self.grid(), self.iterations).into(),
            Which::Sor => Answer::of(&sor::alone(self.edge(), self.iterations)),
            Which::Matmul => Answer::of(&matmul::alone(self.edge())),
            Which::Lu => Answer::of(&lu::alone(self.edge())),
            Which::Water => Answer::of(&water::alone(self.molecules(), self.iterations)),
        }
    }

    /// The program of a node.
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

    /// Rows, and columns, of a square.
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
