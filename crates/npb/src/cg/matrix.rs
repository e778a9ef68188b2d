//! The matrix: sparse with random structure, symmetric, and positive definite before its shift (RNR-94-007,
//! kernel CG).

use std::ops::Range;

use super::Class;
use crate::random::Random;

/// Ratio of the last weight to the first, and addend of the diagonal: together they give a condition number
/// of about 10.
const CONDITION: f64 = 0.1;
/// Element `i` of vector `i`, so that no row is empty.
const DIAGONAL: f64 = 0.5;

/// A block of the matrix in compressed row storage.
///
/// The matrix is the sum of w x x^T over as many sparse random vectors x as it has rows. The weights w fall
/// from 1 to 0.1 in a geometric sequence. 0.1 is added to the diagonal, and the shift is subtracted from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Index of the first element of each row, and the number of elements.
    starts: Vec<usize>,
    /// Column of each element, relative to the block.
    columns: Vec<usize>,
    elements: Vec<f64>,
}

impl Matrix {
    /// Block of these rows and columns. Every process generates all vectors and keeps its own elements.
    pub fn new(class: &Class, rows: Range<usize>, columns: Range<usize>) -> Matrix {
        let mut parts: Vec<(usize, usize, f64)> = Vec::new();
        let mut add = |row: usize, column: usize, value: f64| {
            if rows.contains(&row) && columns.contains(&column) {
                parts.push((row - rows.start, column - columns.start, value));
            }
        };
        // The first random number is not used for the matrix.
        let mut random = Random::behind(1);
        let ratio = CONDITION.powf(1.0 / class.order as f64);
        let mut weight = 1.0;
        for diagonal in 0..class.order {
            let vector = sparse_vector(&mut random, class, diagonal);
            for &(column, right) in &vector {
                vector.iter().for_each(|&(row, left)| add(row, column, weight * right * left));
            }
            weight *= ratio;
        }
        (0..class.order).for_each(|i| add(i, i, CONDITION - class.shift));
        Matrix::sum(rows.len(), parts)
    }

    /// Adds up elements of the same place, in the order of their generation.
    fn sum(rows: usize, mut parts: Vec<(usize, usize, f64)>) -> Matrix {
        parts.sort_by_key(|(row, column, _)| (*row, *column));
        let mut matrix = Matrix { starts: vec![0; rows + 1], columns: Vec::new(), elements: Vec::new() };
        let mut last = None;
        for (row, column, value) in parts {
            match matrix.elements.last_mut() {
                Some(element) if last == Some((row, column)) => *element += value,
                _ => {
                    matrix.columns.push(column);
                    matrix.elements.push(value);
                    matrix.starts[row + 1] += 1;
                    last = Some((row, column));
                }
            }
        }
        let mut end = 0;
        for start in &mut matrix.starts {
            end += *start;
            *start = end;
        }
        matrix
    }

    /// Stored elements.
    pub fn nonzeros(&self) -> usize {
        self.elements.len()
    }

    /// Rows of the block.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Memory of the block on a computer of the time: 12 bytes for each element, 4 for each row.
    pub fn bytes(&self) -> usize {
        12 * self.nonzeros() + 4 * self.starts.len()
    }

    /// Product of the block and a vector.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let row = |ends: &[usize]| {
            let (columns, elements) = (&self.columns[ends[0]..ends[1]], &self.elements[ends[0]..ends[1]]);
            columns.iter().zip(elements).map(|(column, element)| element * vector[*column]).sum()
        };
        self.starts.windows(2).map(row).collect()
    }
}

/// Positions and values of a sparse random vector, with distinct positions.
fn sparse_vector(random: &mut Random, class: &Class, diagonal: usize) -> Vec<(usize, f64)> {
    // Positions are drawn from the next power of two. Those beyond the order are rejected together with their
    // values.
    let bits = class.order.next_power_of_two().ilog2();
    let mut vector: Vec<(usize, f64)> = Vec::with_capacity(class.nonzeros + 1);
    while vector.len() < class.nonzeros {
        let value = random.next_uniform();
        let place = (random.next_bits() >> (Random::BITS - bits)) as usize;
        if place < class.order && vector.iter().all(|(other, _)| *other != place) {
            vector.push((place, value));
        }
    }
    match vector.iter_mut().find(|(place, _)| *place == diagonal) {
        Some((_, value)) => *value = DIAGONAL,
        None => vector.push((diagonal, DIAGONAL)),
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cg::{S, W};

    #[test]
    fn nonzeros_match_the_report() {
        // From the report's table of CG for class S; class W is that of NPB 2.
        for (class, nonzeros) in [(S, 78_148), (W, 508_402)] {
            assert_eq!(Matrix::new(&class, 0..class.order, 0..class.order).nonzeros(), nonzeros);
        }
    }

    #[test]
    fn matrix_is_symmetric_and_made_of_its_blocks() {
        let class = Class { order: 60, ..S };
        let whole = Matrix::new(&class, 0..60, 0..60);
        let unit = |at: usize| (0..60).map(|i| f64::from(u8::from(i == at))).collect::<Vec<_>>();
        let columns: Vec<_> = (0..60).map(|at| whole.times(&unit(at))).collect();
        for (i, column) in columns.iter().enumerate() {
            let row = columns.iter().map(|column| column[i]);
            assert!(column.iter().zip(row).all(|(below, right)| (below - right).abs() < 1e-15));
        }
        let vector: Vec<_> = (0..60).map(f64::from).collect();
        let blocks = [0..25, 25..60].map(|columns: Range<usize>| {
            Matrix::new(&class, 10..50, columns.clone()).times(&vector[columns])
        });
        for (row, product) in whole.times(&vector)[10..50].iter().enumerate() {
            assert!((blocks[0][row] + blocks[1][row] - product).abs() < 1e-9);
        }
    }
}
