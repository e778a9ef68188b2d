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

use libc::{c_int, idtype_t, pid_t, rusage, siginfo_t};
use processes::verbs::Call;
use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid as wait_for};

use crate::{fork_place, link, next_function, slot, timers, virtual_clock};

/// The program is about to wait for this process, or for any if there is no number: if that is the latest fork, it has the
/// slot until its end.
fn let_run(process: Option<pid_t>, options: c_int) {
    let Some(slot) = slot::get() else { return };
    let is_awaited = |fork: &Pid| {
        options & libc::WNOHANG == 0 && process.is_none_or(|process| process == fork.as_raw_nonzero().get())
    };
    let Some(fork) = fork_place::undecided().filter(|fork| is_awaited(fork) && may_share()) else {
        return fork_place::go_on(slot);
    };
    fork_place::give(slot);
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(wait_for(WaitId::Pid(fork), ended), Err(Errno::INTR)) {}
    fork_place::take_back(slot);
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
        fork_place::go_on(slot);
    }
    let pid = fork();
    match pid {
        // Its clock goes on, without the time that its program has still to report, and without its timers.
        0 => {
            virtual_clock::take_ps();
            timers::stop();
        }
        1.. => fork_place::begin(pid),
        _ => {}
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
