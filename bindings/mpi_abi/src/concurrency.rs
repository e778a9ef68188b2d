//! Threads of a rank that call MPI at the same time (`MPI_THREAD_MULTIPLE`).
//!
//! Package `threads` runs one thread at a time. A call of the simulator that waits lets the next thread run; the answer
//! comes with that of whichever call is over first.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use processes::mpi::call::{Answer, CallingThread};
pub use threads::{is_one_of_several, pass, yield_now};

/// Answers to calls of threads that have not run since.
static ANSWERS: Mutex<BTreeMap<u32, Answer>> = Mutex::new(BTreeMap::new());

/// Kind of the object that calls wait for which the program completes itself, and its address: that of no memory.
const PROGRAM: (&str, usize) = ("MPI_Grequest_complete, or MPI_Pready of all partitions", 1);

/// Keeps the answer to the call of a thread, which can run from now on.
pub fn deliver(thread: u32, answer: Answer) {
    ANSWERS.lock().unwrap_or_else(PoisonError::into_inner).insert(thread, answer);
    threads::complete(thread);
}

/// The calling thread, if it is one of several.
pub fn caller() -> Option<CallingThread> {
    threads::caller().map(|threads::Caller { number, may_switch }| CallingThread { number, may_switch })
}

/// Lets other threads run until the call of this one is complete, and returns its answer. `None` if the simulator is gone.
/// `wait` asks the simulator for the end of a call of any thread.
pub fn settle(
    thread: u32,
    answer: Answer,
    wait: impl Fn(CallingThread) -> Option<(u32, Answer)>,
) -> Option<Answer> {
    match answer {
        Answer::OfThread { thread: ended, answer } if ended == thread => return Some(*answer),
        Answer::OfThread { thread: ended, answer } => deliver(ended, *answer),
        Answer::Waiting => {}
        answer => return Some(answer),
    }
    loop {
        threads::wait_for_call();
        if let Some(answer) = take(thread) {
            return Some(answer);
        }
        // A free thread waits itself. Another one may have got its answer meanwhile.
        let caller = CallingThread { number: thread, may_switch: false };
        match wait(caller) {
            Some((thread, answer)) => deliver(thread, answer),
            None => return take(thread),
        }
    }
}

fn take(thread: u32) -> Option<Answer> {
    ANSWERS.lock().unwrap_or_else(PoisonError::into_inner).remove(&thread)
}

/// Waits until another thread has completed something itself. False if there is no other thread.
pub fn wait_for_program() -> bool {
    let waits = is_one_of_several();
    if waits {
        threads::wait_for(PROGRAM.0, PROGRAM.1);
    }
    waits
}

/// Wakes the threads that wait for the program.
pub fn wake() {
    threads::wake(PROGRAM.0, PROGRAM.1);
}
