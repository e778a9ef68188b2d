//! Restriction to the next coarser grid and interpolation to the next finer one.
//!
//! Both are products of the same rule along each axis: a fine point at a coarse one has its value, one between
//! two coarse points their mean.

use super::field::Field;
use super::grid::{AXES, Grid};
use crate::error::Error;
use crate::traffic::World;
use crate::work::Work;

/// Weights of restriction: centre, faces, edges and corners.
const WEIGHTS: [f64; 4] = [0.5, 0.25, 0.125, 0.0625];
/// Work at a coarse point: two sums of four at each of three places, and the weights.
pub const COARSE: Work = Work::pass(18 + 11, 27 + 1, 8 + 2);
/// Work at a fine point, about one sum and product along each axis.
pub const FINE: Work = Work::pass(6, 9, 6);

/// Tags of messages to the neighbours after and before.
const UP: u32 = 2;
const DOWN: u32 = 3;

/// Coarse field of a process that has points of the coarser level; `fine` has its layer.
pub fn restrict(fine: &Field, points: [usize; 3]) -> Field {
    let mut coarse = Field::new(points);
    // Coarse points are at the odd places of those that the process has, or at its only one.
    let centre =
        |axis: usize, place: usize| if fine.points()[axis] > points[axis] { 2 * place } else { place };
    let steps = AXES.map(|axis| fine.step(axis));
    for z in 1..=points[2] {
        for y in 1..=points[1] {
            for x in 1..=points[0] {
                let at = fine.index([centre(0, x), centre(1, y), centre(2, z)]);
                let index = coarse.index([x, y, z]);
                coarse.values_mut()[index] = cube(fine.values(), at, steps);
            }
        }
    }
    coarse
}

/// Weighted sum over the cube around an index.
fn cube(values: &[f64], at: usize, steps: [usize; 3]) -> f64 {
    let mut sums = [0.0; 4];
    for z in 0..3 {
        for y in 0..3 {
            for x in 0..3 {
                let off = [x, y, z].iter().filter(|place| **place != 1).count();
                let index = at + x * steps[0] + y * steps[1] + z * steps[2];
                sums[off] += values[index - steps.iter().sum::<usize>()];
            }
        }
    }
    sums.iter().zip(WEIGHTS).map(|(sum, weight)| sum * weight).sum()
}

/// Interpolates a field of level `level - 1` to the points of `level`. The layer stays complete unless the
/// processes with points are other ones. A process without points
/// of the coarser level passes zeros, of a process's size there, and gets values from its neighbours.
pub async fn interpolate(
    world: &World<'_>,
    grid: &Grid,
    level: usize,
    mut field: Field,
) -> Result<Field, Error> {
    let (coarse, fine) = (grid.level(level - 1), grid.level(level));
    // Axes that have been interpolated are those of the finer level.
    let mut along = coarse.along;
    for axis in AXES {
        if fine.points[axis] > coarse.points[axis] {
            field = double(&field, axis);
            continue;
        }
        let others = AXES.iter().all(|other| *other == axis || along[*other]);
        if fine.stride[axis] < coarse.stride[axis] && others && fine.along[axis] {
            let neighbours = grid.neighbours(axis, fine.stride[axis]);
            field = spread(world, neighbours, along[axis], field).await?;
        }
        along[axis] = fine.along[axis];
    }
    Ok(field)
}

/// Doubles the points along an axis, with the layer.
fn double(coarse: &Field, axis: usize) -> Field {
    let mut points = coarse.points();
    points[axis] *= 2;
    let mut fine = Field::new(points);
    for place in 0..=coarse.points()[axis] {
        let [own, next] = [place, place + 1].map(|place| coarse.plane(axis, place));
        let [at, between] = [2 * place, 2 * place + 1].map(|place| fine.plane(axis, place));
        for index in 0..own.len() {
            let [value, after] = [own[index], next[index]].map(|index| coarse.values()[index]);
            fine.values_mut()[at[index]] = value;
            fine.values_mut()[between[index]] = (value + after) / 2.0;
        }
    }
    fine
}

/// A process with points of the coarser level sends them to both neighbours; the others take the mean of both.
async fn spread(
    world: &World<'_>,
    [before, after]: [usize; 2],
    has: bool,
    mut field: Field,
) -> Result<Field, Error> {
    if has {
        world.send(after, UP, field.values()).await?;
        world.send(before, DOWN, field.values()).await?;
        return Ok(field);
    }
    let most = field.values().len();
    let low = world.receive::<f64>(before, UP, most).await?;
    let high = world.receive::<f64>(after, DOWN, most).await?;
    let means = low.iter().zip(high).map(|(low, high)| (low + high) / 2.0);
    field.values_mut().iter_mut().zip(means).for_each(|(value, mean)| *value = mean);
    Ok(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restriction_and_doubling_keep_a_constant() {
        let mut fine = Field::new([4, 2, 2]);
        fine.values_mut().fill(3.0);
        // The weights of a cube add up to 4, those of NPB's scaled equations.
        let coarse = restrict(&fine, [2, 1, 1]);
        assert_eq!(coarse.values()[coarse.index([1, 1, 1])], 12.0);
        let doubled = double(&fine, 1);
        assert_eq!(doubled.points(), [4, 4, 2]);
        assert_eq!(doubled.values()[doubled.index([1, 3, 1])], 3.0);
    }
}
