//! Time that is stopped from outside.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that somebody else sets, and whether it was ever found set.
#[derive(Clone, Default)]
pub(crate) struct Stop {
    flag: Option<Arc<AtomicBool>>,
    /// Shared with machines that repeat what this one has done.
    told: Rc<Cell<bool>>,
}

impl Stop {
    pub fn listen_to(&mut self, flag: Arc<AtomicBool>) {
        self.flag = Some(flag);
    }

    /// Looks at the flag, and takes it down.
    pub fn is_told(&self) -> bool {
        let told = self.flag.as_ref().is_some_and(|flag| flag.swap(false, Ordering::Relaxed));
        self.told.set(told || self.told.get());
        told
    }

    /// What was told before does not count any more.
    pub fn forget(&self) {
        self.told.set(false);
    }

    /// The same, or it was told before since this was asked last.
    pub fn was_told(&self) -> bool {
        self.is_told();
        self.told.take()
    }
}
