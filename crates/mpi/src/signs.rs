//! Activity of a library, as others see it.

use std::cell::{Cell, RefCell};

use cluster::Duration;

/// Activity of a library, which remains readable after its end.
#[derive(Default)]
pub(crate) struct Signs {
    /// A call waits, and the last step found nothing to do.
    idle: Cell<bool>,
    /// Callback when the library becomes idle.
    told: RefCell<Option<Box<dyn Fn()>>>,
    /// User-defined operations that are running.
    pub operations: Cell<u32>,
    /// Packets passed to the carrier.
    pub sent: Cell<u64>,
    /// Packets received from the carrier.
    pub received: Cell<u64>,
    /// Processor time of the library's own steps and copies.
    pub spent: Cell<Duration>,
}

impl Signs {
    /// Sets the callback for a call that waits with nothing to do.
    pub fn when_idle(&self, told: impl Fn() + 'static) {
        *self.told.borrow_mut() = Some(Box::new(told));
    }

    /// Whether a call waits and the last step found nothing to do.
    pub fn is_idle(&self) -> bool {
        self.idle.get()
    }

    /// Records that the library has work or no call waits.
    pub fn busy(&self) {
        self.idle.set(false);
    }

    /// Records that a call waits and the last step found nothing to do.
    pub fn idle(&self) {
        self.idle.set(true);
        if let Some(told) = &*self.told.borrow() {
            told();
        }
    }
}

pub(crate) fn count(cell: &Cell<u64>) {
    cell.set(cell.get() + 1);
}
