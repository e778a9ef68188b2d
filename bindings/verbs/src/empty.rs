//! Polls of empty completion queues that need no call: the simulator has said until when no completion arrives.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::virtual_time;

/// No queue of the program gets a completion before this virtual time, in ps.
static UNTIL: AtomicU64 = AtomicU64::new(0);
/// Virtual time of a look, in ps.
static LOOK: AtomicU64 = AtomicU64::new(0);

/// Notes what the simulator has said.
pub fn note(look_ps: u64, until_ps: u64) {
    LOOK.store(look_ps, Relaxed);
    UNTIL.store(until_ps, Relaxed);
}

/// Whether a look now finds nothing; then it has taken its time.
pub fn is_known() -> bool {
    let is_before = virtual_time::now_ps().is_some_and(|now| now < UNTIL.load(Relaxed));
    if is_before {
        virtual_time::spend_ps(LOOK.load(Relaxed));
    }
    is_before
}
