//! Polling loops: a processor reads, finds nothing new, and reads again.

use std::future::poll_fn;
use std::task::Poll;

use super::cpu::{Cpu, Turn};

/// A loop that repeats the same reads, and does nothing else, until an answer changes.
///
/// A node does not simulate identical iterations one by one: it skips them until an event arrives, and
/// continues in the iteration that is then in progress. The result of the run is the same.
pub struct Looking {
    cpu: Cpu,
    turn: Turn,
}

impl Looking {
    /// Starts a loop.
    pub fn begin(cpu: &Cpu) -> Looking {
        Looking { cpu: cpu.clone(), turn: Turn { number: 0, in_memory: false } }
    }

    /// Starts a loop that reads memory of the host and registers of the device alone: no pin, as an interrupt.
    /// Where it reads no register, it may be skipped while the device works.
    pub fn begin_in_memory(cpu: &Cpu) -> Looking {
        Looking { cpu: cpu.clone(), turn: Turn { number: 0, in_memory: true } }
    }

    /// Ends an iteration that found nothing new. The next one performs the same reads, and ends here again if
    /// the answers are the same.
    pub async fn again(&mut self) {
        if !self.cpu.may_leap() {
            return;
        }
        self.turn.number = self.turn.number.saturating_add(1);
        let mut stood = false;
        poll_fn(|_| {
            if std::mem::replace(&mut stood, true) {
                return Poll::Ready(());
            }
            self.cpu.task.stand(self.turn);
            Poll::Pending
        })
        .await;
    }
}
