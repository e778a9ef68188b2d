//! Molecular dynamics with forces between all pairs in every step, as in SPLASH's Water. Here a molecule is a
//! point with a Lennard-Jones potential.

use super::{Rows, share};
use crate::{Dsm, Error};

const STEP: f64 = 0.002;
/// Operations for each pair: 3 differences, 5 for the square, 1 comparison, 3 for the sixth power, 5 for the
/// strength, 6 for the force.
const OPERATIONS: usize = 23;

/// Position and velocity.
type Molecule = [f64; 6];

fn begin(number: usize) -> Molecule {
    let place = |axis: usize| (number / 4usize.pow(axis as u32) % 4) as f64 * 1.2;
    [place(0), place(1), place(2), 0.1 * (number % 3) as f64, 0.0, -0.1 * (number % 2) as f64]
}

/// A molecule after one step; forces are summed up in the order of the molecules.
fn step(number: usize, all: &[f64]) -> Molecule {
    let mut next: Molecule = std::array::from_fn(|at| all[6 * number + at]);
    let mut force = [0.0; 3];
    for (_, other) in all.chunks_exact(6).enumerate().filter(|(other, _)| *other != number) {
        let apart: [f64; 3] = std::array::from_fn(|axis| next[axis] - other[axis]);
        let square = apart.iter().map(|distance| distance * distance).sum::<f64>().max(0.5);
        let sixth = 1.0 / (square * square * square);
        let strength = 24.0 * (2.0 * sixth * sixth - sixth) / square;
        force.iter_mut().zip(apart).for_each(|(force, distance)| *force += strength * distance);
    }
    for axis in 0..3 {
        next[3 + axis] += STEP * force[axis];
        next[axis] += STEP * next[3 + axis];
    }
    next
}

/// Serial version.
pub fn alone(molecules: usize, steps: usize) -> Vec<f64> {
    let mut all: Vec<f64> = (0..molecules).flat_map(begin).collect();
    for _ in 0..steps {
        all = (0..molecules).flat_map(|number| step(number, &all)).collect();
    }
    all
}

/// Program of a node. Each molecule is a part, which is pushed to all other nodes after its move.
pub async fn program(dsm: &Dsm, molecules: usize, steps: usize) -> Result<Vec<f64>, Error> {
    let (me, nodes) = (dsm.node(), dsm.nodes());
    let all = Rows::new(dsm, "molecules", molecules, 6).await?;
    let mine = share(molecules, me, nodes);
    for number in mine.clone() {
        all.write(number).await?.copy_from_slice(&begin(number));
    }
    dsm.barrier().await?;
    for _ in 0..steps {
        let before = all.all().await?;
        dsm.barrier().await?;
        for number in mine.clone() {
            all.write(number).await?.copy_from_slice(&step(number, &before));
            dsm.operations(OPERATIONS * (molecules - 1)).await?;
            for other in (0..nodes).filter(|other| *other != me) {
                all.array.push(6 * number..6 * number + 6, other)?;
            }
        }
        dsm.barrier().await?;
    }
    all.all().await
}
