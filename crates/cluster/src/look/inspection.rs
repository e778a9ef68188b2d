//! Inspection of a device after its edges: watches, and samples for the fingerprint.

use std::cell::RefCell;

use hdl::{Nic, Signal};

use super::fingerprint::{Fingerprint, Recorder, next_sample};
use super::observation::{Event, Log, Place};
use super::watch::{Watch, WatchError, Watches};
use crate::{ClockDomain, Time};

/// Watches and samples of one device.
pub(crate) struct Inspection {
    clock: ClockDomain,
    recorder: Recorder,
    next_sample: Time,
    watches: Watches,
}

impl Inspection {
    /// Inspection of a device with these signals, without watches.
    pub fn new(clock: ClockDomain, signals: &[Signal]) -> Self {
        let next_sample = next_sample(clock, Time::ZERO);
        Inspection { clock, recorder: Recorder::new(signals), next_sample, watches: Watches::default() }
    }

    /// Time of the next sample. Samples of a sleeping device are added when it wakes.
    pub fn next_sample(&self) -> Time {
        self.next_sample
    }

    /// Whether every edge is inspected.
    pub fn watches(&self) -> bool {
        !self.watches.is_empty()
    }

    /// Adds a watch; changes are relative to the present values.
    pub fn watch<In, Out>(
        &mut self,
        watch: Watch,
        nic: &dyn Nic<In = In, Out = Out>,
    ) -> Result<(), WatchError> {
        let mut sample = Vec::new();
        nic.sample(&mut sample);
        self.watches.add(watch, nic.signals(), &sample)
    }

    /// Inspects the device after an edge.
    #[inline]
    pub fn look<In, Out>(
        &mut self,
        now: Time,
        place: Place,
        nic: &dyn Nic<In = In, Out = Out>,
        log: &RefCell<Log>,
    ) {
        if self.watches() {
            let mut log = log.borrow_mut();
            self.watches.look(|words| nic.sample(words), |mark| log.observe(now, place, Event::Watch(mark)));
        }
        if now == self.next_sample {
            self.recorder.sample(now, nic);
            self.next_sample = next_sample(self.clock, now);
        }
    }

    /// The fingerprint if the run ended now.
    pub fn finish<In, Out>(
        &self,
        now: Time,
        nic: &dyn Nic<In = In, Out = Out>,
        around: impl FnOnce(&mut Recorder),
    ) -> Fingerprint {
        self.recorder.finish(now, nic, around)
    }
}
