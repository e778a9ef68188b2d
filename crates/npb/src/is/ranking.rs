//! Ranks of all keys: each process gets all keys between two limits, and counts them.

use std::ops::Range;

use mpi::{Collective, Communicator, Kind, Operation, Predefined};

use super::keys::Keys;
use super::{Class, Test};
use crate::error::Error;
use crate::packed::{pack, unpack};
use crate::work::{Work, Worker};

// What loops do in a pass, as they are written: loads, stores and arithmetic; words on the memory bus.
/// A key's bucket is counted: the key and its count are loaded, one is shifted, the other increased and stored.
const COUNT_BUCKET: Work = Work::pass(0, 5, 1);
/// A key goes into its bucket: it and its place are loaded, the bucket found, the key stored, the place increased and stored.
const FILL_BUCKET: Work = Work::pass(0, 6, 1 + 2);
/// A key is counted: it and its count are loaded, the count increased and stored.
const COUNT_KEY: Work = Work::pass(0, 4, 1);
/// Counts are added up: load, add, store.
const ADD_UP: Work = Work::pass(0, 3, 0);

/// A process that ranks keys with others.
pub struct Ranker<'a> {
    world: &'a Communicator,
    class: Class,
    worker: &'a Worker<'a>,
}

/// The keys between two limits, all of them here.
pub struct Ranked {
    /// What the keys here are.
    pub values: Range<usize>,
    /// How many keys of all are less than each value.
    pub less: Vec<u64>,
    /// The keys, as they came.
    pub keys: Vec<u32>,
    /// Published keys.
    tested: Vec<u32>,
}

impl<'a> Ranker<'a> {
    pub fn new(world: &'a Communicator, class: &Class, worker: &'a Worker<'a>) -> Ranker<'a> {
        Ranker { world, class: *class, worker }
    }

    /// Bytes that an iteration goes through: its keys as they are, in buckets, and as they come; counts of keys and of buckets.
    pub fn swept(class: &Class, size: usize) -> usize {
        4 * (3 * class.keys() / size + class.most() / size + class.buckets())
    }

    /// Ranks all keys.
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

    /// How many keys of this process are in each bucket.
    async fn count_buckets(&self, keys: &Keys) -> Vec<u32> {
        let mut counts = vec![0; self.class.buckets()];
        keys.keys.iter().for_each(|key| counts[self.bucket(*key)] += 1);
        self.worker.does(COUNT_BUCKET * keys.keys.len()).await;
        counts
    }

    /// How many keys of all are in each bucket, and the published keys, which whoever has them adds to the same message.
    async fn sum(&self, own: &[u32], keys: &Keys) -> Result<(Vec<u32>, Vec<u32>), Error> {
        let tests = self.class.tests.map(|test| keys.at(test.place).unwrap_or(0));
        let sum = Operation::Predefined(Predefined::Sum, Kind::Uint32);
        let all = self.world.allreduce(pack(&[own, &tests[..]].concat()), sum).await?;
        let mut all = unpack(&all);
        let tested = all.split_off(own.len());
        Ok((all, tested))
    }

    /// The keys of this process, bucket by bucket.
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

    /// Gives each process so many of these keys, and gets those of this one.
    async fn swap(&self, keys: &[u32], counts: &[u32]) -> Result<Vec<u32>, Error> {
        let coming = self.world.call(Collective::Alltoall { bytes: pack(counts) }).await?;
        let bytes = |counts: &[u32]| counts.iter().map(|count| 4 * *count as usize).collect();
        let (sends, receives) = (bytes(counts), bytes(&unpack(&coming)));
        let keys = self.world.call(Collective::Alltoallv { bytes: pack(keys), sends, receives }).await?;
        Ok(unpack(&keys))
    }

    /// How many keys of all are less than each value here, of which `before` are elsewhere.
    async fn count_keys(&self, keys: &[u32], values: &Range<usize>, before: u64) -> Vec<u64> {
        let mut counts = vec![0_u32; values.len()];
        keys.iter().for_each(|key| counts[*key as usize - values.start] += 1);
        self.worker.does(COUNT_KEY * keys.len() + ADD_UP * counts.len()).await;
        sums_before(&counts, before).collect()
    }
}

impl Ranked {
    /// How many published ranks come out in an iteration, of those keys that are here.
    pub fn tests_right(&self, class: &Class, iteration: usize) -> usize {
        let right = |(key, test): (&u32, &Test)| {
            let key = *key as usize;
            let expected = test.rank + test.step * iteration as i64;
            self.values.contains(&key) && i64::try_from(self.less[key - self.values.start]) == Ok(expected)
        };
        self.tested.iter().zip(&class.tests).filter(|pair| right(*pair)).count()
    }
}

/// Which process has each bucket: about as many keys for each, in the order of ranks.
fn owners(counts: &[u32], keys: usize, size: usize) -> Vec<usize> {
    let owner = |before: u64| (before as usize * size / keys).min(size - 1);
    sums_before(counts, 0).map(owner).collect()
}

/// What stands before each count, added up.
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
