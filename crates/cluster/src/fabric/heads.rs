//! Heads of frames: the first units of each frame, as soon as a link carries them.

use std::collections::VecDeque;

use super::faults::Fault;
use super::unit::Unit;
use crate::Time;

/// Most heads that a link keeps. No instant begins as many frames, so the oldest ones were taken or are void.
const MOST: usize = 16;

/// The first units of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head<U> {
    /// Time at which the last of the units has left. The link knows the head by then.
    pub time: Time,
    /// Fault that affects the frame on this link.
    pub fault: Option<Fault>,
    /// The units, as they were sent; fewer than asked for if the frame is shorter.
    pub units: Vec<U>,
}

/// Collects the heads of the frames of a link.
#[derive(Debug)]
pub(super) struct Heads<U> {
    /// Units of a head.
    length: usize,
    heads: VecDeque<Head<U>>,
}

impl<U: Unit> Heads<U> {
    /// Collects heads of this number of units, at least 1.
    pub fn new(length: usize) -> Self {
        Heads { length: length.max(1), heads: VecDeque::new() }
    }

    /// Looks at the units of a frame up to the one that has left at `time`.
    pub fn look(&mut self, time: Time, fault: Option<Fault>, units: &[U]) {
        let ends_early = units.len() < self.length && units.last().is_some_and(|unit| unit.ends());
        if units.len() == self.length || ends_early {
            if self.heads.len() == MOST {
                self.heads.pop_front();
            }
            self.heads.push_back(Head { time, fault, units: units.to_vec() });
        }
    }

    /// Takes the oldest head that is complete at `now`.
    pub fn take(&mut self, now: Time) -> Option<Head<U>> {
        self.heads.front().filter(|head| head.time <= now)?;
        self.heads.pop_front()
    }
}
