//! A progress thread: one beside the user thread that wakes each period, takes what has come, and sleeps again.
//!
//! A process has one processor, so its steps take that from whoever computes. One lock guards the library: while a call has it, the thread finds
//! nothing to do and goes back to sleep (hazard H11 of MPI/DE).

use cluster::{Duration, Time};

use super::Library;

/// A progress thread of each process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgressThread {
    /// From when it goes to sleep until it wakes.
    pub period: Duration,
    /// What it takes of the processor each time, beside its steps in the library: it wakes, and the user thread goes on after it.
    pub wake: Duration,
}

impl Library {
    /// The user thread computes. Of its time nothing goes to the library unless there is a progress thread.
    pub async fn compute(&self, duration: Duration) {
        let Some(thread) = self.options.progress else { return self.host.compute(duration).await };
        let mut left = duration;
        loop {
            let sleeps = self.wakes(thread) - self.host.now();
            if left <= sleeps {
                return self.host.compute(left).await;
            }
            self.host.compute(sleeps).await;
            left = left - sleeps;
            self.host.compute(thread.wake).await;
            self.progress().await;
            self.woke.set(Some(self.host.now()));
        }
    }

    /// A call has the library. If the thread has woken meanwhile, that is paid for, and it sleeps again.
    pub(super) fn disturb(&self) {
        let Some(thread) = self.options.progress else { return };
        let now = self.host.now();
        if self.wakes(thread) <= now {
            self.charge(thread.wake);
            self.woke.set(Some(now));
        }
    }

    /// When the thread wakes; now, if that is over.
    fn wakes(&self, thread: ProgressThread) -> Time {
        let now = self.host.now();
        let slept = self.woke.get().unwrap_or_else(|| {
            self.woke.set(Some(now));
            now
        });
        now.max(slept + thread.period)
    }

    /// All that can be done now: packets come, and packets leave for which those have made room.
    async fn progress(&self) {
        let Some(mut carrier) = self.try_borrow_carrier() else { return };
        let carrier = carrier.carrier.as_mut().expect("it is put back only at the end");
        while self.step(carrier).await || self.push(carrier).await {}
    }
}
