//! Progress thread: wakes periodically so that the library progresses while the program computes.

use std::cell::Cell;

use cluster::{Duration, Time};

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
