//! Counts of remote transfers.

use std::cell::Cell;

/// Remote transfers that a process has issued, as the Primitive Counter counts them, and its Command Ex Flag.
#[derive(Debug, Default)]
pub(super) struct Transfers {
    pub rvl: Cell<u16>,
    pub rvs: Cell<u16>,
    pub ipush: Cell<u16>,
    pub ex: Cell<bool>,
}

/// Increments a 10-bit counter.
pub(super) fn count(counter: &Cell<u16>) {
    counter.set((counter.get() + 1) & 0x3ff);
}
