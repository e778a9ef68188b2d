//! The Himeno benchmark: Poisson's equation by Jacobi iteration with a 19-point stencil in f32 (the paper's
//! program, section 4.3).
//!
//! The pressure is shared, with one part for each plane. Coefficients are those of the benchmark: `a` is 1,
//! 1, 1 and 1/6, `b` 0, `c` 1, `bnd` 1, `wrk1` 0 and `omega` 0.8; the initial pressure is `(i / (planes -
//! 1))^2`. Gosa is summed up by plane, then over all planes; the benchmark has a single sum.

use std::time::Duration;

use super::share;
use crate::{Dsm, Error, Shared};

const OMEGA: f32 = 0.8;
/// Operations for each point, as the benchmark counts them.
const OPERATIONS: usize = 34;

/// Grid points in each dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Slowest dimension, which is distributed over the nodes.
    pub planes: usize,
    /// Rows in each plane.
    pub rows: usize,
    /// Columns in each row.
    pub columns: usize,
}

impl Size {
    /// Grid for tests.
    pub const TINY: Size = Size { planes: 18, rows: 9, columns: 9 };
    /// XS of the benchmark.
    pub const XS: Size = Size { planes: 33, rows: 33, columns: 65 };
    /// SMALL of the benchmark, which the paper measures.
    pub const SMALL: Size = Size { planes: 65, rows: 65, columns: 129 };

    fn plane(self) -> usize {
        self.rows * self.columns
    }

    /// Operations of an iteration.
    pub fn operations(self) -> usize {
        OPERATIONS * self.inner() * (self.planes - 2)
    }

    /// Inner points of a plane, which change.
    fn inner(self) -> usize {
        (self.rows - 2) * (self.columns - 2)
    }

    fn begin(self, plane: usize) -> f32 {
        let at = plane as f32 / (self.planes - 1) as f32;
        at * at
    }

    /// Computes a plane from its neighbours in the last iteration. Returns its contribution to Gosa.
    fn relax(self, [below, here, above]: [&[f32]; 3], next: &mut [f32]) -> f32 {
        next.copy_from_slice(here);
        let width = self.columns;
        let mut gosa = 0.0;
        for row in 1..self.rows - 1 {
            for at in row * width + 1..(row + 1) * width - 1 {
                // a0 to a2 and c0 to c2 are 1, b0 to b2 are 0. The corner terms are kept, as the benchmark
                // computes them.
                let corner = 0.0
                    * (above[at + width] - above[at - width] - below[at + width] + below[at - width])
                    + 0.0
                        * (here[at + width + 1] - here[at - width + 1] - here[at + width - 1]
                            + here[at - width - 1])
                    + 0.0 * (above[at + 1] - below[at + 1] - above[at - 1] + below[at - 1]);
                let s0 = above[at]
                    + here[at + width]
                    + here[at + 1]
                    + corner
                    + below[at]
                    + here[at - width]
                    + here[at - 1];
                let difference = s0 * (1.0 / 6.0) - here[at];
                gosa += difference * difference;
                next[at] = here[at] + OMEGA * difference;
            }
        }
        gosa
    }
}

/// Result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Result {
    /// Gosa of the last iteration.
    pub gosa: f32,
    /// Pressure at all points, plane by plane.
    pub pressure: Vec<f32>,
}

/// Serial version.
pub fn alone(size: Size, iterations: usize) -> Result {
    let plane = size.plane();
    let mut pressure: Vec<f32> = (0..size.planes).flat_map(|at| vec![size.begin(at); plane]).collect();
    let mut gosa = 0.0;
    for _ in 0..iterations {
        let mut next = pressure.clone();
        gosa = 0.0;
        for at in 1..size.planes - 1 {
            let of = |at: usize| &pressure[at * plane..(at + 1) * plane];
            gosa += size.relax([of(at - 1), of(at), of(at + 1)], &mut next[at * plane..(at + 1) * plane]);
        }
        pressure = next;
    }
    Result { gosa, pressure }
}

/// Program of a node.
pub async fn program(dsm: &Dsm, size: Size, iterations: usize) -> std::result::Result<Result, Error> {
    let Iterated { pressure, sums, .. } = iterate(dsm, size, iterations).await?;
    let gosa = sums.gather(1..size.planes - 1).await?.iter().fold(0.0, |gosa, of| gosa + of);
    Ok(Result { gosa, pressure: pressure.gather(0..size.planes * size.plane()).await? })
}

/// Time of the iterations alone, without initialization and the final gather.
pub async fn time(dsm: &Dsm, size: Size, iterations: usize) -> std::result::Result<Duration, Error> {
    Ok(iterate(dsm, size, iterations).await?.time)
}

/// State of a node after the iterations.
struct Iterated {
    pressure: Shared<[f32]>,
    /// Contribution of each plane to Gosa.
    sums: Shared<[f32]>,
    time: Duration,
}

async fn iterate(dsm: &Dsm, size: Size, iterations: usize) -> std::result::Result<Iterated, Error> {
    let plane = size.plane();
    let of = |at: usize| at * plane..(at + 1) * plane;
    let parts: Vec<_> = (0..size.planes).map(of).collect();
    let pressure: Shared<[f32]> = dsm.shared_in("pressure", size.planes * plane, &parts).await?;
    let ones: Vec<_> = (0..size.planes).map(|at| at..at + 1).collect();
    let sums: Shared<[f32]> = dsm.shared_in("gosa", size.planes, &ones).await?;
    let mine = share(size.planes, dsm.node(), dsm.nodes());
    for at in mine.clone() {
        pressure.write(of(at)).await?.fill(size.begin(at));
    }
    dsm.barrier().await?;
    let inner = mine.start.max(1)..mine.end.min(size.planes - 1);
    let begin = dsm.now();
    for _ in 0..iterations {
        let mut next = Vec::new();
        for at in inner.clone() {
            let below = pressure.read(of(at - 1)).await?;
            let here = pressure.read(of(at)).await?;
            let above = pressure.read(of(at + 1)).await?;
            let mut relaxed = vec![0.0; plane];
            let gosa = size.relax([&below, &here, &above], &mut relaxed);
            next.push((at, relaxed, gosa));
            drop((below, here, above));
            dsm.operations(OPERATIONS * size.inner()).await?;
        }
        // All nodes have read before any node writes.
        dsm.barrier().await?;
        for (at, relaxed, gosa) in next {
            pressure.write(of(at)).await?.copy_from_slice(&relaxed);
            sums.write(at..at + 1).await?[0] = gosa;
        }
        dsm.barrier().await?;
    }
    Ok(Iterated { pressure, sums, time: dsm.now() - begin })
}
