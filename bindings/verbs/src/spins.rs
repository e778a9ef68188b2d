//! A program that spins on memory, which a peer writes: it makes no call, so the simulator would wait for it for ever.
//!
//! While the program has memory that peers may write, a timer counts the processor time of the thread that registered it.
//! If the thread has made no call for [`PERIODS`] whole periods, or is again at a place where it spun before, the signal
//! handler makes a call in its place: the program waits, in virtual time, until the adapter writes that memory. A thread
//! that computes for so long is taken for one that spins.
#![allow(unsafe_code)]

use std::mem::zeroed;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use libc::{c_int, c_long, c_void, siginfo_t, ucontext_t};
use processes::verbs::{Call, CallMessage};

use crate::{link, slot, time_stamps};

/// Processor time between two looks, in ns: 2 ms. Kernels round it up to their tick.
const PERIOD_NS: i64 = 2_000_000;
/// Whole periods without a call after which a thread spins at a new place: 50 ms or more. Libraries compute for shorter
/// when they start.
const PERIODS: u32 = 25;
/// Logarithm of the bytes of code that are one place.
const PLACE_LOG: u32 = 8;

/// The call, encoded: a signal handler allocates no memory.
static MESSAGE: OnceLock<Vec<u8>> = OnceLock::new();
/// Calls that the program had made at the last look.
static CALLS: AtomicU64 = AtomicU64::new(u64::MAX);
/// Whole periods without a call.
static QUIET: AtomicU32 = AtomicU32::new(0);
/// The place at which the program spun last.
static PLACE: AtomicUsize = AtomicUsize::new(usize::MAX);

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
    // SAFETY: numbers, null pointers and absent functions may be zero; the calls read valid structures.
    unsafe {
        let mut action: libc::sigaction = zeroed();
        action.sa_sigaction = look as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        time_stamps::real_sigaction(signal(), &action, std::ptr::null_mut());
        let mut event: libc::sigevent = zeroed();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = signal();
        event.sigev_notify_thread_id = rustix::thread::gettid().as_raw_nonzero().get();
        let mut timer: libc::timer_t = zeroed();
        let period = libc::timespec { tv_sec: 0, tv_nsec: PERIOD_NS as c_long };
        let setting = libc::itimerspec { it_interval: period, it_value: period };
        if libc::timer_create(libc::CLOCK_THREAD_CPUTIME_ID, &mut event, &mut timer) == 0 {
            libc::timer_settime(timer, 0, &setting, std::ptr::null_mut());
        }
    }
}

/// Place of the interrupted code.
fn place(context: *mut c_void) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: the kernel passes a valid context.
        let at = unsafe { (*context.cast::<ucontext_t>()).uc_mcontext.gregs[libc::REG_RIP as usize] };
        at as usize >> PLACE_LOG
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = context;
        usize::MAX - 1
    }
}

/// Looks whether the thread spins. It allocates no memory and waits for no lock.
extern "C" fn look(_signal: c_int, _information: *mut siginfo_t, context: *mut c_void) {
    let (place, calls) = (place(context), link::sent());
    let is_quiet = CALLS.swap(calls, Relaxed) == calls;
    let quiet = if is_quiet { QUIET.fetch_add(1, Relaxed) + 1 } else { 0 };
    QUIET.store(quiet, Relaxed);
    if quiet < PERIODS && PLACE.load(Relaxed) != place {
        return;
    }
    // SAFETY: the pointer is that of this thread's `errno`, which the interrupted code may be about to read.
    let errno = unsafe { *libc::__errno_location() };
    if let Some(message) = MESSAGE.get()
        && link::try_send_and_wait(message)
    {
        PLACE.store(place, Relaxed);
    }
    link::set_errno(errno);
}
