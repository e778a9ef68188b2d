//! A progress thread: it lets the library go on while the program computes, once in a while.

use std::cell::Cell;
use std::future::poll_fn;
use std::task::Poll;

use cluster::{Duration, Time};

use crate::progress::Library;

/// How often a progress thread looks, and what a look costs beside what the library does for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// From when it has done its work until it looks again.
    pub period: Duration,
    /// The way from the program to the thread and back.
    pub switch: Duration,
}

/// The thread of a process. It has the processor of the program, and so takes its time.
pub(crate) struct Thread {
    pub progress: Progress,
    next: Cell<Time>,
}

impl Thread {
    /// A thread that sleeps from now on.
    pub fn new(progress: Progress, now: Time) -> Self {
        Thread { progress, next: Cell::new(now + progress.period) }
    }

    /// How long it sleeps yet; nothing if it is due.
    pub fn sleeps(&self, now: Time) -> Option<Duration> {
        let next = self.next.get();
        (next > now).then(|| next - now)
    }

    /// It has done its work, and sleeps again.
    pub fn done(&self, now: Time) {
        self.next.set(now + self.progress.period);
    }
}

impl Library {
    /// The program computes for so long. Its progress thread takes the processor when it is due, so the program is done later: there is one
    /// processor.
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

    /// The progress thread is switched to, takes all steps that there are, and hands back.
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

    /// A progress thread that is due while a call waits finds the library at work (one lock, hazard H11 of MPI/DE), and goes back to sleep.
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
