//! Barriers. Those of scheduled threads are counted here, because libc has no attempt that does not wait.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint};
use std::sync::{Mutex, PoisonError};

use libc::{pthread_barrier_t, pthread_barrierattr_t};

use crate::real;
use crate::scheduler::{is_scheduled, wait_for, wake};

/// Kind of an object in reports.
const BARRIER: &str = "a barrier";

/// Threads that a barrier waits for, and those that have come.
static BARRIERS: Mutex<BTreeMap<usize, (c_uint, c_uint)>> = Mutex::new(BTreeMap::new());

/// Counts a thread that has come. True for the last one.
fn arrive(barrier: usize) -> Option<bool> {
    let mut barriers = BARRIERS.lock().unwrap_or_else(PoisonError::into_inner);
    let (count, came) = barriers.get_mut(&barrier)?;
    *came += 1;
    let is_last = *came >= *count;
    if is_last {
        *came = 0;
    }
    Some(is_last)
}

// SAFETY of all below: the names are those of POSIX, taken on purpose; the callers keep its rules.

/// `pthread_barrier_init` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_barrier_init(
    barrier: *mut pthread_barrier_t,
    attributes: *const pthread_barrierattr_t,
    count: c_uint,
) -> c_int {
    let mut barriers = BARRIERS.lock().unwrap_or_else(PoisonError::into_inner);
    barriers.insert(barrier.addr(), (count, 0));
    drop(barriers);
    real!(pthread_barrier_init(
        barrier => *mut pthread_barrier_t, attributes => *const pthread_barrierattr_t, count => c_uint
    ) -> c_int)
}

/// `pthread_barrier_destroy` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_barrier_destroy(barrier: *mut pthread_barrier_t) -> c_int {
    BARRIERS.lock().unwrap_or_else(PoisonError::into_inner).remove(&barrier.addr());
    real!(pthread_barrier_destroy(barrier => *mut pthread_barrier_t) -> c_int)
}

/// `pthread_barrier_wait` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_barrier_wait(barrier: *mut pthread_barrier_t) -> c_int {
    match is_scheduled().then(|| arrive(barrier.addr())).flatten() {
        Some(true) => {
            wake(BARRIER, barrier.addr());
            libc::PTHREAD_BARRIER_SERIAL_THREAD
        }
        Some(false) => {
            wait_for(BARRIER, barrier.addr());
            0
        }
        None => real!(pthread_barrier_wait(barrier => *mut pthread_barrier_t) -> c_int),
    }
}
