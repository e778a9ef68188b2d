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
        self.planes(&mut field, 1.0).await;
        self.turn(&mut field, Self::in_planes_of_z, Self::in_planes_of_x).await?;
        self.lines(&mut field, self.points[2], 1.0).await;
        Ok(field)
    }

    /// Field of frequencies, times the number of points: from planes of x to planes of z.
    pub async fn back(&self, mut field: Vec<Complex>) -> Result<Vec<Complex>, Error> {
        self.lines(&mut field, self.points[2], -1.0).await;
        self.turn(&mut field, Self::in_planes_of_x, Self::in_planes_of_z).await?;
        self.planes(&mut field, -1.0).await;
        Ok(field)
    }

    /// Points of a process that another one has, too, before or after a turn: along x, y and z.
    fn shared(&self) -> [usize; 3] {
        let [width, height, depth] = self.points;
        [width / self.world.size(), height, depth / self.world.size()]
    }

    /// Index in planes of z of a point that is shared with process `other`.
    fn in_planes_of_z(&self, other: usize, [x, y, z]: [usize; 3]) -> usize {
        let [width, height, _] = self.points;
        other * self.shared()[0] + x + width * (y + height * z)
    }

    /// Index in planes of x of a point that is shared with process `other`.
    fn in_planes_of_x(&self, other: usize, [x, y, z]: [usize; 3]) -> usize {
        let [_, height, depth] = self.points;
        other * self.shared()[2] + z + depth * (y + height * x)
    }

    /// Sends each process the points that it has after the turn; `from` and `to` are indices before and after it.
    async fn turn(
        &self,
        field: &mut [Complex],
        from: impl Fn(&Self, usize, [usize; 3]) -> usize,
        to: impl Fn(&Self, usize, [usize; 3]) -> usize,
    ) -> Result<(), Error> {
        self.worker.does(MOVE * (2 * field.len())).await;
        let mut numbers = Vec::with_capacity(2 * field.len());
        self.for_each_shared(|other, point| {
            let Complex { re, im } = field[from(self, other, point)];
            numbers.extend([re, im]);
        });
        let came = self.world.alltoall(&numbers).await?;
        let mut came = came.as_chunks::<2>().0.iter();
        self.for_each_shared(|other, point| {
            let [re, im] = *came.next().expect("as many come as have left");
            field[to(self, other, point)] = Complex { re, im };
        });
        Ok(())
    }

    /// Calls for all points of a process, by the process with which they are shared; z fastest.
    fn for_each_shared(&self, mut call: impl FnMut(usize, [usize; 3])) {
        let [columns, rows, planes] = self.shared();
        for other in 0..self.world.size() {
            for x in 0..columns {
                for y in 0..rows {
                    (0..planes).for_each(|z| call(other, [x, y, z]));
                }
            }
        }
    }

    /// Transforms along x and y in planes of z. The order of both does not matter.
    async fn planes(&self, field: &mut [Complex], sign: f64) {
        let [width, height, _] = self.points;
        self.lines(field, width, sign).await;
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
