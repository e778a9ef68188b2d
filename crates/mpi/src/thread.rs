//! Progress thread: wakes periodically so that the library progresses while the program computes.

use std::cell::Cell;
use std::future::poll_fn;
use std::task::Poll;

use cluster::{Duration, Time};

use crate::progress::Library;

/// Period of a progress thread and cost of switching to it. The library's own steps cost extra.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// From the end of the thread's work until its next wake-up.
    pub period: Duration,
    /// Time of the context switches from the program to the thread and back.
    pub switch: Duration,
}

/// Progress thread of a process. It runs on the program's processor and takes time from it.
pub(crate) struct Thread {
    pub progress: Progress,
    next: Cell<Time>,
}

impl Thread {
    /// A thread that first wakes one period from `now`.
    pub fn new(progress: Progress, now: Time) -> Self {
        Thread { progress, next: Cell::new(now + progress.period) }
    }

    /// Remaining sleep; `None` if the thread is due.
    pub fn sleeps(&self, now: Time) -> Option<Duration> {
        let next = self.next.get();
        (next > now).then(|| next - now)
    }

    /// Records the end of the thread's work and begins the next period.
    pub fn done(&self, now: Time) {
        self.next.set(now + self.progress.period);
    }
}

impl Library {
    /// Computes for `duration`. On the single processor the progress thread preempts the program when it is
    /// due, so the computation ends later by the thread's work.
    pub async fn compute(&self, duration: Duration) {
        let Some(thread) = &self.thread else { return self.host.compute(duration).await };
        let mut left = duration;
        loop {
            let part = thread.sleeps(self.host.now()).unwrap_or_default();
            if part >= left {
                return self.host.compute(left).await;
            }
            self.host.compute(part).await;
            left = left - part;
            self.look_in(thread).await;
        }
    }

    /// Switches to the progress thread, which takes steps until nothing is left to do, and back.
    async fn look_in(&self, thread: &Thread) {
        self.host.compute(thread.progress.switch).await;
        let mut borrowed = self.borrow_carrier().await;
        let carrier = borrowed.carrier.as_mut().expect("it is put back only at the end");
        while self.step(carrier).await {}
        drop(borrowed);
        poll_fn(|context| {
            self.advance(context);
            Poll::Ready(())
        })
        .await;
        self.pay().await;
        thread.done(self.host.now());
    }

    /// Handles a progress thread that is due during a call. The library's only lock is taken (hazard H11 of
    /// MPI/DE), so the thread goes back to sleep.
    pub async fn find_at_work(&self) {
        if let Some(thread) = self.thread.as_ref().filter(|thread| thread.sleeps(self.host.now()).is_none()) {
            self.host.compute(thread.progress.switch).await;
            thread.done(self.host.now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_is_due_a_period_after_its_last_work() {
        let progress = Progress { period: Duration::from_us(10), switch: Duration::ZERO };
        let at = |us| Time::ZERO + Duration::from_us(us);
        let thread = Thread::new(progress, at(5));
        assert_eq!(thread.sleeps(at(5)), Some(Duration::from_us(10)));
        assert_eq!((thread.sleeps(at(15)), thread.sleeps(at(99))), (None, None));
        thread.done(at(20));
        assert_eq!(thread.sleeps(at(29)), Some(Duration::from_us(1)));
    }
}
