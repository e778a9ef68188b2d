//! Begin and end of threads.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::ffi::{CStr, c_int, c_void};
use std::sync::{LazyLock, Mutex, PoisonError};

use libc::{pthread_attr_t, pthread_key_t, pthread_t, timespec};

use crate::real;
use crate::scheduler::{self, Event, is_scheduled, lock, wait};
use crate::sleep::deadline_ps;

type StartRoutine = extern "C-unwind" fn(*mut c_void) -> *mut c_void;

/// The first function of a thread, and the number of the thread if it is scheduled.
struct Start {
    routine: StartRoutine,
    argument: *mut c_void,
    number: Option<u32>,
}

/// Numbers of scheduled threads by their handles.
static HANDLES: Mutex<BTreeMap<usize, u32>> = Mutex::new(BTreeMap::new());

/// Libraries whose threads wait for each other without the functions of POSIX.
const FREE: [&str; 3] = ["libgomp", "libomp", "libiomp"];

/// A key whose destructor tells that a thread has ended.
static END: LazyLock<pthread_key_t> = LazyLock::new(|| {
    let mut key = 0;
    // SAFETY: the place is valid, and the destructor takes any value.
    unsafe { libc::pthread_key_create(&mut key, Some(at_end)) };
    key
});

/// Rounds of destructors of a thread: PTHREAD_DESTRUCTOR_ITERATIONS.
const ROUNDS: usize = 4;

/// Ends the thread in the last round, so that destructors of the program run before.
unsafe extern "C" fn at_end(round: *mut c_void) {
    if (round as usize) < ROUNDS {
        // SAFETY: the key was created; its values are no addresses.
        unsafe { libc::pthread_setspecific(*END, (round as usize + 1) as *const c_void) };
    } else {
        scheduler::end();
    }
}

extern "C-unwind" fn run(start: *mut c_void) -> *mut c_void {
    // SAFETY: the pointer is that of a box, which `pthread_create` passed once.
    let Start { routine, argument, number } = *unsafe { Box::from_raw(start.cast::<Start>()) };
    // SAFETY: the key was created; its values are no addresses.
    unsafe { libc::pthread_setspecific(*END, std::ptr::without_provenance(1)) };
    match number {
        Some(number) => scheduler::start(number),
        None => lock().free += 1,
    }
    // `pthread_exit` unwinds through this frame, which has nothing to drop here.
    routine(argument)
}

/// Whether a function belongs to a library whose threads are free.
fn is_of_free_library(routine: StartRoutine) -> bool {
    // SAFETY: a structure of pointers may be zero.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the place is valid; the address may be any.
    if unsafe { libc::dladdr(routine as *const c_void, &mut info) } == 0 || info.dli_fname.is_null() {
        return false;
    }
    // SAFETY: the loader gives a text that ends with a zero.
    let file = unsafe { CStr::from_ptr(info.dli_fname) }.to_string_lossy();
    FREE.iter().any(|name| file.rsplit('/').next().is_some_and(|file| file.starts_with(name)))
}

fn handles() -> std::sync::MutexGuard<'static, BTreeMap<usize, u32>> {
    HANDLES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `pthread_create` of POSIX. Threads that a scheduled thread creates are scheduled.
///
/// # Safety
/// As POSIX requires.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_create(
    handle: *mut pthread_t,
    attributes: *const pthread_attr_t,
    routine: StartRoutine,
    argument: *mut c_void,
) -> c_int {
    let is_free = is_of_free_library(routine);
    if !is_free {
        scheduler::begin_at_first_thread();
    }
    let number = (is_scheduled() && !is_free).then(|| lock().add());
    let start = Box::into_raw(Box::new(Start { routine, argument, number }));
    let result = real!(pthread_create(
        handle => *mut pthread_t, attributes => *const pthread_attr_t,
        run => extern "C-unwind" fn(*mut c_void) -> *mut c_void, start.cast() => *mut c_void
    ) -> c_int);
    if result != 0 {
        // SAFETY: no thread has begun, so the box is still whole.
        drop(unsafe { Box::from_raw(start) });
    }
    match number {
        Some(number) if result != 0 => lock().remove(number),
        // SAFETY: the function has set the handle.
        Some(number) => drop(handles().insert(unsafe { *handle } as usize, number)),
        None => {}
    }
    result
}

/// Waits until a thread has ended. False after the deadline.
fn wait_for_end(handle: pthread_t, deadline_ps: Option<u64>) -> bool {
    let number = handles().get(&(handle as usize)).copied();
    match number.filter(|_| is_scheduled()) {
        Some(number) if !lock().has_ended(number) => wait(Event::Join(number), deadline_ps, |_| false),
        _ => true,
    }
}

/// `pthread_join` of POSIX.
///
/// # Safety
/// As POSIX requires.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_join(handle: pthread_t, result: *mut *mut c_void) -> c_int {
    wait_for_end(handle, None);
    let joined = real!(pthread_join(handle => pthread_t, result => *mut *mut c_void) -> c_int);
    if joined == 0 {
        handles().remove(&(handle as usize));
    }
    joined
}

/// `pthread_timedjoin_np` of glibc.
///
/// # Safety
/// As glibc requires.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_timedjoin_np(
    handle: pthread_t,
    result: *mut *mut c_void,
    until: *const timespec,
) -> c_int {
    if is_scheduled() {
        // SAFETY: the caller passes a valid time.
        match wait_for_end(handle, Some(unsafe { deadline_ps(libc::CLOCK_REALTIME, until) })) {
            // SAFETY: as required of the caller.
            true => return unsafe { pthread_join(handle, result) },
            false => return libc::ETIMEDOUT,
        }
    }
    real!(pthread_timedjoin_np(handle => pthread_t, result => *mut *mut c_void, until => *const timespec) -> c_int)
}

/// Has forked processes run their only thread.
pub(crate) fn know_forks() {
    // SAFETY: the handler only stores an atomic flag.
    unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
}

unsafe extern "C" fn in_child() {
    scheduler::end_in_child();
}
