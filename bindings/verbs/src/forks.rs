//! Forks: one has the slot of its program while the program waits for its end.
//!
//! So a server that forks for each client, and waits for the fork (`qperf`), uses verbs, sockets and virtual time in the
//! fork as in the program itself. When the fork has ended, the simulator frees what it has made.
//!
//! All other forks do not belong to the run: those of a program that uses its adapter itself or has several threads, and
//! those for which a program does not wait before its next call. A fork does not know which one it is when it begins, so
//! its first call waits for what its program does next; meanwhile the program may use sockets.
#![allow(unsafe_code)]

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU64, Ordering::Relaxed};

use libc::{c_int, idtype_t, pid_t, rusage, siginfo_t};
use processes::Slot;
use processes::verbs::Call;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid as wait_for};
use rustix::thread::nanosleep;
use rustix::time::Timespec;

use crate::{link, next_function, slot, timers, virtual_clock};

/// This process is the program, or a fork that has the slot.
const MEMBER: u8 = 0;
/// This process is a fork, and its program has not done anything yet that says whether it belongs to the run.
const UNDECIDED: u8 = 1;
/// This process is a fork that does not belong to the run.
const OUTSIDE: u8 = 2;

static PLACE: AtomicU8 = AtomicU8::new(MEMBER);
/// Number of this process among the forks of the program, from 1; 0 for the program.
static OWN: AtomicU64 = AtomicU64::new(0);
/// Number of the latest fork that this process knows of.
static LATEST: AtomicU64 = AtomicU64::new(0);
/// The latest fork, if it is not known yet whether it belongs to the run; otherwise 0.
static CHILD: AtomicI32 = AtomicI32::new(0);

/// Looks of a fork for what its program does, one each 100 us; after them the fork does not belong to the run. A program
/// that computes for longer before it waits would otherwise hold up forks that it never waits for.
const LOOKS: u32 = 10_000;
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000 };

/// Marks forks of this process from now on.
pub fn watch() {
    // SAFETY: the handlers only store numbers.
    unsafe { libc::pthread_atfork(Some(count), None, Some(mark)) };
}

extern "C" fn count() {
    LATEST.fetch_add(1, Relaxed);
}

extern "C" fn mark() {
    OWN.store(LATEST.load(Relaxed), Relaxed);
    CHILD.store(0, Relaxed);
    let _ = PLACE.compare_exchange(MEMBER, UNDECIDED, Relaxed, Relaxed);
}

/// Whether this process has the slot of its program. A fork waits until it is known.
pub fn has(slot: &Slot) -> bool {
    match PLACE.load(Relaxed) {
        MEMBER => true,
        UNDECIDED => decide(slot),
        _ => false,
    }
}

fn decide(slot: &Slot) -> bool {
    let own = OWN.load(Relaxed);
    for _ in 0..LOOKS {
        if slot.holder() == own {
            // The kernel has forgotten this too.
            let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
            virtual_clock::take_ps();
            timers::stop();
            PLACE.store(MEMBER, Relaxed);
            return true;
        }
        if slot.is_outside(own) {
            break;
        }
        let _ = nanosleep(&LOOK);
    }
    PLACE.store(OUTSIDE, Relaxed);
    false
}

/// The program goes on without waiting for its latest fork, which does not belong to the run.
pub fn go_on(slot: &Slot) {
    if CHILD.load(Relaxed) != 0 && CHILD.swap(0, Relaxed) != 0 {
        slot.set_outside(LATEST.load(Relaxed));
    }
}

/// The program is about to wait for this process, or for any if there is no number: if that is the latest fork, it has the
/// slot until its end.
fn let_run(process: Option<pid_t>, options: c_int) {
    let Some(slot) = slot::get() else { return };
    let child = CHILD.load(Relaxed);
    let is_awaited = options & libc::WNOHANG == 0 && process.is_none_or(|process| process == child);
    let Some(fork) = Pid::from_raw(child).filter(|_| is_awaited && may_share()) else { return go_on(slot) };
    CHILD.store(0, Relaxed);
    slot.set_holder(LATEST.load(Relaxed));
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(wait_for(WaitId::Pid(fork), ended), Err(Errno::INTR)) {}
    slot.set_holder(OWN.load(Relaxed));
    // A signal may have ended the fork in a call, and its answer is still to be read.
    let _ = slot.receive_nothing(&mut || true);
    let _ = link::ask("waitpid", Call::EndFork);
}

/// Whether a fork can stand in for this program: nothing is to be shared.
fn may_share() -> bool {
    !link::uses_adapter() && !threads::is_one_of_several()
}

// SAFETY of all below: the names are those of POSIX and Linux, taken on purpose. The arguments go to the operating system,
// which checks them.

/// `fork` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn fork() -> pid_t {
    static NEXT: OnceLock<usize> = OnceLock::new();
    let fork: extern "C" fn() -> pid_t = next_function::find(&NEXT, c"fork");
    if let Some(slot) = slot::get() {
        go_on(slot);
    }
    let pid = fork();
    if pid > 0 && PLACE.load(Relaxed) == MEMBER {
        CHILD.store(pid, Relaxed);
    }
    pid
}

/// `wait` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn wait(status: *mut c_int) -> pid_t {
    wait4(-1, status, 0, std::ptr::null_mut())
}

/// `waitpid` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn waitpid(process: pid_t, status: *mut c_int, options: c_int) -> pid_t {
    wait4(process, status, options, std::ptr::null_mut())
}

/// `wait3` of Linux.
#[unsafe(no_mangle)]
pub extern "C" fn wait3(status: *mut c_int, options: c_int, usage: *mut rusage) -> pid_t {
    wait4(-1, status, options, usage)
}

/// `wait4` of Linux.
#[unsafe(no_mangle)]
pub extern "C" fn wait4(process: pid_t, status: *mut c_int, options: c_int, usage: *mut rusage) -> pid_t {
    let_run((process > 0).then_some(process), options);
    // SAFETY: see above.
    unsafe { libc::syscall(libc::SYS_wait4, process, status, options, usage) as pid_t }
}

/// `waitid` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn waitid(kind: idtype_t, number: libc::id_t, about: *mut siginfo_t, options: c_int) -> c_int {
    let_run((kind == libc::P_PID).then_some(number as pid_t), options);
    // SAFETY: see above.
    unsafe {
        libc::syscall(libc::SYS_waitid, kind, number, about, options, std::ptr::null_mut::<rusage>()) as c_int
    }
}
