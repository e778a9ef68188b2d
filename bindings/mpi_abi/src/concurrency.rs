//! Threads of a rank that call MPI at the same time (`MPI_THREAD_MULTIPLE`).
//!
//! Package `threads` runs one thread at a time. A call of the simulator that waits lets the next thread run; the answer
//! comes with that of whichever call is over first.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use processes::mpi::call::{Answer, Call, CallingThread};
use threads::Simulator;
pub use threads::{is_one_of_several, pass, yield_now};

use crate::clock;
use crate::link;
use crate::slot;

/// Answers to calls of threads that have not run since.
static ANSWERS: Mutex<BTreeMap<u32, Answer>> = Mutex::new(BTreeMap::new());

/// Kind of the object that calls wait for which the program completes itself, and its address: that of no memory.
const PROGRAM: (&str, usize) = ("MPI_Grequest_complete, or MPI_Pready of all partitions", 1);

struct Rank;

impl Simulator for Rank {
    fn now_ps(&self) -> u64 {
        slot::get().map_or(0, |slot| slot.time_ps()).saturating_add(clock::computed_ps())
    }

    fn wait(&self, until_ps: Option<u64>) -> bool {
        let caller = CallingThread { number: u32::MAX, may_switch: false };
        match link::converse(Call::Await { until_ps }, None, Some(caller)) {
            Ok(Answer::OfThread { thread, answer }) => {
                deliver(thread, *answer);
                true
            }
            Ok(Answer::Waiting) => true,
            Ok(_) | Err(_) => false,
        }
    }

    fn pass(&self, until_ps: u64) {
        clock::add_ps(until_ps.saturating_sub(self.now_ps()));
    }

    fn end_stuck(&self, report: String) -> ! {
        link::abort(1, report)
    }
}

fn deliver(thread: u32, answer: Answer) {
    ANSWERS.lock().unwrap_or_else(PoisonError::into_inner).insert(thread, answer);
    threads::complete(thread);
}

/// Runs the threads of the process one at a time from here on.
pub fn begin() {
    threads::begin(&Rank);
}

/// The calling thread, if it is one of several.
pub fn caller() -> Option<CallingThread> {
    threads::caller().map(|threads::Caller { number, may_switch }| CallingThread { number, may_switch })
}

/// Lets other threads run until the call of this one is complete, and returns its answer. `None` if the simulator is gone.
pub fn settle(thread: u32, answer: Answer) -> Option<Answer> {
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
        match link::converse(Call::Await { until_ps: None }, None, Some(caller)) {
            Ok(Answer::OfThread { thread, answer }) => deliver(thread, *answer),
            Ok(_) | Err(_) => return take(thread),
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
