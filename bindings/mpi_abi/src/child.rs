//! Processes forked by a rank: they inherit the slot but must not use it.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this process was forked by a rank.
static FORKED: AtomicBool = AtomicBool::new(false);

extern "C" fn forked() {
    FORKED.store(true, Ordering::Relaxed);
}

/// Registers a handler that marks forked children.
pub fn know() {
    // SAFETY: the handler only stores an atomic flag.
    unsafe { libc::pthread_atfork(None, None, Some(forked)) };
}

/// Whether this process was forked by a rank.
pub fn is() -> bool {
    FORKED.load(Ordering::Relaxed)
}
