//! The load at which a network saturates, by bisection.

use schemars::JsonSchema;
use serde::Serialize;

/// Saturation point of a network.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Knee {
    /// Highest load that was tried and not saturated; `None` if all were saturated.
    pub load: Option<f64>,
    /// Lowest load above it that was tried and saturated; `None` if a whole link is not.
    pub saturated_at: Option<f64>,
}

/// Load that is tried first, and the lowest one.
const FIRST: f64 = 1e-3;
const LEAST: f64 = 1e-6;
/// Factor between loads until the knee is between two of them, and factor at which bisection ends.
const COARSE: f64 = 4.0;
const FINE: f64 = 1.05;
/// Loads of the curve, as parts of the load of the knee.
const CURVE: [f64; 6] = [0.25, 0.5, 0.7, 0.85, 0.95, 1.25];

/// Finds the knee. A load is a fraction of a link; the function runs a load and tells whether it is saturated.
pub fn find_knee<E>(mut saturated: impl FnMut(f64) -> Result<bool, E>) -> Result<Knee, E> {
    let mut knee = Knee { load: None, saturated_at: None };
    // Loads far above the knee have long queues, so the first one is low.
    let mut load = FIRST;
    while knee.load.is_none() || knee.saturated_at.is_none() {
        if saturated(load)? {
            knee.saturated_at = Some(load);
            load = rounded(load / COARSE);
            if load < LEAST {
                return Ok(knee);
            }
        } else {
            knee.load = Some(load);
            if load == 1.0 {
                return Ok(knee);
            }
            load = rounded(load * COARSE).min(1.0);
        }
    }
    while let Knee { load: Some(low), saturated_at: Some(high) } = knee {
        let middle = rounded((low * high).sqrt());
        if high / low <= FINE || middle <= low || middle >= high {
            break;
        }
        match saturated(middle)? {
            true => knee.saturated_at = Some(middle),
            false => knee.load = Some(middle),
        }
    }
    Ok(knee)
}

impl Knee {
    /// Loads that show the curve around the knee.
    pub fn curve(&self) -> Vec<f64> {
        let load = self.load.unwrap_or(LEAST);
        CURVE.into_iter().map(|part| rounded(part * load)).filter(|load| *load <= 1.0).collect()
    }
}

/// The number with three digits.
fn rounded(load: f64) -> f64 {
    format!("{load:.2e}").parse().expect("a formatted number is a number")
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn found(limit: f64) -> (Knee, usize) {
        let mut runs = 0;
        let knee = find_knee(|load| {
            runs += 1;
            Ok::<_, Infallible>(load > limit)
        });
        (knee.unwrap(), runs)
    }

    #[test]
    fn knee_is_between_neighbouring_loads() {
        for limit in [0.9, 0.3, 0.0077, 0.00002] {
            let (knee, runs) = found(limit);
            let (low, high) = (knee.load.unwrap(), knee.saturated_at.unwrap());
            assert!(low <= limit && limit < high && high / low < 1.06, "{knee:?}");
            assert!(runs < 16, "{runs}");
        }
    }

    #[test]
    fn network_without_a_knee_is_told() {
        assert_eq!(found(1.0).0, Knee { load: Some(1.0), saturated_at: None });
        let (none, runs) = found(0.0);
        assert_eq!((none.load, runs), (None, 5));
        assert!(none.saturated_at.is_some_and(|load| load < 4.0 * LEAST));
    }

    #[test]
    fn curve_is_around_the_knee_and_within_the_link() {
        let curve = Knee { load: Some(0.0123), saturated_at: Some(0.0126) }.curve();
        assert_eq!(curve[..2], [0.00308, 0.00615]);
        assert_eq!(Knee { load: Some(1.0), saturated_at: None }.curve().len(), 5);
    }
}
