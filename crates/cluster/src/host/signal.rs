//! Signals between programs, and from interrupt handlers.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use super::cpu::{Cpu, Task, Waiting};

/// An event for which programs can wait. Raising it takes no time; a woken program accounts for the cost.
#[derive(Default)]
pub struct Signal {
    raised: Cell<u64>,
    waiting: RefCell<Vec<Rc<Task>>>,
}

impl Signal {
    /// Wakes all waiting programs.
    pub fn raise(&self, cpu: &Cpu) {
        self.raised.set(self.raised.get() + 1);
        for task in self.waiting.take() {
            task.wake_at(cpu.now());
        }
    }

    /// Waits until the signal is raised the next time; `what` names the event in reports.
    ///
    /// The caller must check the condition before each wait, so that no event is missed.
    pub async fn wait(&self, cpu: &Cpu, what: &'static str) {
        let before = self.raised.get();
        poll_fn(|_| {
            if self.raised.get() != before {
                return Poll::Ready(());
            }
            cpu.wait_for(Waiting::Signal(what));
            let mut waiting = self.waiting.borrow_mut();
            if !waiting.iter().any(|task| Rc::ptr_eq(task, &cpu.task)) {
                waiting.push(cpu.task.clone());
            }
            Poll::Pending
        })
        .await;
    }
}
