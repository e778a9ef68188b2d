//! Threads of a process that run one at a time, in an order that the operating system does not decide.
//!
//! The crate takes the names of the functions of POSIX with which threads begin, end and wait for each other. A library
//! that is loaded before libc and contains this crate therefore sees all of them. They are those of libc until
//! [`begin`]. From then on exactly one thread runs. It runs until it waits: for a lock, a condition, a semaphore, a
//! barrier, the end of a thread, a time, or a call of the simulator ([`wait_for_call`]). The next thread in the order of
//! their numbers that can run follows. So a program that waits by these functions alone is deterministic.
//!
//! A library may [give](install) a process virtual time before it has several threads; then its sleeps and time limits
//! are virtual from the start, and its first new thread begins the rule.
//!
//! | Waits otherwise | What happens |
//! |---|---|
//! | a loop over memory without such a call | it never ends, because no other thread runs |
//! | a loop over `pthread_mutex_trylock`, `sched_yield` or looks | every [`SPINS`]th turn another thread runs |
//! | a system call, such as `read` from a pipe that another thread of the process writes | no other thread runs |
//! | threads that ran before [`begin`], and those of OpenMP | they run as they do without this crate |

mod barrier;
mod condition;
mod lock;
mod real;
mod scheduler;
mod semaphore;
mod sleep;
mod thread;

pub use scheduler::{
    Caller, SPINS, Simulator, begin, caller, complete, give_way, install, is_one_of_several, is_scheduled,
    pass, sleep_until, step, wait_for, wait_for_call, wait_for_call_until, wake, yield_now,
};

use real::real;
