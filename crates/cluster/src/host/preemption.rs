//! Who has the processor of a host: interrupt handlers before bottom halves before processes.
//!
//! Work of a lower level takes longer by the time for which higher ones had the processor meanwhile. Programs of one level do not
//! disturb each other, and those that use PM alone are disturbed by nobody: they poll.

use std::cell::Cell;

use super::Cpu;
use crate::{Duration, Time};

/// Who works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A process, in a system call.
    Process,
    /// The half of an interrupt's work that does not keep other interrupts out.
    BottomHalf,
    /// An interrupt handler.
    Interrupt,
}

/// The time that higher levels took from one.
#[derive(Debug, Default)]
struct Taken {
    /// How many are at work now, and since when there is one.
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
    /// Somebody of this level works until the result goes.
    pub fn enter<'a>(&'a self, cpu: &'a Cpu, level: Level) -> Working<'a> {
        for taken in self.below(level) {
            if taken.working.get() == 0 {
                taken.since.set(cpu.now());
            }
            taken.working.update(|working| working + 1);
        }
        Working { preemption: self, cpu, level }
    }

    /// Works for so long, not counting the time that others take.
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

/// Somebody works.
pub struct Working<'a> {
    preemption: &'a Preemption,
    cpu: &'a Cpu,
    level: Level,
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        for taken in self.preemption.below(self.level) {
            taken.working.update(|working| working - 1);
            if taken.working.get() == 0 {
                taken.before.set(taken.before.get() + (self.cpu.now() - taken.since.get()));
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
    fn work_of_processes_is_longer_by_what_interrupts_and_bottom_halves_take() {
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
        // Interrupts from 70 to 80 and from 150 to 160; one of them more would be 160 from 150.
        assert_eq!(*done.borrow(), [("bottom half", 140), ("process", 220)]);
    }
}
