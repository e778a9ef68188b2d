//! The right side: 0, but for 1 at the points of the ten largest of random numbers and -1 at those of the ten
//! smallest.

use std::iter;

use super::field::Field;
use super::ghosts;
use super::grid::Grid;
use crate::error::Error;
use crate::random::Random;
use crate::traffic::World;

/// Charges of each sign.
const EACH: usize = 10;

/// Charges at the points of this process, with the layer.
pub async fn charges(world: &World<'_>, grid: &Grid, levels: usize) -> Result<Field, Error> {
    let mut field = Field::new(grid.level(levels).points);
    let mut numbers = numbers(grid, levels);
    for (sign, value) in [(1, 1.0), (-1, -1.0)] {
        let order = |(bits, _): &(u64, u64)| if sign > 0 { !*bits } else { *bits };
        if numbers.len() > EACH {
            numbers.select_nth_unstable_by_key(EACH - 1, order);
        }
        // A process with few points sends places that do not exist, behind all others.
        let none = (if sign > 0 { 0 } else { u64::MAX }, u64::MAX);
        let own = numbers.iter().copied().chain(iter::repeat(none)).take(EACH);
        let own: Vec<u64> = own.flat_map(|(bits, place)| [bits, place]).collect();
        let all = world.allgather(&own).await?;
        let (all, _) = all.as_chunks::<2>();
        let mut all: Vec<_> = all.iter().map(|[bits, place]| (*bits, *place)).collect();
        all.sort_unstable_by_key(order);
        for (_, place) in &all[..EACH] {
            if let Some(index) = own_index(grid, &field, levels, *place) {
                field.values_mut()[index] = value;
            }
        }
    }
    ghosts::fill(world, grid, levels, &mut field).await?;
    Ok(field)
}

/// Random numbers of the points of this process, and their places in the sequence of all points.
fn numbers(grid: &Grid, levels: usize) -> Vec<(u64, u64)> {
    let [x, y, z] = grid.first(levels);
    let [width, height, depth] = grid.level(levels).points;
    let mut numbers = Vec::with_capacity(width * height * depth);
    for z in z..z + depth {
        for y in y..y + height {
            let first = (x + ((y + (z << levels)) << levels)) as u64;
            let mut random = Random::behind(first);
            numbers.extend((first..first + width as u64).map(|place| (random.next_bits(), place)));
        }
    }
    numbers
}

/// Index of a point of the whole grid, if it is this process's.
fn own_index(grid: &Grid, field: &Field, levels: usize, place: u64) -> Option<usize> {
    let along = |axis: usize| (place >> (axis * levels)) as usize & ((1 << levels) - 1);
    let first = grid.first(levels);
    let own = |axis: usize| (first[axis]..first[axis] + field.points()[axis]).contains(&along(axis));
    let inside = (0..3).all(own) && place >> (3 * levels) == 0;
    inside.then(|| field.index([0, 1, 2].map(|axis| along(axis) - first[axis] + 1)))
}
