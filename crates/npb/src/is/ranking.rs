//! Ranking: each process receives all keys of a range and counts them.

use std::ops::Range;

use mpi::Predefined;

use super::keys::Keys;
use super::{Class, Test};
use crate::error::Error;
use crate::traffic::World;
use crate::work::{Work, Worker};

// Work of one pass of each loop, as written: loads, stores and arithmetic; words on the memory bus.
/// Counting a bucket: key and count are loaded, the key shifted, the count incremented and stored.
const COUNT_BUCKET: Work = Work::pass(0, 5, 1);
/// Filling a bucket: key and position are loaded, the bucket computed, the key stored, the position
/// incremented and stored.
const FILL_BUCKET: Work = Work::pass(0, 6, 1 + 2);
/// Counting a key: key and count are loaded, the count incremented and stored.
const COUNT_KEY: Work = Work::pass(0, 4, 1);
/// Prefix sum of counts: load, add, store.
const ADD_UP: Work = Work::pass(0, 3, 0);

/// Ranking process, which cooperates with those of the other ranks.
pub struct Ranker<'a> {
    world: &'a World<'a>,
    class: Class,
    worker: &'a Worker<'a>,
}

/// All keys of a range, with their ranks.
pub struct Ranked {
    /// Range of the keys at this process.
    pub values: Range<usize>,
    /// For each value of the range, the number of smaller keys at all processes.
    pub less: Vec<u64>,
    /// Keys of the range in the order of arrival.
    pub keys: Vec<u32>,
    /// Values of the keys with published ranks.
    tested: Vec<u32>,
}

impl<'a> Ranker<'a> {
    pub fn new(world: &'a World<'a>, class: &Class, worker: &'a Worker<'a>) -> Ranker<'a> {
        Ranker { world, class: *class, worker }
    }

    /// Bytes accessed in an iteration: own keys, keys in buckets, received keys, and the counts of keys and
    /// buckets.
    pub fn swept(class: &Class, size: usize) -> usize {
        4 * (3 * class.keys() / size + class.most() / size + class.buckets())
    }

    /// Ranks the keys of all processes.
    pub async fn rank(&self, keys: &Keys) -> Result<Ranked, Error> {
        let own = self.count_buckets(keys).await;
        let (all, tested) = self.sum(&own, keys).await?;
        let owners = owners(&all, self.class.keys(), self.world.size());
        let sorted = self.fill_buckets(keys, &own).await;
        let mut counts = vec![0_u32; self.world.size()];
        owners.iter().zip(&own).for_each(|(owner, count)| counts[*owner] += count);
        self.worker.does(ADD_UP * (2 * own.len())).await;
        let keys = self.swap(&sorted, &counts).await?;

        let rank = self.world.rank();
        let first = owners.partition_point(|owner| *owner < rank);
        let end = owners.partition_point(|owner| *owner <= rank);
        let wide = self.class.most() / self.class.buckets();
        let values = first * wide..end * wide;
        let before = all[..first].iter().map(|count| u64::from(*count)).sum();
        let less = self.count_keys(&keys, &values, before).await;
        Ok(Ranked { values, less, keys, tested })
    }

    fn bucket(&self, key: u32) -> usize {
        (key >> (self.class.most_log - self.class.buckets_log)) as usize
    }

    /// Keys of this process in each bucket.
    async fn count_buckets(&self, keys: &Keys) -> Vec<u32> {
        let mut counts = vec![0; self.class.buckets()];
        keys.keys.iter().for_each(|key| counts[self.bucket(*key)] += 1);
        self.worker.does(COUNT_BUCKET * keys.keys.len()).await;
        counts
    }

    /// Keys of all processes in each bucket, and the keys with published ranks, which their owners add to the
    /// same message.
    async fn sum(&self, own: &[u32], keys: &Keys) -> Result<(Vec<u32>, Vec<u32>), Error> {
        let tests = self.class.tests.map(|test| keys.at(test.place).unwrap_or(0));
        let mut all = self.world.allreduce(&[own, &tests[..]].concat(), Predefined::Sum).await?;
        let tested = all.split_off(own.len());
        Ok((all, tested))
    }

    /// Keys of this process sorted by bucket.
    async fn fill_buckets(&self, keys: &Keys, counts: &[u32]) -> Vec<u32> {
        let mut places: Vec<_> = sums_before(counts, 0).map(|place| place as usize).collect();
        self.worker.does(ADD_UP * counts.len()).await;
        let mut sorted = vec![0; keys.keys.len()];
        for key in &keys.keys {
            let place = &mut places[self.bucket(*key)];
            sorted[*place] = *key;
            *place += 1;
        }
        self.worker.does(FILL_BUCKET * keys.keys.len()).await;
        sorted
    }

    /// Sends `counts` keys to each process and receives the keys of this process.
    async fn swap(&self, keys: &[u32], counts: &[u32]) -> Result<Vec<u32>, Error> {
        let coming = self.world.alltoall(counts).await?;
        self.world.alltoallv(keys, counts, &coming).await
    }

    /// Number of smaller keys for each value of the range; `before` keys are below the range.
    async fn count_keys(&self, keys: &[u32], values: &Range<usize>, before: u64) -> Vec<u64> {
        let mut counts = vec![0_u32; values.len()];
        keys.iter().for_each(|key| counts[*key as usize - values.start] += 1);
        self.worker.does(COUNT_KEY * keys.len() + ADD_UP * counts.len()).await;
        sums_before(&counts, before).collect()
    }
}

impl Ranked {
    /// Published ranks reproduced in an iteration by the keys of this process.
    pub fn tests_right(&self, class: &Class, iteration: usize) -> usize {
        let right = |(key, test): (&u32, &Test)| {
            let key = *key as usize;
            let expected = test.rank + test.step * iteration as i64;
            self.values.contains(&key) && i64::try_from(self.less[key - self.values.start]) == Ok(expected)
        };
        self.tested.iter().zip(&class.tests).filter(|pair| right(*pair)).count()
    }
}

/// Process of each bucket: consecutive buckets with about equal numbers of keys.
fn owners(counts: &[u32], keys: usize, size: usize) -> Vec<usize> {
    let owner = |before: u64| (before as usize * size / keys).min(size - 1);
    sums_before(counts, 0).map(owner).collect()
}

/// Exclusive prefix sums of the counts.
fn sums_before(counts: &[u32], first: u64) -> impl Iterator<Item = u64> {
    counts.iter().scan(first, |sum, count| {
        let before = *sum;
        *sum += u64::from(*count);
        Some(before)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_shared_out_in_order_and_about_equally() {
        assert_eq!(owners(&[3, 1, 1, 3], 8, 2), [0, 0, 1, 1]);
        assert_eq!(owners(&[8, 0, 0, 0], 8, 4), [0, 3, 3, 3], "nobody else has anything");
        assert_eq!(owners(&[0, 0, 2, 6], 8, 8), [0, 0, 0, 2]);
    }
}
