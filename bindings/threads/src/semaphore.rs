//! Semaphores.
#![allow(unsafe_code)]

use std::ffi::c_int;

use libc::{clockid_t, sem_t, timespec};

use crate::real;
use crate::scheduler::{Simulator, acquire, is_scheduled, pass, simulator, wake};
use crate::sleep::deadline_ps;

/// Kind of an object in reports.
const SEMAPHORE: &str = "a semaphore";

fn attempt(semaphore: *mut sem_t) -> c_int {
    real!(sem_trywait(semaphore => *mut sem_t) -> c_int)
}

fn set_errno(error: c_int) -> c_int {
    // SAFETY: the pointer is that of this thread's `errno`.
    unsafe { *libc::__errno_location() = error };
    -1
}

/// Takes one from a semaphore.
fn take(semaphore: *mut sem_t, deadline_ps: Option<u64>) -> c_int {
    match acquire(SEMAPHORE, semaphore.addr(), deadline_ps, || attempt(semaphore) == 0) {
        true => 0,
        false => set_errno(libc::ETIMEDOUT),
    }
}

/// Time after which a process with virtual time and one thread looks again whether another process has posted, in ps:
/// 100 us.
const LOOK_PS: u64 = 100_000_000;

/// Takes one from a semaphore, for the only thread of a process with virtual time.
fn take_alone(simulator: &dyn Simulator, semaphore: *mut sem_t, deadline_ps: u64) -> c_int {
    while attempt(semaphore) != 0 {
        let now = simulator.now_ps();
        if now >= deadline_ps {
            return set_errno(libc::ETIMEDOUT);
        }
        simulator.sleep(deadline_ps.min(now.saturating_add(LOOK_PS)));
    }
    0
}

// SAFETY of all below: the names are those of POSIX, taken on purpose; the callers keep its rules.

/// `sem_wait` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn sem_wait(semaphore: *mut sem_t) -> c_int {
    if is_scheduled() {
        return take(semaphore, None);
    }
    real!(sem_wait(semaphore => *mut sem_t) -> c_int)
}

/// `sem_trywait` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn sem_trywait(semaphore: *mut sem_t) -> c_int {
    pass();
    attempt(semaphore)
}

/// `sem_timedwait` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn sem_timedwait(semaphore: *mut sem_t, until: *const timespec) -> c_int {
    sem_clockwait(semaphore, libc::CLOCK_REALTIME, until)
}

/// `sem_clockwait` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn sem_clockwait(semaphore: *mut sem_t, clock: clockid_t, until: *const timespec) -> c_int {
    if let Some(simulator) = simulator() {
        // SAFETY: POSIX requires a valid time.
        let deadline_ps = unsafe { deadline_ps(clock, until) };
        return match is_scheduled() {
            true => take(semaphore, Some(deadline_ps)),
            false => take_alone(simulator, semaphore, deadline_ps),
        };
    }
    real!(sem_clockwait(semaphore => *mut sem_t, clock => clockid_t, until => *const timespec) -> c_int)
}

/// `sem_post` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn sem_post(semaphore: *mut sem_t) -> c_int {
    let result = real!(sem_post(semaphore => *mut sem_t) -> c_int);
    wake(SEMAPHORE, semaphore.addr());
    result
}
