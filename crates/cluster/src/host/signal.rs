//! How programs wait for each other, and for interrupt handlers.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use super::cpu::{Cpu, Task, Waiting};

/// Something that one program does and others wait for. It takes no time; who goes on pays for what that costs.
#[derive(Default)]
pub struct Signal {
    raised: Cell<u64>,
    waiting: RefCell<Vec<Rc<Task>>>,
}

impl Signal {
    /// Lets all programs go on that wait.
    pub fn raise(&self, cpu: &Cpu) {
        self.raised.set(self.raised.get() + 1);
        for task in self.waiting.take() {
            task.wake_at(cpu.now());
        }
    }

    /// Waits until the signal is raised the next time. `what` is what the program waits for, in the words of a report.
    ///
    /// What the signal tells of is to be looked at before each wait, so that nothing is missed.
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
