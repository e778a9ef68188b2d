//! LU decomposition without pivoting. Rows are distributed cyclically, so that all nodes have work until the
//! end.

use super::Rows;
use crate::{Dsm, Error};

/// Row of a diagonally dominant matrix.
fn begin(row: usize, size: usize) -> Vec<f64> {
    let element =
        |column| if row == column { size as f64 } else { ((row * 5 + column * 3) % 7) as f64 / 7.0 };
    (0..size).map(element).collect()
}

/// Eliminates one element of a row with the pivot row.
fn eliminate(pivot: &[f64], row: &mut [f64], at: usize) {
    let factor = row[at] / pivot[at];
    row[at] = factor;
    row[at + 1..].iter_mut().zip(&pivot[at + 1..]).for_each(|(element, of)| *element -= factor * of);
}

/// Serial version.
pub fn alone(size: usize) -> Vec<f64> {
    let mut rows: Vec<_> = (0..size).map(|row| begin(row, size)).collect();
    for at in 0..size {
        let (done, rest) = rows.split_at_mut(at + 1);
        rest.iter_mut().for_each(|row| eliminate(&done[at], row, at));
    }
    rows.concat()
}

/// Program of a node.
pub async fn program(dsm: &Dsm, size: usize) -> Result<Vec<f64>, Error> {
    let rows = Rows::new(dsm, "matrix", size, size).await?;
    let (me, nodes) = (dsm.node(), dsm.nodes());
    let mine = |from: usize| (from..size).filter(move |row| row % nodes == me);
    for at in mine(0) {
        rows.write(at).await?.copy_from_slice(&begin(at, size));
    }
    dsm.barrier().await?;
    for at in 0..size {
        let pivot = rows.read(at).await?;
        for row in mine(at + 1) {
            eliminate(&pivot, &mut rows.write(row).await?, at);
            // One division, then a product and a difference for each element after the pivot.
            dsm.operations(1 + 2 * (size - at - 1)).await?;
        }
        drop(pivot);
        dsm.barrier().await?;
    }
    rows.all().await
}
