//! Whether this process is the program of its host, a fork in its place, or one outside the run (decision 0104).
#![allow(unsafe_code)]

use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU64, Ordering::Relaxed};

use libc::pid_t;
use processes::Slot;
use rustix::fs::{FileType, Stat, fstat};
use rustix::process::{Pid, Signal, getppid};
use rustix::thread::nanosleep;
use rustix::time::Timespec;

/// This process is the program, or a fork that has the slot.
const MEMBER: u8 = 0;
/// This process is a fork, and its program has not done anything yet that says whether it belongs to the run.
const UNDECIDED: u8 = 1;
/// This process is a fork that does not belong to the run.
const OUTSIDE: u8 = 2;
/// This process is a filter in a pipeline of shells, such as `tail`. It belongs to the run once it looks for devices.
const FILTER: u8 = 3;

static PLACE: AtomicU8 = AtomicU8::new(MEMBER);
/// Forks up to this one, at the time at which this process was made; 0 for the program.
static OWN: AtomicU64 = AtomicU64::new(0);
/// Forks that this process knows of: those of a fork continue the count of its program.
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

/// Whether a shell, or another program of the host, executes this program with the output of a third one. Both run at
/// the same time, and the other one is more likely to use verbs.
pub fn is_filter(slot: &Slot) -> bool {
    let is_of_simulator = getppid().is_some_and(|parent| parent.as_raw_pid() as u32 == slot.run());
    let is_pipe = |about: Stat| FileType::from_raw_mode(about.st_mode) == FileType::Fifo;
    // SAFETY: the descriptor is looked at, whether it is open or not.
    let input = unsafe { BorrowedFd::borrow_raw(0) };
    !is_of_simulator && fstat(input).is_ok_and(is_pipe)
}

/// This process does not belong to the run until it looks for devices.
pub fn stay_outside() {
    PLACE.store(FILTER, Relaxed);
}

/// This process looks for devices.
pub fn join() {
    let _ = PLACE.compare_exchange(FILTER, MEMBER, Relaxed, Relaxed);
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
        // A fork of a fork may have the count of a later fork of the program, so the holder is known by its process.
        if slot.holder() == process() {
            // The kernel has forgotten this too.
            let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
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

/// This process has made a fork.
pub fn begin(fork: pid_t) {
    if PLACE.load(Relaxed) == MEMBER {
        CHILD.store(fork, Relaxed);
    }
}

/// The latest fork, if it is not known yet whether it belongs to the run.
pub fn undecided() -> Option<Pid> {
    Pid::from_raw(CHILD.load(Relaxed))
}

/// The program goes on without waiting for its latest fork, which does not belong to the run.
pub fn go_on(slot: &Slot) {
    if CHILD.load(Relaxed) != 0 && CHILD.swap(0, Relaxed) != 0 {
        slot.set_outside(LATEST.load(Relaxed));
    }
}

/// Number of this process.
fn process() -> u64 {
    rustix::process::getpid().as_raw_nonzero().get() as u64
}

/// Gives the slot to the latest fork.
pub fn give(slot: &Slot) {
    slot.set_holder(CHILD.swap(0, Relaxed) as u64);
}

/// Takes the slot back from a fork that has ended, whose own forks no longer count.
pub fn take_back(slot: &Slot) {
    slot.set_holder(if OWN.load(Relaxed) == 0 { 0 } else { process() });
    slot.set_outside(LATEST.load(Relaxed));
}
