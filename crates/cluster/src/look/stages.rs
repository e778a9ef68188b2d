//! Stages of a latency: named intervals that add up exactly to the end-to-end time.
//!
//! Hosts record [marks](crate::Cpu::mark), nodes and switches record events at their pins, and
//! [watches](crate::Watch) report when a register takes a value. [`Stages`] is built from these observations.

use std::fmt;

use thiserror::Error;

use super::observation::{Event, Observation, Place};
use crate::{Duration, Time};

/// One interval of a latency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Name, as printed in reports.
    pub name: &'static str,
    /// Where it takes place, for drawings.
    pub lane: &'static str,
    /// Start of the stage.
    pub begin: Time,
    /// Length of the stage.
    pub duration: Duration,
}

/// A latency as consecutive stages without gap or overlap.
///
/// ```
/// # use cluster::{Duration, Event, Observation, Place, Stages, Time};
/// # let at = |ps, event| Observation { time: Time::from_ps(ps), place: Place::Node(0), event };
/// # let observations = [at(5, Event::Mark("start")), at(30, Event::TransmitFirst), at(47, Event::TransmitLast)];
/// let stages = Stages::begin(&observations, Place::Node(0), |event| event == Event::Mark("start"))?
///     .until("core", "board", Place::Node(0), |event| event == Event::TransmitFirst)?
///     .until("link", "cable", Place::Node(0), |event| event == Event::TransmitLast)?;
/// assert_eq!(stages.total(), Duration::from_ps(42));
/// assert_eq!(stages.stages()[0].duration, Duration::from_ps(25));
/// # Ok::<(), cluster::StageError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stages<'a> {
    observations: &'a [Observation],
    begin: Time,
    end: Time,
    stages: Vec<Stage>,
}

/// Error when dividing a latency into stages.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StageError {
    /// The start of the first stage was not observed.
    #[error("the beginning was not observed at {0:?}")]
    NoBeginning(Place),
    /// The end of a stage was not observed after the stage before it.
    #[error("the end of stage `{name}` was not observed at {place:?} after {after}")]
    NoEnd {
        /// Name of the stage.
        name: &'static str,
        /// Where its end was expected.
        place: Place,
        /// Start of the stage.
        after: Time,
    },
}

impl<'a> Stages<'a> {
    /// Starts at the first matching observation. `observations` are ordered by time.
    pub fn begin(
        observations: &'a [Observation],
        place: Place,
        event: impl Fn(Event) -> bool,
    ) -> Result<Self, StageError> {
        let found = observations.iter().find(|o| o.place == place && event(o.event));
        let begin = found.ok_or(StageError::NoBeginning(place))?.time;
        Ok(Stages { observations, begin, end: begin, stages: Vec::new() })
    }

    /// Stages between consecutive observations.
    pub fn each(observations: &'a [Observation], name: impl Fn(&Observation) -> &'static str) -> Self {
        let time = |o: Option<&Observation>| o.map_or(Time::ZERO, |o| o.time);
        let stage = |pair: &[Observation]| {
            let (begin, end) = (pair[0].time, pair[1].time);
            Stage { name: name(&pair[1]), lane: "", begin, duration: end - begin }
        };
        Stages {
            observations,
            begin: time(observations.first()),
            end: time(observations.last()),
            stages: observations.windows(2).map(stage).collect(),
        }
    }

    /// Adds a stage that ends at the next matching observation.
    pub fn until(
        mut self,
        name: &'static str,
        lane: &'static str,
        place: Place,
        event: impl Fn(Event) -> bool,
    ) -> Result<Self, StageError> {
        let first = self.observations.partition_point(|o| o.time < self.end);
        let found = self.observations[first..].iter().find(|o| o.place == place && event(o.event));
        let time = found.ok_or(StageError::NoEnd { name, place, after: self.end })?.time;
        self.stages.push(Stage { name, lane, begin: self.end, duration: time - self.end });
        self.end = time;
        Ok(self)
    }

    /// Whether a matching observation follows the last stage.
    pub fn has(&self, place: Place, event: impl Fn(Event) -> bool) -> bool {
        let first = self.observations.partition_point(|o| o.time < self.end);
        self.observations[first..].iter().any(|o| o.place == place && event(o.event))
    }

    /// All stages, in order.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Time from the start of the first stage to the end of the last.
    pub fn total(&self) -> Duration {
        self.end - self.begin
    }
}

impl fmt::Display for Stages<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for stage in &self.stages {
            writeln!(f, "{:24}{:>16}", stage.name, stage.duration.to_string())?;
        }
        write!(f, "{:24}{:>16}", "total", self.total().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ps: u64, node: usize, event: Event) -> Observation {
        Observation { time: Time::from_ps(ps), place: Place::Node(node), event }
    }

    fn observations() -> [Observation; 5] {
        [
            at(3, 0, Event::Mark("start")),
            at(10, 0, Event::TransmitFirst),
            at(10, 0, Event::TransmitLast),
            at(21, 1, Event::ReceiveLast),
            at(33, 0, Event::TransmitFirst),
        ]
    }

    #[test]
    fn stages_sum_to_the_total() {
        let observations = observations();
        let stages = Stages::begin(&observations, Place::Node(0), |e| e == Event::Mark("start"))
            .and_then(|s| s.until("command", "host", Place::Node(0), |e| e == Event::TransmitFirst))
            .and_then(|s| s.until("send", "core", Place::Node(0), |e| e == Event::TransmitLast))
            .and_then(|s| s.until("link", "link", Place::Node(1), |e| e == Event::ReceiveLast))
            .and_then(|s| s.until("answer", "core", Place::Node(0), |e| e == Event::TransmitFirst))
            .unwrap();
        let durations: Vec<_> = stages.stages().iter().map(|stage| stage.duration.ps()).collect();
        assert_eq!(durations, [7, 0, 11, 12]);
        assert_eq!(stages.stages().iter().map(|stage| stage.duration).sum::<Duration>(), stages.total());
        assert!(stages.to_string().ends_with("0.000030 us"));
    }

    #[test]
    fn each_observation_ends_a_stage() {
        let observations = observations();
        let stages = Stages::each(&observations, |o| if o.place == Place::Node(0) { "own" } else { "other" });
        let parts: Vec<_> = stages.stages().iter().map(|stage| (stage.name, stage.duration.ps())).collect();
        assert_eq!(parts, [("own", 7), ("own", 0), ("other", 11), ("own", 12)]);
        assert_eq!((stages.total().ps(), Stages::each(&[], |_| "none").total().ps()), (30, 0));
    }

    #[test]
    fn stage_without_an_end_is_named() {
        let observations = observations();
        let begin = Stages::begin(&observations, Place::Node(0), |e| e == Event::Mark("start")).unwrap();
        let error = begin.until("poll", "host", Place::Node(1), |e| e == Event::Mark("done")).unwrap_err();
        let expected = StageError::NoEnd { name: "poll", place: Place::Node(1), after: Time::from_ps(3) };
        assert_eq!(error, expected);
        let error = Stages::begin(&observations, Place::Switch(0), |_| true).unwrap_err();
        assert_eq!(error, StageError::NoBeginning(Place::Switch(0)));
    }
}
