//! Results of the measurement phase of one run.

use std::collections::BTreeMap;

use cluster::Duration;
use schemars::JsonSchema;
use serde::Serialize;

use super::phases::{PhaseLengths, Phases};
use super::saturation::{Balance, QUARTERS};
use crate::report::{Deliveries, Delivery, Statistics};
use crate::schedule::{Message, Schedule};

/// Conditions under which a pattern was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Requested phases.
    pub lengths: PhaseLengths,
    /// Time in which senders create messages; `None` if each sends a number of messages.
    pub sending: Option<Duration>,
    /// Capacity of a link in bytes per second.
    pub link: u64,
    /// Seed of the pattern.
    pub seed: u64,
}

/// Data of a sender per time.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Rate {
    /// Fraction of the capacity of a link.
    pub link_share: f64,
    /// Data without headers.
    pub bytes_per_second: f64,
}

/// Results of the measurement phase.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Measurement {
    /// Seed of the pattern.
    pub seed: u64,
    /// Phases of the run.
    #[serde(flatten)]
    pub phases: Phases,
    /// Messages that were created in the measurement and have arrived.
    pub measured: u64,
    /// Nodes that send.
    pub senders: u64,
    /// Data created in the measurement, per sender.
    pub offered: Rate,
    /// Data that receivers have seen in the measurement, per sender.
    pub accepted: Rate,
    /// Mean number of messages that waited at a sender, in each quarter of the measurement.
    pub queues: [f64; QUARTERS],
    /// Whether less was accepted than offered, or the queues of senders grew in each quarter. Never in a closed
    /// loop, which offers what the network accepts.
    pub saturated: bool,
    /// Latency of the measured messages from their creation; in a closed loop, until their answer is seen.
    pub from_creation: Statistics,
    /// Latency of the measured messages from their injection, the first store of the sender; in a closed loop,
    /// until their answer is seen.
    pub from_injection: Statistics,
}

impl Measurement {
    /// Judges a run of a pattern; `None` if no message was created in the measurement.
    pub fn of(conditions: &Conditions, schedule: &Schedule, deliveries: &Deliveries) -> Option<Measurement> {
        let round_trips = (!schedule.answers().is_empty()).then(|| deliveries.round_trips(schedule));
        let deliveries = round_trips.as_ref().unwrap_or(deliveries);
        let created = creations(schedule, deliveries);
        let last_of_sender = last_of_senders(schedule, &created);
        let senders = last_of_sender.len() as u64;
        // Senders with a number of messages end at different times; the load falls with the first one.
        let sending = conditions.sending.map_or(*last_of_sender.values().min()?, Duration::ps);
        let mut sorted: Vec<&Delivery> = deliveries.delivered.iter().collect();
        sorted.sort_by_key(|delivery| (delivery.due, delivery.message));
        let observed: Vec<_> =
            sorted.iter().map(|delivery| (delivery.due.ps(), delivery.from_creation_ps())).collect();
        let end = sorted.iter().map(|delivery| delivery.seen.ps()).max()?;
        let phases = Phases::of(conditions.lengths, Duration::from_ps(sending), end, &observed);
        let measured: Vec<_> =
            sorted.iter().copied().filter(|delivery| phases.measures(delivery.due.ps())).collect();
        let statistics = |value: fn(&Delivery) -> u64| {
            let mut values: Vec<_> = measured.iter().copied().map(value).collect();
            values.sort_unstable();
            Statistics::of(&values)
        };
        let bytes = |number: usize| schedule.messages()[number].bytes;
        let offers = (0..schedule.messages().len())
            .filter(|number| created[*number].is_some_and(|ps| phases.measures(ps)));
        let offered: Vec<u64> = offers.map(bytes).collect();
        let accepted: Vec<u64> = sorted
            .iter()
            .filter(|delivery| phases.measures(delivery.seen.ps()))
            .map(|delivery| bytes(delivery.message as usize))
            .collect();
        let per_sender = |sum: f64| sum / senders as f64;
        let rate = |bytes: &[u64]| {
            let bytes_per_second =
                per_sender(bytes.iter().sum::<u64>() as f64 * 1e12 / phases.measure_ps.max(1) as f64);
            Rate { link_share: bytes_per_second / conditions.link as f64, bytes_per_second }
        };
        let queues = queues(&phases, &sorted).map(per_sender);
        let balance = Balance {
            created: per_sender(offered.len() as f64),
            seen: per_sender(accepted.len() as f64),
            queues,
        };
        Some(Measurement {
            seed: conditions.seed,
            phases,
            measured: measured.len() as u64,
            senders,
            offered: rate(&offered),
            accepted: rate(&accepted),
            queues,
            saturated: round_trips.is_none() && balance.is_saturated(),
            from_creation: statistics(Delivery::from_creation_ps)?,
            from_injection: statistics(Delivery::latency_ps)?,
        })
    }
}

/// Times at which messages are created, by their numbers. Those of a closed loop are created when the window opens;
/// answers have no time, because they are part of the round trips of `deliveries`.
fn creations(schedule: &Schedule, deliveries: &Deliveries) -> Vec<Option<u64>> {
    let mut created: Vec<_> = schedule.messages().iter().map(Message::time).collect();
    if !schedule.answers().is_empty() {
        for delivery in &deliveries.delivered {
            created[delivery.message as usize] = Some(delivery.due.ps());
        }
    }
    created
}

/// Time of the last creation of each sender.
fn last_of_senders(schedule: &Schedule, created: &[Option<u64>]) -> BTreeMap<u32, u64> {
    let mut last = BTreeMap::new();
    for (message, created) in schedule.messages().iter().zip(created) {
        if let Some(created) = *created {
            let last = last.entry(message.from).or_insert(0);
            *last = created.max(*last);
        }
    }
    last
}

/// Mean number of messages that wait for their first store, in each quarter of the measurement.
fn queues(phases: &Phases, deliveries: &[&Delivery]) -> [f64; QUARTERS] {
    std::array::from_fn(|quarter| {
        let edge = |quarter: usize| {
            phases.warm_up_ps + (u128::from(phases.measure_ps) * quarter as u128 / QUARTERS as u128) as u64
        };
        let (begin, end) = (edge(quarter), edge(quarter + 1));
        let waits = deliveries.iter().map(|delivery| {
            delivery.first_store.ps().min(end).saturating_sub(delivery.due.ps().max(begin)) as f64
        });
        waits.sum::<f64>() / end.saturating_sub(begin).max(1) as f64
    })
}

#[cfg(test)]
mod tests {
    use cluster::Time;

    use super::*;
    use crate::schedule::{Setting, Start};

    /// Two nodes that send 8 bytes to each other every microsecond; each message takes `latency(number)` ns
    /// from its first store, which is `late(number)` ns after its creation.
    fn measured(late: fn(u64) -> u64, latency: u64) -> Measurement {
        let text = "[[message]]\nfrom = \"all\"\nto = \"next\"\nbytes = 8\nevery = \"1us\"\ncount = 100\n";
        let setting = Setting { nodes: 2, primitive: "put", primitives: &[], limits: &|_| Some(1..=64) };
        let schedule = Schedule::from_toml(text, &setting).unwrap();
        let deliveries = schedule.messages().iter().enumerate().map(|(number, message)| {
            let Start::At(due) = message.start else { panic!("no message follows another") };
            let first_store = due + Duration::from_ps(1_000 * late(due.ps() / 1_000_000));
            let seen = first_store + Duration::from_ps(1_000 * latency);
            Delivery { message: number as u32, due, first_store, look_before: Time::ZERO, seen }
        });
        let deliveries = Deliveries { delivered: deliveries.collect(), undelivered: 0 };
        let lengths = PhaseLengths {
            warm_up: Some(Duration::from_us(20)),
            drain: Some(Duration::from_us(20)),
            ..PhaseLengths::default()
        };
        let sending = Some(Duration::from_us(100));
        let conditions = Conditions { lengths, sending, link: 80_000_000, seed: 1 };
        Measurement::of(&conditions, &schedule, &deliveries).unwrap()
    }

    #[test]
    fn steady_run_accepts_what_is_offered() {
        let measurement = measured(|_| 100, 400);
        assert_eq!((measurement.measured, measurement.senders), (120, 2));
        assert_eq!(measurement.phases.drain_ps, 19_500_000);
        for rate in [measurement.offered, measurement.accepted] {
            assert!((rate.bytes_per_second - 8e6).abs() < 1.0, "{rate:?}");
            assert!((rate.link_share - 0.1).abs() < 1e-9);
        }
        assert!(!measurement.saturated);
        assert_eq!(measurement.from_creation.mean_ps, 500_000);
        assert_eq!(measurement.from_injection.mean_ps, 400_000);
        for queue in measurement.queues {
            assert!((queue - 0.1).abs() < 1e-9, "{queue}");
        }
    }

    #[test]
    fn sender_that_falls_behind_is_saturated() {
        // Each message is stored 1.25 us after the one before.
        let measurement = measured(|number| 250 * number, 400);
        assert!(measurement.saturated);
        assert!((measurement.accepted.bytes_per_second / 8e6 - 0.8).abs() < 0.02, "{measurement:?}");
        assert!(measurement.queues.is_sorted());
        assert!(measurement.from_creation.mean_ps > 20 * measurement.from_injection.mean_ps);
    }
}
