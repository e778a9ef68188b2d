//! How programs wait for each other, and for interrupt handlers.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use super::program::{Cpu, Host, Waiting};

/// Something that one program does and others wait for. It takes no time; who goes on pays for what that costs.
#[derive(Default)]
pub struct Signal {
    raised: Cell<u64>,
    waiting: RefCell<Vec<Rc<Cpu>>>,
}

impl Signal {
    /// Lets all programs go on that wait.
    pub fn raise(&self, host: &Host) {
        self.raised.set(self.raised.get() + 1);
        for cpu in self.waiting.take() {
            cpu.wake_at(host.now());
        }
    }

    /// Waits until the signal is raised the next time. `what` is what the program waits for, in the words of a report.
    ///
    /// What the signal tells of is to be looked at before each wait, so that nothing is missed.
    pub async fn wait(&self, host: &Host, what: &'static str) {
        let before = self.raised.get();
        poll_fn(|_| {
            if self.raised.get() != before {
                return Poll::Ready(());
            }
            host.wait_for(Waiting::Signal(what));
            let mut waiting = self.waiting.borrow_mut();
            if !waiting.iter().any(|cpu| Rc::ptr_eq(cpu, &host.cpu)) {
                waiting.push(host.cpu.clone());
            }
            Poll::Pending
        })
        .await;
    }
}
