//! Exponentially distributed times without logarithms, whose results differ between machines.

use cluster::Duration;
use hdl::Stimulus;

/// A sample of the exponential distribution with this mean, at least a picosecond.
///
/// Von Neumann's method: draws numbers until one is not below its predecessor. If their count is odd, the
/// first one is the fraction of the result; each failed attempt before adds one mean.
pub(super) fn exponential(mean: Duration, random: &mut Stimulus) -> Duration {
    let mut whole = 0;
    loop {
        let first = random.word();
        let (mut last, mut odd) = (first, true);
        loop {
            let next = random.word();
            if next >= last {
                break;
            }
            (last, odd) = (next, !odd);
        }
        if odd {
            let fraction = (u128::from(mean.ps()) * u128::from(first)) >> 64;
            return Duration::from_ps((whole * mean.ps()).saturating_add(fraction as u64).max(1));
        }
        whole += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_have_mean_and_tail_of_the_exponential_distribution() {
        let mut random = Stimulus::new(1);
        let draws = 200_000;
        let gaps: Vec<_> =
            (0..draws).map(|_| exponential(Duration::from_us(1), &mut random).ps() as f64 / 1e6).collect();
        let mean = gaps.iter().sum::<f64>() / draws as f64;
        assert!((mean - 1.0).abs() < 0.01, "{mean}");
        for x in [0.1f64, 0.5, 1.0, 2.0, 4.0] {
            let longer = gaps.iter().filter(|gap| **gap > x).count() as f64 / draws as f64;
            assert!((longer - (-x).exp()).abs() < 0.005, "{x}: {longer}");
        }
    }
}
