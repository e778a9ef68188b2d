//! Keys of a process.

use std::ops::Range;

use super::{Class, ITERATIONS};
use crate::random::Random;

/// Random numbers averaged for a key, so that the distribution is peaked.
const MEAN_OF: u32 = 4;

/// Keys of a process: an equal share of the key sequence.
#[derive(Clone, Debug)]
pub struct Keys {
    class: Class,
    first: usize,
    /// Values in the order of the sequence.
    pub keys: Vec<u32>,
}

impl Keys {
    /// Share of process `rank` of `size`.
    pub fn new(class: &Class, rank: usize, size: usize) -> Keys {
        let share = |rank: usize| rank * class.keys() / size;
        let own = share(rank)..share(rank + 1);
        let mut random = Random::behind(u64::from(MEAN_OF) * own.start as u64);
        // floor(most * (sum of four numbers) / 4) in integers.
        let shift = Random::BITS + MEAN_OF.ilog2() - class.most_log;
        let mut key = || (0..MEAN_OF).map(|_| random.next_bits()).sum::<u64>() >> shift;
        Keys { class: *class, first: own.start, keys: own.map(|_| key() as u32).collect() }
    }

    /// Changes two keys of the whole sequence before an iteration.
    pub fn change(&mut self, iteration: usize) {
        let most = self.class.most();
        for (place, key) in [(iteration, iteration), (iteration + ITERATIONS, most - iteration)] {
            if let Some(own) = self.own(place) {
                self.keys[own] = key as u32;
            }
        }
    }

    /// Key at a position of the whole sequence, if this process has it.
    pub fn at(&self, place: usize) -> Option<u32> {
        self.own(place).map(|own| self.keys[own])
    }

    fn own(&self, place: usize) -> Option<usize> {
        let all: Range<usize> = self.first..self.first + self.keys.len();
        all.contains(&place).then(|| place - self.first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::is::{A, S, W};

    #[test]
    fn keys_are_the_same_on_any_number_of_processes() {
        let whole = Keys::new(&S, 0, 1);
        for size in [2, 3, 8] {
            let parts: Vec<_> = (0..size).map(|rank| Keys::new(&S, rank, size)).collect();
            assert_eq!(parts.iter().flat_map(|part| part.keys.clone()).collect::<Vec<_>>(), whole.keys);
            let owners = parts.iter().filter_map(|part| part.at(48_427));
            assert_eq!(owners.collect::<Vec<_>>(), [whole.keys[48_427]]);
        }
    }

    #[test]
    fn published_ranks_follow_from_counting_all_keys() {
        for class in [S, W, A] {
            let mut keys = Keys::new(&class, 0, 1);
            for iteration in 1..=ITERATIONS {
                keys.change(iteration);
                let mut counts = vec![0_i64; class.most()];
                keys.keys.iter().for_each(|key| counts[*key as usize] += 1);
                for test in class.tests {
                    let less: i64 = counts[..keys.keys[test.place] as usize].iter().sum();
                    assert_eq!(less, test.rank + test.step * iteration as i64, "{} {test:?}", class.name);
                }
            }
        }
    }
}
