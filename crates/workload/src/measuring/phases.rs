//! Warm-up, measurement and drain.
//!
//! The warm-up is found by MSER-5 (White, 1997): observations are joined to batches of five, and the cut is
//! the one for which the standard error of the mean of all later batches is smallest.

use cluster::Duration;
use schemars::JsonSchema;
use serde::Serialize;

/// Requested lengths of phases; those that are `None` are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseLengths {
    /// Time from the first creation of messages to the measurement.
    pub warm_up: Option<Duration>,
    /// Time in which messages are created that are measured.
    pub measure: Option<Duration>,
    /// Time in which senders create messages after the measurement.
    pub drain: Option<Duration>,
}

impl PhaseLengths {
    /// Time in which senders must create messages, if the length of the measurement is given. A warm-up to
    /// be chosen may take as long as the measurement.
    pub fn sending(&self) -> Option<Duration> {
        let measure = self.measure?.ps();
        let warm_up = self.warm_up.map_or(measure, Duration::ps);
        let drain = self.drain.map_or(measure / 10, Duration::ps);
        Some(Duration::from_ps(measure.saturating_add(warm_up).saturating_add(drain)))
    }
}

/// Origin of the length of the warm-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarmUp {
    /// Given by the user.
    Given,
    /// Found by comparing batch means.
    Found,
    /// Batch means still change in the second half, so no steady state was found.
    NotSteady,
    /// Too few messages for batch means; there is no warm-up.
    TooFewMessages,
}

/// Phases of a run, which follow each other from time 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Phases {
    /// Messages created in this time are not measured.
    pub warm_up_ps: u64,
    /// Messages created in this time are measured.
    pub measure_ps: u64,
    /// Time from the end of the measurement to the arrival of the last message.
    pub drain_ps: u64,
    /// Origin of the warm-up: `given`, `found`, `not-steady` or `too-few-messages`.
    pub warm_up: WarmUp,
}

/// Observations of a batch, and the least number of batches that are compared.
const BATCH: usize = 5;
const LEAST_BATCHES: usize = 20;

impl Phases {
    /// Phases of a run whose senders create messages until `sending`; the last one arrives at `end`. The
    /// observations are the times of creation with the latency, in the order of creation.
    pub fn of(lengths: PhaseLengths, sending: Duration, end: u64, observed: &[(u64, u64)]) -> Phases {
        let drain = lengths.drain.or(lengths.measure.map(tenth)).unwrap_or(tenth(sending));
        let last = sending.ps().saturating_sub(drain.ps());
        let until = observed.partition_point(|(created, _)| *created < last);
        let (warm_up_ps, warm_up) = match lengths.warm_up {
            Some(given) => (given.ps(), WarmUp::Given),
            None => found(&observed[..until]),
        };
        let measure = lengths.measure.map(Duration::ps);
        // A chosen warm-up leaves room for the whole measurement, even if latencies are not steady yet.
        let room = measure.map(|measure| last.saturating_sub(measure));
        let (warm_up_ps, warm_up) = match room {
            Some(room) if lengths.warm_up.is_none() && room < warm_up_ps => (room, WarmUp::NotSteady),
            _ => (warm_up_ps, warm_up),
        };
        let measure_ps = measure.unwrap_or(last.saturating_sub(warm_up_ps));
        let drain_ps = end.saturating_sub(warm_up_ps + measure_ps);
        Phases { warm_up_ps, measure_ps, drain_ps, warm_up }
    }

    /// Whether a time belongs to the measurement.
    pub fn measures(&self, ps: u64) -> bool {
        (self.warm_up_ps..self.warm_up_ps + self.measure_ps).contains(&ps)
    }
}

/// Length of a drain that was not given.
fn tenth(time: Duration) -> Duration {
    Duration::from_ps(time.ps() / 10)
}

/// Time of creation of the first message after the warm-up.
fn found(observed: &[(u64, u64)]) -> (u64, WarmUp) {
    let batches: Vec<f64> = observed
        .chunks_exact(BATCH)
        .map(|batch| batch.iter().map(|(_, latency)| *latency as f64).sum::<f64>() / BATCH as f64)
        .collect();
    if batches.len() < LEAST_BATCHES {
        return (0, WarmUp::TooFewMessages);
    }
    let half = batches.len() / 2;
    let (mut sum, mut squares) = (0.0, 0.0);
    let mut best = (f64::INFINITY, half);
    for (cut, mean) in batches.iter().enumerate().rev() {
        (sum, squares) = (sum + mean, squares + mean * mean);
        let count = (batches.len() - cut) as f64;
        let error = (squares - sum * sum / count).max(0.0) / (count * count);
        // Of equal errors the shorter warm-up is taken.
        if cut <= half && error <= best.0 {
            best = (error, cut);
        }
    }
    match best.1 {
        0 => (0, WarmUp::Found),
        cut => (observed[cut * BATCH].0, if cut == half { WarmUp::NotSteady } else { WarmUp::Found }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(latency: impl Fn(u64) -> u64) -> Vec<(u64, u64)> {
        (0..400).map(|at| (at * 10, latency(at))).collect()
    }

    #[test]
    fn warm_up_ends_where_latencies_become_steady() {
        // Sawtooth noise around a level that is reached at message 100.
        let (cut, from) = found(&observed(|at| 1_000 + 50 * 100_u64.saturating_sub(at) + at * 7 % 11));
        assert_eq!(from, WarmUp::Found);
        assert!((850..=1_050).contains(&cut), "{cut}");
        assert_eq!(found(&observed(|at| 1_000 + at * 7 % 11)).0, 0);
    }

    #[test]
    fn latencies_that_grow_are_not_steady() {
        assert_eq!(found(&observed(|at| at * 100)).1, WarmUp::NotSteady);
        assert_eq!(found(&observed(|at| at)[..99]), (0, WarmUp::TooFewMessages));
    }

    #[test]
    fn given_measurement_leaves_its_own_length_for_the_warm_up() {
        let measure = Some(Duration::from_ps(1_000));
        let lengths = PhaseLengths { measure, ..PhaseLengths::default() };
        let sending = lengths.sending().unwrap();
        assert_eq!(sending.ps(), 2_100);
        let phases = Phases::of(lengths, sending, 2_150, &observed(|at| at * 100));
        assert_eq!([phases.warm_up_ps, phases.measure_ps, phases.drain_ps], [1_000, 1_000, 150]);
        assert_eq!(phases.warm_up, WarmUp::NotSteady);
    }

    #[test]
    fn given_lengths_are_kept_and_others_chosen() {
        let ns = |ns: u64| Duration::from_ps(1_000 * ns);
        let sending = Duration::from_ps(4_000);
        let flat = observed(|_| 5);
        let chosen = Phases::of(PhaseLengths::default(), sending, 4_100, &flat);
        assert_eq!([chosen.warm_up_ps, chosen.measure_ps, chosen.drain_ps], [0, 3_600, 500]);
        let lengths = PhaseLengths { warm_up: Some(ns(1)), measure: Some(ns(2)), drain: Some(ns(1)) };
        assert_eq!(lengths.sending(), Some(sending));
        let given = Phases::of(lengths, sending, 4_100, &flat);
        assert_eq!([given.warm_up_ps, given.measure_ps, given.drain_ps], [1_000, 2_000, 1_100]);
        assert!(!given.measures(999) && given.measures(1_000) && !given.measures(3_000));
        let growing = observed(|at| at * 100);
        let lengths = PhaseLengths { measure: Some(ns(3)), drain: Some(ns(0)), ..PhaseLengths::default() };
        assert_eq!(Phases::of(lengths, sending, 4_000, &growing).warm_up_ps, 1_000);
        let lengths = PhaseLengths { measure: Some(ns(10)), ..PhaseLengths::default() };
        assert_eq!(lengths.sending(), Some(ns(21)));
    }
}
