//! A barrier outside of the simulation: all programs of a run begin at the same instant, and none ends before all are
//! done.
//!
//! Real benchmarks synchronise by messages; here all programs share a cell, so that synchronisation is not measured.

use std::cell::Cell;
use std::rc::Rc;

use cluster::{Duration, Time};

/// Period in which waiting programs poll.
pub const LOOK: Duration = Duration::from_us(500);
/// From the last arrival to the beginning.
const AHEAD: Duration = Duration::from_us(1_000);

/// The barrier.
#[derive(Clone, Debug)]
pub struct Meeting {
    absent: Rc<Cell<usize>>,
    begin: Rc<Cell<Option<Time>>>,
    busy: Rc<Cell<usize>>,
    failed: Rc<Cell<bool>>,
}

impl Meeting {
    /// A barrier for `programs` programs.
    pub fn new(programs: usize) -> Self {
        Self {
            absent: Rc::new(Cell::new(programs)),
            begin: Rc::default(),
            busy: Rc::new(Cell::new(programs)),
            failed: Rc::default(),
        }
    }

    /// A program has arrived.
    pub fn arrive(&self, now: Time) {
        self.absent.update(|absent| absent - 1);
        if self.absent.get() == 0 {
            self.begin.set(Some(now + AHEAD));
        }
    }

    /// Time of the beginning, once all have arrived.
    pub fn begin(&self) -> Option<Time> {
        self.begin.get()
    }

    /// A program is done.
    pub fn leave(&self) {
        self.busy.update(|busy| busy - 1);
    }

    /// A program cannot go on: the others stop waiting.
    pub fn fail(&self) {
        self.failed.set(true);
    }

    /// Whether all are done, or one has failed.
    pub fn is_over(&self) -> bool {
        self.busy.get() == 0 || self.failed.get()
    }
}
