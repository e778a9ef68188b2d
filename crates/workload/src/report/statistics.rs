//! Exact statistics by sorting.

use schemars::JsonSchema;
use serde::Serialize;

/// Statistics of times, in picoseconds. A percentile is the smallest measured value that is not below the
/// given percentage of values (nearest rank). Of fewer than 1,000 messages p99.9 is the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Statistics {
    /// Mean, rounded to the nearest picosecond.
    pub mean_ps: u64,
    /// The 50th percentile.
    pub median_ps: u64,
    /// The 99th percentile.
    pub p99_ps: u64,
    /// The 99.9th percentile.
    pub p99_9_ps: u64,
    /// Smallest value.
    pub least_ps: u64,
    /// Largest value.
    pub worst_ps: u64,
}

impl Statistics {
    /// Statistics of sorted values; `None` without values.
    pub fn of(sorted: &[u64]) -> Option<Statistics> {
        debug_assert!(sorted.is_sorted(), "percentiles are of sorted values");
        let (least_ps, worst_ps) = (*sorted.first()?, *sorted.last()?);
        let sum: u128 = sorted.iter().map(|value| u128::from(*value)).sum();
        let count = sorted.len() as u128;
        Some(Statistics {
            mean_ps: ((sum + count / 2) / count) as u64,
            median_ps: percentile(sorted, 500),
            p99_ps: percentile(sorted, 990),
            p99_9_ps: percentile(sorted, 999),
            least_ps,
            worst_ps,
        })
    }
}

/// Smallest value that is not below this many per mille of the values.
fn percentile(sorted: &[u64], per_mille: usize) -> u64 {
    sorted[(sorted.len() * per_mille).div_ceil(1000).max(1) - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_measured_values() {
        let sorted: Vec<u64> = (1..=1000).collect();
        let statistics = Statistics::of(&sorted).unwrap();
        assert_eq!(
            statistics,
            Statistics {
                mean_ps: 501,
                median_ps: 500,
                p99_ps: 990,
                p99_9_ps: 999,
                least_ps: 1,
                worst_ps: 1000
            }
        );
        let one = Statistics::of(&[7]).unwrap();
        assert_eq!([one.median_ps, one.p99_ps, one.p99_9_ps, one.mean_ps], [7; 4]);
        let few = Statistics::of(&[1, 2, 90]).unwrap();
        assert_eq!((few.median_ps, few.p99_ps, few.mean_ps), (2, 90, 31));
        assert_eq!(Statistics::of(&[]), None);
    }
}
