//! Inspection of a run: observations, watches, stages of a latency, fingerprints.

mod fingerprint;
mod inspection;
mod observation;
mod stages;
mod watch;

pub use fingerprint::{Fingerprint, Recorder, SAMPLE_CYCLES};
pub(crate) use inspection::Inspection;
pub use observation::{Event, Log, Observation, Place};
pub use stages::{Stage, StageError, Stages};
pub use watch::{Predicate, Watch, WatchError};
