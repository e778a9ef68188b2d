//! Conditions.
#![allow(unsafe_code)]

use std::ffi::c_int;

use libc::{clockid_t, pthread_cond_t, pthread_condattr_t, pthread_mutex_t, timespec};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::lock::{MUTEX, lock_mutex};
use crate::real;
use crate::scheduler::{self, Event, Scheduler, Simulator, is_scheduled, simulator};
use crate::sleep::deadline_ps;

/// Kind of an object in reports.
const CONDITION: &str = "a condition";

/// Clocks of conditions that have another than that of the wall.
static CLOCKS: Mutex<BTreeMap<usize, clockid_t>> = Mutex::new(BTreeMap::new());

/// Releases the mutex, waits for a signal, and takes the mutex again.
fn wait(condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t, deadline_ps: Option<u64>) -> c_int {
    let mut released = 0;
    // A free thread signals after it has had the mutex, so this thread already waits then.
    let release = |scheduler: &mut Scheduler| {
        released = real!(pthread_mutex_unlock(mutex => *mut pthread_mutex_t) -> c_int);
        scheduler.wake(Event::Object(MUTEX, mutex.addr()), true);
        released != 0
    };
    let woken = scheduler::wait(Event::Object(CONDITION, condition.addr()), deadline_ps, release);
    if released != 0 {
        return released;
    }
    match (lock_mutex(mutex), woken) {
        (0, false) => libc::ETIMEDOUT,
        (result, _) => result,
    }
}

/// A wait of the only thread of a process with virtual time: no other thread signals.
fn wait_alone(simulator: &dyn Simulator, mutex: *mut pthread_mutex_t, deadline_ps: u64) -> c_int {
    let released = real!(pthread_mutex_unlock(mutex => *mut pthread_mutex_t) -> c_int);
    if released != 0 {
        return released;
    }
    while simulator.now_ps() < deadline_ps {
        simulator.sleep(deadline_ps);
    }
    match real!(pthread_mutex_lock(mutex => *mut pthread_mutex_t) -> c_int) {
        0 => libc::ETIMEDOUT,
        error => error,
    }
}

// SAFETY of all below: the names are those of POSIX, taken on purpose; the callers keep its rules.

/// `pthread_cond_init` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_init(
    condition: *mut pthread_cond_t,
    attributes: *const pthread_condattr_t,
) -> c_int {
    let mut clock = libc::CLOCK_REALTIME;
    if !attributes.is_null() {
        // SAFETY: POSIX requires valid attributes.
        unsafe { libc::pthread_condattr_getclock(attributes, &mut clock) };
    }
    let mut clocks = CLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
    match clock {
        libc::CLOCK_REALTIME => clocks.remove(&condition.addr()),
        clock => clocks.insert(condition.addr(), clock),
    };
    drop(clocks);
    real!(pthread_cond_init(
        condition => *mut pthread_cond_t, attributes => *const pthread_condattr_t
    ) -> c_int)
}

/// `pthread_cond_wait` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_wait(condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t) -> c_int {
    if is_scheduled() {
        return wait(condition, mutex, None);
    }
    real!(pthread_cond_wait(condition => *mut pthread_cond_t, mutex => *mut pthread_mutex_t) -> c_int)
}

/// `pthread_cond_timedwait` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_timedwait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    until: *const timespec,
) -> c_int {
    if simulator().is_some() {
        let clocks = CLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        let clock = clocks.get(&condition.addr()).copied().unwrap_or(libc::CLOCK_REALTIME);
        drop(clocks);
        return pthread_cond_clockwait(condition, mutex, clock, until);
    }
    real!(pthread_cond_timedwait(
        condition => *mut pthread_cond_t, mutex => *mut pthread_mutex_t, until => *const timespec
    ) -> c_int)
}

/// `pthread_cond_clockwait` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_clockwait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    until: *const timespec,
) -> c_int {
    if let Some(simulator) = simulator() {
        // SAFETY: POSIX requires a valid time.
        let deadline_ps = unsafe { deadline_ps(clock, until) };
        return match is_scheduled() {
            true => wait(condition, mutex, Some(deadline_ps)),
            false => wait_alone(simulator, mutex, deadline_ps),
        };
    }
    real!(pthread_cond_clockwait(
        condition => *mut pthread_cond_t, mutex => *mut pthread_mutex_t, clock => clockid_t, until => *const timespec
    ) -> c_int)
}

/// `pthread_cond_signal` of POSIX. Free threads wait in libc for it.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_signal(condition: *mut pthread_cond_t) -> c_int {
    scheduler::wake_one(CONDITION, condition.addr());
    real!(pthread_cond_signal(condition => *mut pthread_cond_t) -> c_int)
}

/// `pthread_cond_broadcast` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_broadcast(condition: *mut pthread_cond_t) -> c_int {
    scheduler::wake(CONDITION, condition.addr());
    real!(pthread_cond_broadcast(condition => *mut pthread_cond_t) -> c_int)
}
