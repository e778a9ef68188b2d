//! The initial field, and the decay of its frequencies.

use std::f64::consts::PI;

use super::Class;
use super::complex::Complex;
use crate::random::Random;

/// Diffusivity times the time of a step.
const ALPHA: f64 = 1e-6;

/// Initial field in the planes of a process: random numbers, x fastest.
pub fn initial(class: &Class, rank: usize, size: usize) -> Vec<Complex> {
    let points: usize = class.points.iter().product::<usize>() / size;
    let mut random = Random::behind(2 * (rank * points) as u64);
    let mut number = || random.next_uniform();
    (0..points).map(|_| Complex { re: number(), im: number() }).collect()
}

/// Frequencies of a process, which decay from step to step.
pub struct Spectrum {
    frequencies: Vec<Complex>,
    factors: Vec<f64>,
}

impl Spectrum {
    /// Frequencies of a process, divided along x, z fastest.
    pub fn new(class: &Class, rank: usize, frequencies: Vec<Complex>) -> Spectrum {
        let [width, height, depth] = class.points;
        let first = rank * (frequencies.len() / (height * depth));
        let factor = |index: usize| {
            let [x, y, z] = [first + index / (depth * height), index / depth % height, index % depth];
            let square: i64 = [(x, width), (y, height), (z, depth)].map(square).iter().sum();
            (-4.0 * ALPHA * PI * PI * square as f64).exp()
        };
        let factors = (0..frequencies.len()).map(factor).collect();
        Spectrum { frequencies, factors }
    }

    /// Frequencies after another step.
    pub fn evolve(&mut self) -> Vec<Complex> {
        for (frequency, factor) in self.frequencies.iter_mut().zip(&self.factors) {
            *frequency = frequency.scaled(*factor);
        }
        self.frequencies.clone()
    }
}

/// Square of the frequency at a place of an axis; those of the upper half are negative.
fn square((place, points): (usize, usize)) -> i64 {
    let frequency = ((place + points / 2) % points) as i64 - (points / 2) as i64;
    frequency * frequency
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_are_symmetric() {
        assert_eq!([0, 1, 3, 4, 5, 7].map(|place| square((place, 8))), [0, 1, 9, 16, 9, 1]);
    }
}
