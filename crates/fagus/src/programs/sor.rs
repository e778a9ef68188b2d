//! Red-black successive over-relaxation of a square grid, as measured with TreadMarks.

use super::{Rows, share};
use crate::{Dsm, Error};

const OMEGA: f64 = 1.25;
/// Operations for each point: three sums, a division, a difference, a product and a sum.
const OPERATIONS: usize = 7;

/// Initial row, hot at the edge.
fn begin(row: usize, size: usize) -> Vec<f64> {
    (0..size).map(|column| if row == 0 || column == 0 { 100.0 } else { 0.0 }).collect()
}

/// Relaxes the points of one colour in a row.
fn relax(above: &[f64], row: &mut [f64], below: &[f64], first: usize) {
    for at in (first..row.len() - 1).step_by(2) {
        let mean = (above[at] + below[at] + row[at - 1] + row[at + 1]) / 4.0;
        row[at] += OMEGA * (mean - row[at]);
    }
}

/// First point of a colour in a row.
fn first(row: usize, colour: usize) -> usize {
    1 + (row + colour) % 2
}

/// Serial version.
pub fn alone(size: usize, iterations: usize) -> Vec<f64> {
    let mut rows: Vec<_> = (0..size).map(|row| begin(row, size)).collect();
    for colour in (0..iterations).flat_map(|_| [0, 1]) {
        for at in 1..size - 1 {
            let mut row = std::mem::take(&mut rows[at]);
            relax(&rows[at - 1], &mut row, &rows[at + 1], first(at, colour));
            rows[at] = row;
        }
    }
    rows.concat()
}

/// Program of a node.
pub async fn program(dsm: &Dsm, size: usize, iterations: usize) -> Result<Vec<f64>, Error> {
    let rows = Rows::new(dsm, "grid", size, size).await?;
    let mine = share(size, dsm.node(), dsm.nodes());
    for at in mine.clone() {
        rows.write(at).await?.copy_from_slice(&begin(at, size));
    }
    dsm.barrier().await?;
    for colour in (0..iterations).flat_map(|_| [0, 1]) {
        for at in mine.start.max(1)..mine.end.min(size - 1) {
            // The neighbouring rows are copied: nodes that kept read guards while writing could deadlock.
            let above = rows.read(at - 1).await?.to_vec();
            let below = rows.read(at + 1).await?.to_vec();
            relax(&above, &mut rows.write(at).await?, &below, first(at, colour));
            dsm.operations(OPERATIONS * (size - 2) / 2).await?;
        }
        dsm.barrier().await?;
    }
    rows.all().await
}
