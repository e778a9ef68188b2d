//! Matrix product: each node has rows of the first factor, and all read the second one.

use super::{Rows, share};
use crate::{Dsm, Error};

fn left(row: usize, column: usize) -> f64 {
    1.0 / (1 + row + 2 * column) as f64
}

fn right(row: usize, column: usize) -> f64 {
    ((row * 7 + column * 3) % 11) as f64 - 5.0
}

fn line(row: usize, size: usize, of: fn(usize, usize) -> f64) -> Vec<f64> {
    (0..size).map(|column| of(row, column)).collect()
}

/// Adds a scaled row of the second factor.
fn add(sum: &mut [f64], factor: f64, row: &[f64]) {
    sum.iter_mut().zip(row).for_each(|(sum, element)| *sum += factor * element);
}

/// Serial version.
pub fn alone(size: usize) -> Vec<f64> {
    let second: Vec<_> = (0..size).map(|row| line(row, size, right)).collect();
    let row = |at: usize| {
        let mut sum = vec![0.0; size];
        (0..size).for_each(|k| add(&mut sum, left(at, k), &second[k]));
        sum
    };
    (0..size).flat_map(row).collect()
}

/// Program of a node.
pub async fn program(dsm: &Dsm, size: usize) -> Result<Vec<f64>, Error> {
    let first = Rows::new(dsm, "first", size, size).await?;
    let second = Rows::new(dsm, "second", size, size).await?;
    let product = Rows::new(dsm, "product", size, size).await?;
    let mine = share(size, dsm.node(), dsm.nodes());
    for at in mine.clone() {
        first.write(at).await?.copy_from_slice(&line(at, size, left));
        second.write(at).await?.copy_from_slice(&line(at, size, right));
    }
    dsm.barrier().await?;
    for at in mine {
        let row = first.read(at).await?;
        let mut sum = product.write(at).await?;
        for k in 0..size {
            add(&mut sum, row[k], &second.read(k).await?);
        }
        // A product and a sum for each element of each row of the second factor.
        dsm.operations(2 * size * size).await?;
    }
    dsm.barrier().await?;
    product.all().await
}
