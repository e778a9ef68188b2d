//! Fourier transform in three dimensions: along x and y in planes of z, then along z in planes of x.

use std::f64::consts::TAU;

use super::complex::Complex;
use crate::error::Error;
use crate::traffic::World;
use crate::work::{Work, Worker};

/// A butterfly: one product, a sum and a difference of complex numbers; three loads and two stores.
const BUTTERFLY: Work = Work::pass(10, 10, 0);
/// Copy of a number to its place in a message, and from it: read once, written once.
const MOVE: Work = Work::pass(0, 4, 4 + 8);

/// Transform of a process, which cooperates with those of the other ranks.
pub struct Transform<'a> {
    world: &'a World<'a>,
    worker: &'a Worker<'a>,
    points: [usize; 3],
}

impl<'a> Transform<'a> {
    pub fn new(world: &'a World<'a>, worker: &'a Worker<'a>, points: [usize; 3]) -> Transform<'a> {
        Transform { world, worker, points }
    }

    /// Frequencies of a field: from planes of z, x fastest, to planes of x, z fastest.
    pub async fn forward(&self, mut field: Vec<Complex>) -> Result<Vec<Complex>, Error> {
        let [width, height, depth] = self.points;
        self.along(&mut field, 0, 1.0).await;
        self.along(&mut field, 1, 1.0).await;
        let planes = depth / self.world.size();
        let columns = width / self.world.size();
        let from = |x: usize, y: usize, z: usize| x + width * (y + height * z);
        let to = |x: usize, y: usize, z: usize| z + depth * (y + height * x);
        // To each process go the points of its x; from each come those of its z.
        let mut parts = Vec::with_capacity(field.len());
        for part in 0..self.world.size() {
            for_each([columns, height, planes], |[x, y, z]| {
                parts.push(field[from(part * columns + x, y, z)])
            });
        }
        let mut came = self.turn(parts).await?.into_iter();
        for part in 0..self.world.size() {
            for_each([columns, height, planes], |[x, y, z]| {
                field[to(x, y, part * planes + z)] = came.next().unwrap_or_default();
            });
        }
        self.lines(&mut field, depth, 1.0).await;
        Ok(field)
    }

    /// Field of frequencies, times the number of points: from planes of x to planes of z.
    pub async fn back(&self, mut field: Vec<Complex>) -> Result<Vec<Complex>, Error> {
        let [width, height, depth] = self.points;
        self.lines(&mut field, depth, -1.0).await;
        let planes = depth / self.world.size();
        let columns = width / self.world.size();
        let mut parts = Vec::with_capacity(field.len());
        for part in 0..self.world.size() {
            for_each([columns, height, planes], |[x, y, z]| {
                parts.push(field[part * planes + z + depth * (y + height * x)]);
            });
        }
        let mut came = self.turn(parts).await?.into_iter();
        for part in 0..self.world.size() {
            for_each([columns, height, planes], |[x, y, z]| {
                field[part * columns + x + width * (y + height * z)] = came.next().unwrap_or_default();
            });
        }
        self.along(&mut field, 1, -1.0).await;
        self.along(&mut field, 0, -1.0).await;
        Ok(field)
    }

    /// Sends an equal share to each process, and receives one from each.
    async fn turn(&self, parts: Vec<Complex>) -> Result<Vec<Complex>, Error> {
        self.worker.does(MOVE * (2 * parts.len())).await;
        let numbers: Vec<f64> = parts.iter().flat_map(|number| [number.re, number.im]).collect();
        let came = self.world.alltoall(&numbers).await?;
        Ok(came.as_chunks::<2>().0.iter().map(|[re, im]| Complex { re: *re, im: *im }).collect())
    }

    /// Transforms along x or y in planes of z.
    async fn along(&self, field: &mut [Complex], axis: usize, sign: f64) {
        let [width, height, _] = self.points;
        if axis == 0 {
            return self.lines(field, width, sign).await;
        }
        let mut turned = vec![Complex::default(); width * height];
        for plane in field.chunks_exact_mut(width * height) {
            for (place, number) in plane.iter().enumerate() {
                turned[place / width + height * (place % width)] = *number;
            }
            self.lines(&mut turned, height, sign).await;
            for (place, number) in plane.iter_mut().enumerate() {
                *number = turned[place / width + height * (place % width)];
            }
        }
    }

    /// Transforms each line of `length` numbers.
    async fn lines(&self, field: &mut [Complex], length: usize, sign: f64) {
        let roots: Vec<_> =
            (0..length / 2).map(|k| Complex::at(sign * TAU * k as f64 / length as f64)).collect();
        field.chunks_exact_mut(length).for_each(|line| transform(line, &roots));
        self.worker.does(BUTTERFLY * (field.len() / 2 * length.ilog2() as usize)).await;
    }
}

/// Calls for all points of a box, z fastest.
fn for_each([columns, rows, planes]: [usize; 3], mut call: impl FnMut([usize; 3])) {
    for x in 0..columns {
        for y in 0..rows {
            (0..planes).for_each(|z| call([x, y, z]));
        }
    }
}

/// Transforms a line in place (radix 2); `roots` are the first half of the roots of unity.
fn transform(line: &mut [Complex], roots: &[Complex]) {
    let bits = line.len().ilog2();
    for place in 1..line.len() {
        let reversed = place.reverse_bits() >> (usize::BITS - bits);
        if place < reversed {
            line.swap(place, reversed);
        }
    }
    let mut half = 1;
    while half < line.len() {
        let step = roots.len() / half;
        for group in line.chunks_exact_mut(2 * half) {
            let (low, high) = group.split_at_mut(half);
            for (place, (low, high)) in low.iter_mut().zip(high).enumerate() {
                let turned = *high * roots[place * step];
                (*low, *high) = (*low + turned, *low - turned);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transform_of_a_wave_is_one_frequency() {
        let roots =
            |sign: f64| (0..4).map(move |k| Complex::at(sign * TAU * f64::from(k) / 8.0)).collect::<Vec<_>>();
        let mut line: Vec<_> = (0..8).map(|place| Complex::at(-TAU * f64::from(3 * place) / 8.0)).collect();
        transform(&mut line, &roots(1.0));
        for (place, number) in line.iter().enumerate() {
            let right = if place == 3 { 8.0 } else { 0.0 };
            assert!((number.re - right).abs() < 1e-12 && number.im.abs() < 1e-12, "{place}: {number:?}");
        }
    }
}
