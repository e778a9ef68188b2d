//! Locks: mutexes, locks of readers and writers, spin locks.
#![allow(unsafe_code)]

use std::ffi::c_int;

use libc::{clockid_t, pthread_mutex_t, pthread_rwlock_t, pthread_spinlock_t, timespec};

use crate::real;
use crate::scheduler::{acquire, is_scheduled, pass, wake};
use crate::sleep::deadline_ps;

/// Kind of an object in reports.
pub(crate) const MUTEX: &str = "a mutex";
const RWLOCK: &str = "a lock of readers and writers";
const SPINLOCK: &str = "a spin lock";

/// Takes a lock by attempts that do not wait.
fn take(kind: &'static str, lock: usize, deadline_ps: Option<u64>, attempt: impl Fn() -> c_int) -> c_int {
    let mut result = libc::EBUSY;
    let taken = acquire(kind, lock, deadline_ps, || {
        result = attempt();
        result != libc::EBUSY
    });
    if taken { result } else { libc::ETIMEDOUT }
}

fn try_mutex(mutex: *mut pthread_mutex_t) -> c_int {
    real!(pthread_mutex_trylock(mutex => *mut pthread_mutex_t) -> c_int)
}

/// Takes a mutex, for a scheduled thread.
pub(crate) fn lock_mutex(mutex: *mut pthread_mutex_t) -> c_int {
    take(MUTEX, mutex.addr(), None, || try_mutex(mutex))
}

/// Releases a mutex.
fn unlock_mutex(mutex: *mut pthread_mutex_t) -> c_int {
    let result = real!(pthread_mutex_unlock(mutex => *mut pthread_mutex_t) -> c_int);
    wake(MUTEX, mutex.addr());
    result
}

// SAFETY of all below: the names are those of POSIX, taken on purpose; the callers keep its rules.

/// `pthread_mutex_lock` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_mutex_lock(mutex: *mut pthread_mutex_t) -> c_int {
    if is_scheduled() {
        return lock_mutex(mutex);
    }
    real!(pthread_mutex_lock(mutex => *mut pthread_mutex_t) -> c_int)
}

/// `pthread_mutex_trylock` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_mutex_trylock(mutex: *mut pthread_mutex_t) -> c_int {
    pass();
    try_mutex(mutex)
}

/// `pthread_mutex_timedlock` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_mutex_timedlock(mutex: *mut pthread_mutex_t, until: *const timespec) -> c_int {
    pthread_mutex_clocklock(mutex, libc::CLOCK_REALTIME, until)
}

/// `pthread_mutex_clocklock` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_mutex_clocklock(
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    until: *const timespec,
) -> c_int {
    if is_scheduled() {
        // SAFETY: POSIX requires a valid time.
        let until = unsafe { deadline_ps(clock, until) };
        return take(MUTEX, mutex.addr(), Some(until), || try_mutex(mutex));
    }
    real!(pthread_mutex_clocklock(
        mutex => *mut pthread_mutex_t, clock => clockid_t, until => *const timespec
    ) -> c_int)
}

/// `pthread_mutex_unlock` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_mutex_unlock(mutex: *mut pthread_mutex_t) -> c_int {
    unlock_mutex(mutex)
}

/// `pthread_rwlock_rdlock` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_rwlock_rdlock(lock: *mut pthread_rwlock_t) -> c_int {
    if is_scheduled() {
        return take(
            RWLOCK,
            lock.addr(),
            None,
            || real!(pthread_rwlock_tryrdlock(lock => *mut pthread_rwlock_t) -> c_int),
        );
    }
    real!(pthread_rwlock_rdlock(lock => *mut pthread_rwlock_t) -> c_int)
}

/// `pthread_rwlock_wrlock` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_rwlock_wrlock(lock: *mut pthread_rwlock_t) -> c_int {
    if is_scheduled() {
        return take(
            RWLOCK,
            lock.addr(),
            None,
            || real!(pthread_rwlock_trywrlock(lock => *mut pthread_rwlock_t) -> c_int),
        );
    }
    real!(pthread_rwlock_wrlock(lock => *mut pthread_rwlock_t) -> c_int)
}

/// `pthread_rwlock_unlock` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_rwlock_unlock(lock: *mut pthread_rwlock_t) -> c_int {
    let result = real!(pthread_rwlock_unlock(lock => *mut pthread_rwlock_t) -> c_int);
    wake(RWLOCK, lock.addr());
    result
}

/// `pthread_spin_lock` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_spin_lock(lock: *mut pthread_spinlock_t) -> c_int {
    if is_scheduled() {
        return take(
            SPINLOCK,
            lock.addr(),
            None,
            || real!(pthread_spin_trylock(lock => *mut pthread_spinlock_t) -> c_int),
        );
    }
    real!(pthread_spin_lock(lock => *mut pthread_spinlock_t) -> c_int)
}

/// `pthread_spin_unlock` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_spin_unlock(lock: *mut pthread_spinlock_t) -> c_int {
    let result = real!(pthread_spin_unlock(lock => *mut pthread_spinlock_t) -> c_int);
    wake(SPINLOCK, lock.addr());
    result
}
