//! Children of a rank that `fork` makes: they share the slot with their parent, for whom they must not speak.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};

/// This process is one.
static FORKED: AtomicBool = AtomicBool::new(false);

extern "C" fn forked() {
    FORKED.store(true, Ordering::Relaxed);
}

/// From now on, children of this process know that they are none of the ranks.
pub fn know() {
    // SAFETY: what runs in the child stores a flag, and no more.
    unsafe { libc::pthread_atfork(None, None, Some(forked)) };
}

/// Whether a rank has forked this process.
pub fn is() -> bool {
    FORKED.load(Ordering::Relaxed)
}
