//! Virtual time and calls of this rank, for the order in which its threads run.

use processes::mpi::call::{Answer, Call, CallingThread};
use threads::Simulator;

use crate::clock;
use crate::concurrency::deliver;
use crate::link::{self, Named};
use crate::slot;

struct Rank;

impl Simulator for Rank {
    fn now_ps(&self) -> u64 {
        slot::get().map_or(0, |slot| slot.time_ps()).saturating_add(clock::computed_ps())
    }

    fn wait(&self, until_ps: Option<u64>) -> bool {
        let caller = CallingThread { number: u32::MAX, may_switch: false };
        match link::converse(Call::Await { until_ps }, Named::default(), Some(caller)) {
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

/// Runs the threads of the process one at a time from here on.
pub fn begin() {
    threads::begin(&Rank);
}
