//! Polling loops: a processor reads, finds nothing new, and reads again.

use std::future::poll_fn;
use std::task::Poll;

use super::cpu::Cpu;

/// A loop that repeats the same reads, and does nothing else, until an answer changes.
///
/// A node does not simulate identical iterations one by one: it skips them until an event arrives, and
/// continues in the iteration that is then in progress. The result of the run is the same. Iterations may read
/// registers of the device, memory of the host and its interrupt pin, and nothing else that changes.
pub struct Looking {
    cpu: Cpu,
    /// The present iteration; the first is number 1.
    turn: u32,
}

impl Looking {
    /// Starts a loop.
    pub fn begin(cpu: &Cpu) -> Looking {
        Looking { cpu: cpu.clone(), turn: 0 }
    }

    /// Ends an iteration that found nothing new. The next one performs the same reads, and ends here again if
    /// the answers are the same.
    pub async fn again(&mut self) {
        if !self.cpu.may_leap() {
            return;
        }
        self.turn = self.turn.saturating_add(1);
        let mut stood = false;
        poll_fn(|_| {
            if std::mem::replace(&mut stood, true) {
                return Poll::Ready(());
            }
            self.cpu.task.stand(self.turn, self.cpu.now());
            Poll::Pending
        })
        .await;
    }
}
