//! Interrupts of virtual time.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that another thread sets, and whether it was ever found set.
#[derive(Clone, Default)]
pub(crate) struct Stop {
    flag: Option<Arc<AtomicBool>>,
    /// Shared with sessions that repeat this one.
    told: Rc<Cell<bool>>,
}

impl Stop {
    pub fn listen_to(&mut self, flag: Arc<AtomicBool>) {
        self.flag = Some(flag);
    }

    /// Tests and clears the flag.
    pub fn is_told(&self) -> bool {
        let told = self.flag.as_ref().is_some_and(|flag| flag.swap(false, Ordering::Relaxed));
        self.told.set(told || self.told.get());
        told
    }

    /// Forgets earlier interrupts.
    pub fn forget(&self) {
        self.told.set(false);
    }

    /// Whether the flag is set, or was set since the last call of [`forget`](Self::forget).
    pub fn was_told(&self) -> bool {
        self.is_told();
        self.told.take()
    }
}
