//! All programs of a run begin at the same instant, and none ends before all are done.
//!
//! Real benchmarks meet by messages before and after; here it is a cell that all programs share, so that the meeting itself is not measured.

use std::cell::Cell;
use std::rc::Rc;

use cluster::{Duration, Time};

/// How often somebody who waits looks whether all are there.
pub const LOOK: Duration = Duration::from_us(500);
/// From the last arrival to the beginning.
const AHEAD: Duration = Duration::from_us(1_000);

/// Where programs meet.
#[derive(Clone, Debug)]
pub struct Meeting {
    absent: Rc<Cell<usize>>,
    begin: Rc<Cell<Option<Time>>>,
    busy: Rc<Cell<usize>>,
    failed: Rc<Cell<bool>>,
}

impl Meeting {
    /// For so many programs.
    pub fn new(programs: usize) -> Self {
        Self {
            absent: Rc::new(Cell::new(programs)),
            begin: Rc::default(),
            busy: Rc::new(Cell::new(programs)),
            failed: Rc::default(),
        }
    }

    /// Somebody has come.
    pub fn arrive(&self, now: Time) {
        self.absent.update(|absent| absent - 1);
        if self.absent.get() == 0 {
            self.begin.set(Some(now + AHEAD));
        }
    }

    /// When it begins, once all have come.
    pub fn begin(&self) -> Option<Time> {
        self.begin.get()
    }

    /// Somebody is done.
    pub fn leave(&self) {
        self.busy.update(|busy| busy - 1);
    }

    /// Somebody cannot go on: nobody is waited for any more.
    pub fn fail(&self) {
        self.failed.set(true);
    }

    /// All are done, or one has failed.
    pub fn is_over(&self) -> bool {
        self.busy.get() == 0 || self.failed.get()
    }
}
