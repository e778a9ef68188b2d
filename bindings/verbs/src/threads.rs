//! Threads of a program, and their waits for each other that have a deadline.
//!
//! Threads compute in real time and one after the other makes calls. A wait with a deadline of virtual time goes on in
//! slices: other threads have a millisecond of real time to end it, then a slice of virtual time passes.
#![allow(unsafe_code)]

use std::sync::OnceLock;
use std::time::Duration;

use libc::{
    c_int, c_void, clockid_t, pthread_attr_t, pthread_cond_t, pthread_mutex_t, pthread_t, sem_t, timespec,
};
use processes::verbs::Call;
use slots::clock;

use crate::{link, next_function, timers, virtual_time};

/// Real time that other threads have to end a wait before virtual time goes on.
const REAL_SLICE: Duration = Duration::from_millis(1);

/// The end of a slice, on the monotonic clock of the operating system.
fn slice_end() -> timespec {
    let end = clock::real(libc::CLOCK_MONOTONIC) + REAL_SLICE;
    timespec { tv_sec: end.as_secs() as i64, tv_nsec: end.subsec_nanos().into() }
}

/// Waits until `try_once`, which waits for at most a slice of real time, returns another number than `ETIMEDOUT`, or
/// until the deadline.
fn wait(deadline: timespec, mut try_once: impl FnMut(timespec) -> c_int) -> c_int {
    let Some(until) = timers::deadline_of_any_clock_ps(deadline) else { return libc::EINVAL };
    loop {
        let end = if link::has_threads() { slice_end() } else { timespec { tv_sec: 0, tv_nsec: 0 } };
        let result = try_once(end);
        if result != libc::ETIMEDOUT {
            return result;
        }
        let Some(now) = virtual_time::now_ps().filter(|now| *now < until) else { return libc::ETIMEDOUT };
        let next = until.min(timers::next_ps().max(now));
        if link::ask("wait", Call::Sleep(link::slice_ps(next - now))).is_err() {
            return libc::ETIMEDOUT;
        }
    }
}

// SAFETY of all below: the names are those of POSIX and of the C library, taken on purpose. The functions behind them have
// these types, and the caller passes valid pointers.

type CondClockWait =
    extern "C" fn(*mut pthread_cond_t, *mut pthread_mutex_t, clockid_t, *const timespec) -> c_int;
type SemClockWait = extern "C" fn(*mut sem_t, clockid_t, *const timespec) -> c_int;

/// `pthread_create` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_create(
    thread: *mut pthread_t,
    attributes: *const pthread_attr_t,
    begin: extern "C" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
) -> c_int {
    type Create = extern "C" fn(
        *mut pthread_t,
        *const pthread_attr_t,
        extern "C" fn(*mut c_void) -> *mut c_void,
        *mut c_void,
    ) -> c_int;
    static NEXT: OnceLock<usize> = OnceLock::new();
    link::begin_thread();
    let real: Create = next_function::find(&NEXT, c"pthread_create");
    real(thread, attributes, begin, argument)
}

/// `pthread_cond_timedwait` of POSIX, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_timedwait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    deadline: *const timespec,
) -> c_int {
    pthread_cond_clockwait(condition, mutex, libc::CLOCK_REALTIME, deadline)
}

/// `pthread_cond_clockwait` of glibc, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_cond_clockwait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    deadline: *const timespec,
) -> c_int {
    static NEXT: OnceLock<usize> = OnceLock::new();
    static TIMED: OnceLock<usize> = OnceLock::new();
    let real: CondClockWait = next_function::find(&NEXT, c"pthread_cond_clockwait");
    if virtual_time::now_ps().is_none() {
        if clock == libc::CLOCK_REALTIME {
            // The clock may be another one, set with the condition.
            let timed: extern "C" fn(*mut pthread_cond_t, *mut pthread_mutex_t, *const timespec) -> c_int =
                next_function::find(&TIMED, c"pthread_cond_timedwait");
            return timed(condition, mutex, deadline);
        }
        return real(condition, mutex, clock, deadline);
    }
    // SAFETY: see above.
    wait(unsafe { *deadline }, |end| real(condition, mutex, libc::CLOCK_MONOTONIC, &end))
}

/// `sem_timedwait` of POSIX, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn sem_timedwait(semaphore: *mut sem_t, deadline: *const timespec) -> c_int {
    sem_clockwait(semaphore, libc::CLOCK_REALTIME, deadline)
}

/// `sem_clockwait` of glibc, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn sem_clockwait(semaphore: *mut sem_t, clock: clockid_t, deadline: *const timespec) -> c_int {
    static NEXT: OnceLock<usize> = OnceLock::new();
    let real: SemClockWait = next_function::find(&NEXT, c"sem_clockwait");
    if virtual_time::now_ps().is_none() {
        return real(semaphore, clock, deadline);
    }
    let try_once = |end| match real(semaphore, libc::CLOCK_MONOTONIC, &end) {
        0 => 0,
        // SAFETY: the pointer is that of this thread's `errno`.
        _ => unsafe { *libc::__errno_location() },
    };
    // SAFETY: see above.
    match wait(unsafe { *deadline }, try_once) {
        0 => 0,
        errno => {
            link::set_errno(errno);
            -1
        }
    }
}
