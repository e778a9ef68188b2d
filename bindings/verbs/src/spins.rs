//! A program that spins on memory, which a peer writes: it makes no call, so the simulator would wait for it for ever.
//!
//! While the program has memory that peers may write, a timer counts the processor time of the thread that registered it.
//! If the thread has made no call for [`PERIODS`] whole periods, the signal handler makes a call in its place: the program
//! waits, in virtual time, until the adapter writes that memory. A thread that computes for so long is taken for one that
//! spins. At a place where the thread spun before, a second look soon after the first one decides: a thread that is only
//! passing has made a call by then, or is elsewhere.
//!
//! Another thread of the program may write that memory too. So a thread of several first goes to the
//! [start of its loop](loop_start), and lets the others run after its call, unless it [may hold a lock](locked_code) that
//! they need.
#![allow(unsafe_code)]

use std::mem::zeroed;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use libc::{c_int, c_long, c_void, siginfo_t};
use processes::verbs::{Call, CallMessage};
use slots::clock;

use crate::{link, locked_code, loop_start, outside, slot, time_stamps};

/// Processor time between two looks, in ns: 2 ms. Kernels round it up to their tick.
const PERIOD_NS: i64 = 2_000_000;
/// Whole periods without a call after which a thread spins at a new place: 50 ms or more. Libraries compute for shorter
/// when they start.
const PERIODS: u32 = 25;
/// Real time from the first to the second look, in ns.
const SECOND_NS: i64 = 50_000;
/// Processor time of the thread between both looks at least, in ns.
const BETWEEN_NS: u64 = 20_000;
/// Logarithm of the bytes of code that are one place.
const PLACE_LOG: u32 = 8;

/// The call, encoded: a signal handler allocates no memory.
static MESSAGE: OnceLock<Vec<u8>> = OnceLock::new();
/// Calls that the program had made at the last look.
static CALLS: AtomicU64 = AtomicU64::new(u64::MAX);
/// Whole periods without a call.
static QUIET: AtomicU32 = AtomicU32::new(0);
/// The place at which the program spun last, and was waiting in its call.
static PLACE: AtomicUsize = AtomicUsize::new(NOWHERE);
/// The place at which it was last found to spin.
static LAST: AtomicUsize = AtomicUsize::new(NOWHERE);
/// No place.
const NOWHERE: usize = usize::MAX;
/// The place of all code whose addresses are not known.
const UNKNOWN: usize = usize::MAX - 1;

/// Timer of the second look.
static SECOND: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// The place of the first look, until the second one, with the calls and the processor time at the first one.
static FIRST: AtomicUsize = AtomicUsize::new(NOWHERE);
static FIRST_CALLS: AtomicU64 = AtomicU64::new(0);
static FIRST_NS: AtomicU64 = AtomicU64::new(0);

/// The signal of the timer: one that programs do not use.
fn signal() -> c_int {
    libc::SIGRTMAX() - 1
}

/// The program has memory that peers may write.
pub fn watch() {
    if MESSAGE.get().is_some() || slot::get().is_none() {
        return;
    }
    let function = "spinning on memory".to_owned();
    let message = CallMessage {
        function,
        computed_ps: 0,
        sent_out_of_band: false,
        listens: Vec::new(),
        memory: None,
        call: Call::WaitForMemory,
    };
    let _ = MESSAGE.set(processes::encode(&message));
    locked_code::find();
    loop_start::prepare(arrive);
    // SAFETY: numbers, null pointers and absent functions may be zero; the calls read valid structures.
    unsafe {
        let mut action: libc::sigaction = zeroed();
        action.sa_sigaction = look as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        time_stamps::real_sigaction(signal(), &action, null_mut());
        let period = libc::timespec { tv_sec: 0, tv_nsec: PERIOD_NS as c_long };
        let setting = libc::itimerspec { it_interval: period, it_value: period };
        if let Some(timer) = timer(libc::CLOCK_THREAD_CPUTIME_ID) {
            libc::timer_settime(timer, 0, &setting, null_mut());
        }
        SECOND.store(timer(libc::CLOCK_MONOTONIC).unwrap_or(null_mut()), Relaxed);
    }
}

/// A timer that sends this thread the signal.
fn timer(clock: libc::clockid_t) -> Option<libc::timer_t> {
    // SAFETY: numbers, null pointers and absent functions may be zero; the call reads and writes valid structures.
    unsafe {
        let mut event: libc::sigevent = zeroed();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = signal();
        event.sigev_notify_thread_id = rustix::thread::gettid().as_raw_nonzero().get();
        let mut timer: libc::timer_t = zeroed();
        (libc::timer_create(clock, &mut event, &mut timer) == 0).then_some(timer)
    }
}

/// Processor time of this thread in ns.
fn thread_ns() -> u64 {
    clock::real(libc::CLOCK_THREAD_CPUTIME_ID).as_nanos() as u64
}

/// Asks for a second look; without a timer the next period has it.
fn look_again(place: usize) {
    FIRST.store(place, Relaxed);
    let timer = SECOND.load(Relaxed);
    if timer.is_null() {
        return;
    }
    let setting = libc::itimerspec {
        it_interval: libc::timespec { tv_sec: 0, tv_nsec: 0 },
        it_value: libc::timespec { tv_sec: 0, tv_nsec: SECOND_NS as c_long },
    };
    // SAFETY: the timer exists until the process ends, and the call reads a valid structure.
    unsafe { libc::timer_settime(timer, 0, &setting, null_mut()) };
}

/// Whether the thread spins at this place, as far as the looks until now say.
fn spins(place: usize, calls: u64) -> bool {
    let first = FIRST.swap(NOWHERE, Relaxed);
    if first != NOWHERE {
        let stays = first == place && FIRST_CALLS.load(Relaxed) == calls;
        let has_run = thread_ns() - FIRST_NS.load(Relaxed) >= BETWEEN_NS;
        if stays && !has_run {
            look_again(place);
        }
        return stays && has_run;
    }
    let is_quiet = CALLS.swap(calls, Relaxed) == calls;
    let quiet = if is_quiet { QUIET.fetch_add(1, Relaxed) + 1 } else { 0 };
    QUIET.store(quiet, Relaxed);
    if quiet < PERIODS && PLACE.load(Relaxed) == place {
        FIRST_CALLS.store(calls, Relaxed);
        FIRST_NS.store(thread_ns(), Relaxed);
        look_again(place);
    }
    quiet >= PERIODS
}

/// Looks whether the thread spins. It allocates no memory and waits for no lock.
extern "C" fn look(_signal: c_int, _information: *mut siginfo_t, context: *mut c_void) {
    if loop_start::is_sought() || outside::is_awaited() {
        return;
    }
    let place = loop_start::place(context).map_or(UNKNOWN, |place| place.instruction >> PLACE_LOG);
    // SAFETY: the pointer is that of this thread's `errno`, which the interrupted code may be about to read.
    let errno = unsafe { *libc::__errno_location() };
    if spins(place, link::sent()) {
        LAST.store(place, Relaxed);
        if !threads::is_scheduled() || !loop_start::seek(context) {
            wait_for_memory();
        }
    }
    link::set_errno(errno);
}

/// The thread is at the start of its loop.
fn arrive(address: usize) {
    // SAFETY: as above.
    let errno = unsafe { *libc::__errno_location() };
    if wait_for_memory() && !locked_code::contains(address) {
        threads::give_way();
    }
    link::set_errno(errno);
}

/// Makes the call in place of the program; whether it was made.
fn wait_for_memory() -> bool {
    let is_made = MESSAGE.get().is_some_and(|message| link::try_send_and_wait(message));
    if is_made {
        PLACE.store(LAST.load(Relaxed), Relaxed);
    }
    is_made
}
