//! Which of all faults are tried.

use hdl::Stimulus;

use crate::fault::{Fault, Planted};

/// Draws `sample` faults by a seed, at least `each` of every block that has so many, and numbers them from 1 in the order given.
pub fn sample(blocks: Vec<Vec<Fault>>, sample: usize, each: usize, seed: u64) -> Vec<Planted> {
    let mut stimulus = Stimulus::new(seed);
    let mut rest = Vec::new();
    let mut drawn = Vec::new();
    for mut faults in blocks {
        shuffle(&mut faults, &mut stimulus);
        rest.extend(faults.split_off(each.min(faults.len())));
        drawn.extend(faults);
    }
    shuffle(&mut rest, &mut stimulus);
    if drawn.len() > sample {
        shuffle(&mut drawn, &mut stimulus);
        drawn.truncate(sample);
    }
    drawn.extend(rest.into_iter().take(sample - drawn.len()));
    drawn.sort();
    (1..).zip(drawn).map(|(number, fault)| Planted { number, fault }).collect()
}

fn shuffle(faults: &mut [Fault], stimulus: &mut Stimulus) {
    for last in (1..faults.len()).rev() {
        faults.swap(last, stimulus.below(last as u64 + 1) as usize);
    }
}
