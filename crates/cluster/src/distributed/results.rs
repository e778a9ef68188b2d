//! Results of all processes, sent to process 0 as CBOR.

use crate::{Brought, Fingerprint, RunError, TaskReport, Time, Waiting};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The end of a part, as it is encoded.
#[derive(Serialize, Deserialize)]
enum Outcome<R> {
    Brought { end_ps: u64, fingerprints: Vec<u128>, result: R },
    Device { node: usize, time_ps: u64, reason: String },
    Stalled { time_ps: u64, waiting: Vec<Task> },
    Limit { limit_ps: u64, waiting: Vec<Task> },
    Elsewhere(String),
}

/// A program that has not ended.
#[derive(Serialize, Deserialize)]
struct Task {
    node: usize,
    name: String,
    waiting: String,
    since_ps: u64,
}

/// Encodes the results of process `rank`.
pub(crate) fn pack<R: Serialize>(rank: usize, brought: Result<Brought<R>, RunError>) -> Vec<u8> {
    let tasks = |waiting: &[TaskReport]| waiting.iter().map(Task::of).collect();
    let outcome = match brought {
        Ok(Brought { end, fingerprints, result }) => Outcome::Brought {
            end_ps: end.ps(),
            fingerprints: fingerprints.iter().map(|one| one.bits()).collect(),
            result,
        },
        Err(RunError::Nic { node, time, source }) => {
            Outcome::Device { node, time_ps: time.ps(), reason: format!("in process {rank}: {source}") }
        }
        Err(RunError::Stalled { time, waiting }) => {
            Outcome::Stalled { time_ps: time.ps(), waiting: tasks(&waiting) }
        }
        Err(RunError::Limit { limit, waiting }) => {
            Outcome::Limit { limit_ps: limit.ps(), waiting: tasks(&waiting) }
        }
        Err(RunError::Elsewhere(reason)) => Outcome::Elsewhere(reason),
    };
    let mut bytes = Vec::new();
    ciborium::into_writer(&outcome, &mut bytes).expect("results can be written to memory");
    bytes
}

/// Decodes the results of a process, or why they are invalid.
pub(crate) fn unpack<R: DeserializeOwned>(bytes: &[u8]) -> Result<Result<Brought<R>, RunError>, String> {
    let outcome: Outcome<R> = ciborium::from_reader(bytes).map_err(|error| error.to_string())?;
    let tasks = |waiting: Vec<Task>| waiting.into_iter().map(Task::report).collect();
    Ok(match outcome {
        Outcome::Brought { end_ps, fingerprints, result } => {
            let fingerprints = fingerprints.into_iter().map(Fingerprint::from_bits).collect();
            Ok(Brought { end: Time::from_ps(end_ps), fingerprints, result })
        }
        Outcome::Device { node, time_ps, reason } => {
            Err(RunError::Nic { node, time: Time::from_ps(time_ps), source: reason.into() })
        }
        Outcome::Stalled { time_ps, waiting } => {
            Err(RunError::Stalled { time: Time::from_ps(time_ps), waiting: tasks(waiting) })
        }
        Outcome::Limit { limit_ps, waiting } => {
            Err(RunError::Limit { limit: Time::from_ps(limit_ps), waiting: tasks(waiting) })
        }
        Outcome::Elsewhere(reason) => Err(RunError::Elsewhere(reason)),
    })
}

impl Task {
    fn of(report: &TaskReport) -> Self {
        let TaskReport { node, name, waiting, since } = report;
        Task { node: *node, name: name.to_string(), waiting: waiting.to_string(), since_ps: since.ps() }
    }

    /// The report of a program in another process. Its texts are leaked: they are part of the error that ends the run.
    fn report(self) -> TaskReport {
        TaskReport {
            node: self.node,
            name: self.name.leak(),
            waiting: Waiting::For(self.waiting.leak()),
            since: Time::from_ps(self.since_ps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded_and_decoded(
        brought: Result<Brought<Vec<f64>>, RunError>,
    ) -> Result<Brought<Vec<f64>>, RunError> {
        unpack(&pack(3, brought)).unwrap()
    }

    #[test]
    fn results_arrive_to_the_last_bit() {
        let result = vec![0.1 + 0.2, f64::MIN_POSITIVE, f64::INFINITY, -0.0];
        let fingerprints = vec![Fingerprint::from_bits(u128::MAX), Fingerprint::from_bits(1)];
        let end = Time::from_ps(u64::MAX - 1);
        let back = Brought { end, fingerprints: fingerprints.clone(), result: result.clone() };
        let back = encoded_and_decoded(Ok(back)).unwrap();
        assert_eq!((back.end, back.fingerprints), (end, fingerprints));
        let bits = |all: &[f64]| all.iter().map(|one| one.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&back.result), bits(&result));
    }

    #[test]
    fn failures_keep_their_text_and_that_of_a_nic_names_the_process() {
        let time = Time::from_ps(5_000);
        let task =
            TaskReport { node: 7, name: "send", waiting: Waiting::Access("a load of", 64), since: time };
        let same = |error: fn(Time, Vec<TaskReport>) -> RunError| {
            let text = error(time, vec![task.clone()]).to_string();
            assert_eq!(
                encoded_and_decoded(Err(error(time, vec![task.clone()]))).unwrap_err().to_string(),
                text
            );
        };
        same(|time, waiting| RunError::Stalled { time, waiting });
        same(|limit, waiting| RunError::Limit { limit, waiting });
        same(|_, _| RunError::Elsewhere("another part of the run failed".into()));
        let stopped = RunError::Nic { node: 7, time, source: "a parity error".into() };
        let text = encoded_and_decoded(Err(stopped)).unwrap_err().to_string();
        assert!(text.contains("node 7") && text.ends_with("in process 3: a parity error"), "{text}");
    }

    #[test]
    fn invalid_bytes_are_an_error() {
        assert!(unpack::<Vec<f64>>(&[]).is_err());
        assert!(unpack::<Vec<f64>>(b"memonet").is_err());
    }
}
