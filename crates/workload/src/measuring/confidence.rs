//! Means over seeds, with their confidence.

use schemars::JsonSchema;
use serde::Serialize;

use crate::report::{Point, Run};

/// Mean of independent runs and the half width of its 95 % confidence interval, by Student's t.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Interval {
    /// Mean of the runs.
    pub mean: f64,
    /// The mean of infinitely many runs is within this distance, with a probability of 95 %.
    pub half_width: f64,
}

/// Quantile 0.975 of Student's t distribution with 1 to 30 degrees of freedom.
const T: [f64; 30] = [
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010, 2.1788, 2.1604,
    2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555,
    2.0518, 2.0484, 2.0452, 2.0423,
];

/// Quantile 0.975 of Student's t distribution; above 30 degrees by its series around the normal one.
fn quantile(degrees: usize) -> f64 {
    const NORMAL: f64 = 1.959964;
    match T.get(degrees - 1) {
        Some(quantile) => *quantile,
        None => {
            let (z, n) = (NORMAL, degrees as f64);
            let first = (z.powi(3) + z) / (4.0 * n);
            let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * n * n);
            z + first + second
        }
    }
}

impl Interval {
    /// Interval of these values; `None` for fewer than two.
    pub fn of(values: &[f64]) -> Option<Interval> {
        let count = values.len();
        if count < 2 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
        let deviation = (squares / (count - 1) as f64).sqrt();
        Some(Interval { mean, half_width: quantile(count - 1) * deviation / (count as f64).sqrt() })
    }
}

/// Results of a load and size over several seeds. Latencies are in picoseconds.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Repeated {
    /// Load and size of the runs.
    #[serde(flatten)]
    pub point: Point,
    /// Number of runs, each with a seed of its own.
    pub seeds: u64,
    /// Number of saturated runs.
    pub saturated: u64,
    /// Offered data of a sender in bytes per second.
    pub offered_bytes_per_second: Interval,
    /// Accepted data of a sender in bytes per second.
    pub accepted_bytes_per_second: Interval,
    /// Mean latency from creation, in picoseconds.
    pub from_creation_mean: Interval,
    /// The 99th percentile of the latency from creation, in picoseconds.
    pub from_creation_p99: Interval,
    /// Mean latency from injection, in picoseconds.
    pub from_injection_mean: Interval,
    /// The 99th percentile of the latency from injection, in picoseconds.
    pub from_injection_p99: Interval,
}

impl Repeated {
    /// Joins runs of one load and size; `None` for fewer than two with a measurement.
    pub fn of(runs: &[Run]) -> Option<Repeated> {
        let measured: Vec<_> = runs.iter().filter_map(|run| run.measurement.as_ref()).collect();
        let interval =
            |value: &dyn Fn(usize) -> f64| Interval::of(&(0..measured.len()).map(value).collect::<Vec<_>>());
        Some(Repeated {
            point: runs.first()?.point,
            seeds: measured.len() as u64,
            saturated: measured.iter().filter(|measurement| measurement.saturated).count() as u64,
            offered_bytes_per_second: interval(&|at| measured[at].offered.bytes_per_second)?,
            accepted_bytes_per_second: interval(&|at| measured[at].accepted.bytes_per_second)?,
            from_creation_mean: interval(&|at| measured[at].from_creation.mean_ps as f64)?,
            from_creation_p99: interval(&|at| measured[at].from_creation.p99_ps as f64)?,
            from_injection_mean: interval(&|at| measured[at].from_injection.mean_ps as f64)?,
            from_injection_p99: interval(&|at| measured[at].from_injection.p99_ps as f64)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_is_that_of_students_t() {
        // Mean 3, standard deviation sqrt(2.5), 4 degrees of freedom.
        let interval = Interval::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert!((interval.mean - 3.0).abs() < 1e-12);
        assert!((interval.half_width - 2.7764 * (2.5f64 / 5.0).sqrt()).abs() < 1e-9);
        assert_eq!(Interval::of(&[1.0]), None);
        assert_eq!(Interval::of(&[7.0, 7.0]), Some(Interval { mean: 7.0, half_width: 0.0 }));
    }

    #[test]
    fn quantiles_fall_to_the_normal_one_without_a_step() {
        assert!((1..1_000).all(|degrees| quantile(degrees) > quantile(degrees + 1)));
        // Published values for 40 and 120 degrees.
        assert!((quantile(40) - 2.0211).abs() < 2e-4 && (quantile(120) - 1.9799).abs() < 2e-4);
    }
}
