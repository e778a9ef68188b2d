//! Preemption on a host: interrupt handlers before bottom halves before processes.
//!
//! Work of a lower level is extended by the time for which higher levels had the processor meanwhile.
//! Programs of the same level do not delay each other, and nothing delays programs that use PM alone, because
//! they poll.

use std::cell::Cell;

use super::Cpu;
use crate::{Duration, Time};

/// Level of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A process, in a system call.
    Process,
    /// The part of interrupt work that does not block other interrupts.
    BottomHalf,
    /// An interrupt handler.
    Interrupt,
}

/// Time that higher levels have taken from one.
#[derive(Debug, Default)]
struct Taken {
    /// Number of higher levels' tasks at work, and since when there is at least one.
    working: Cell<u32>,
    since: Cell<Time>,
    before: Cell<Duration>,
}

impl Taken {
    fn until(&self, now: Time) -> Duration {
        let present = if self.working.get() > 0 { now - self.since.get() } else { Duration::ZERO };
        self.before.get() + present
    }
}

/// The levels of one host.
#[derive(Debug, Default)]
pub struct Preemption {
    from_processes: Taken,
    from_bottom_halves: Taken,
}

impl Preemption {
    /// Marks that a task of this level works, until the result is dropped.
    pub fn enter<'a>(&'a self, cpu: &'a Cpu, level: Level) -> Working<'a> {
        for taken in self.below(level) {
            if taken.working.get() == 0 {
                taken.since.set(cpu.now());
            }
            taken.working.update(|working| working + 1);
        }
        Working { preemption: self, cpu, level }
    }

    /// Works for `duration`, not counting the time that higher levels take.
    pub async fn work(&self, cpu: &Cpu, level: Level, duration: Duration) {
        let taken = match level {
            Level::Process => &self.from_processes,
            Level::BottomHalf => &self.from_bottom_halves,
            Level::Interrupt => return cpu.compute(duration).await,
        };
        let mut left = duration;
        while left > Duration::ZERO {
            let before = taken.until(cpu.now());
            cpu.compute(left).await;
            left = taken.until(cpu.now()) - before;
        }
    }

    fn below(&self, level: Level) -> impl Iterator<Item = &Taken> {
        let processes = (level > Level::Process).then_some(&self.from_processes);
        let bottom_halves = (level > Level::BottomHalf).then_some(&self.from_bottom_halves);
        processes.into_iter().chain(bottom_halves)
    }
}

/// Guard that marks a task at work.
pub struct Working<'a> {
    preemption: &'a Preemption,
    cpu: &'a Cpu,
    level: Level,
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        // A stopped host is dropped with its tasks, and its time may then be earlier than their last step.
        let now = self.cpu.now();
        for taken in self.preemption.below(self.level) {
            taken.working.update(|working| working - 1);
            if taken.working.get() == 0 {
                let since = taken.since.get();
                taken.before.set(taken.before.get() + (now.max(since) - since));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use crate::host::{Executor, Shared};

    #[test]
    fn work_is_extended_by_the_time_of_higher_levels() {
        let mut executor = Executor::new(Rc::new(Shared::new(0)));
        let (preemption, done) = (Rc::new(Preemption::default()), Rc::new(RefCell::new(Vec::new())));
        let (shared, ends) = (preemption.clone(), done.clone());
        executor.spawn("process", move |cpu| async move {
            shared.work(&cpu, Level::Process, Duration::from_ns(100)).await;
            ends.borrow_mut().push(("process", cpu.now().ps() / 1_000));
        });
        let (shared, ends) = (preemption.clone(), done.clone());
        executor.spawn("bottom half", move |cpu| async move {
            cpu.compute(Duration::from_ns(30)).await;
            let _working = shared.enter(&cpu, Level::BottomHalf);
            shared.work(&cpu, Level::BottomHalf, Duration::from_ns(100)).await;
            ends.borrow_mut().push(("bottom half", cpu.now().ps() / 1_000));
        });
        executor.spawn("handler", move |cpu| async move {
            for _ in 0..2 {
                cpu.compute(Duration::from_ns(70)).await;
                let _working = preemption.enter(&cpu, Level::Interrupt);
                cpu.compute(Duration::from_ns(10)).await;
            }
        });
        while let Some(wake) = executor.next_wake() {
            executor.run(wake);
        }
        // Interrupts from 70 to 80 and from 150 to 160; the bottom half ends at 160 instead of 150.
        assert_eq!(*done.borrow(), [("bottom half", 140), ("process", 220)]);
    }

    #[test]
    fn host_that_stops_at_an_earlier_time_drops_tasks_at_work() {
        let shared = Rc::new(Shared::new(0));
        let mut executor = Executor::new(shared.clone());
        let preemption = Rc::new(Preemption::default());
        let levels = preemption.clone();
        executor.spawn("handler", move |cpu| async move {
            cpu.compute(Duration::from_ns(70)).await;
            let _working = levels.enter(&cpu, Level::Interrupt);
            cpu.compute(Duration::from_ns(10)).await;
        });
        for _ in 0..2 {
            let wake = executor.next_wake().expect("the handler computes");
            executor.run(wake);
        }
        assert_eq!(preemption.from_processes.working.get(), 1);
        shared.now.set(Time::ZERO);
        drop(executor);
        assert_eq!(preemption.from_processes.working.get(), 0);
        assert_eq!(preemption.from_processes.before.get(), Duration::ZERO);
    }
}
