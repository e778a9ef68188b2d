//! Weighted sums over cubes of 3 by 3 by 3 points.

use super::field::Field;
use crate::work::Work;

/// Work at a point: two sums of four, each made once and used three times; three products, seven sums; a load
/// and a store of the target. Rows of the source are read once while three planes of it fit the cache.
pub const POINT: Work = Work::pass(6 + 11, 8 + 2, 2 + 4);

/// Adds to `target` the sum over the cube around each point of `source`. Weights are those of the centre, the
/// 6 faces, the 12 edges and the 8 corners.
pub fn add(target: &mut Field, source: &Field, weights: [f64; 4]) {
    let [row, plane] = [source.step(1), source.step(2)];
    let width = source.points()[0];
    let (mut faces, mut corners) = (vec![0.0; width + 2], vec![0.0; width + 2]);
    let values = source.values();
    for first in target.rows() {
        // Four neighbours of each point across the row, next to it and diagonally.
        for place in 0..width + 2 {
            let at = first - 1 + place;
            faces[place] = values[at - row] + values[at + row] + values[at - plane] + values[at + plane];
            corners[place] = values[at - row - plane]
                + values[at + row - plane]
                + values[at - row + plane]
                + values[at + row + plane];
        }
        for place in 1..=width {
            let at = first - 1 + place;
            target.values_mut()[at] += weights[0] * values[at]
                + weights[1] * (values[at - 1] + values[at + 1] + faces[place])
                + weights[2] * (corners[place] + faces[place - 1] + faces[place + 1])
                + weights[3] * (corners[place - 1] + corners[place + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_weight_counts_its_neighbours() {
        let mut ones = Field::new([3, 2, 2]);
        ones.values_mut().fill(1.0);
        for (weight, neighbours) in [1.0, 6.0, 12.0, 8.0].into_iter().enumerate() {
            let mut weights = [0.0; 4];
            weights[weight] = 0.5;
            let mut sums = Field::new([3, 2, 2]);
            add(&mut sums, &ones, weights);
            assert_eq!(sums.values()[sums.index([2, 1, 2])], neighbours / 2.0);
        }
    }
}
