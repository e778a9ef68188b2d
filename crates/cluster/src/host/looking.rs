//! Loops of programs that wait for news: a processor looks, finds nothing, and looks again.

use std::future::poll_fn;
use std::task::Poll;

use super::cpu::Cpu;

/// A loop of a program that reads something again and again, and does nothing else until the answer is another one.
///
/// A node does not simulate turns of it one by one that are all alike: it leaves them out until something comes, and then goes on in the
/// turn that would be under way. What comes of a run is the same.
pub struct Looking {
    cpu: Cpu,
    turns: u32,
}

impl Looking {
    /// The loop begins.
    pub fn begin(cpu: &Cpu) -> Looking {
        Looking { cpu: cpu.clone(), turns: 0 }
    }

    /// A turn has found nothing. The next one reads the same, and ends here again if the answers are the same.
    pub async fn again(&mut self) {
        if !self.cpu.may_leap() {
            return;
        }
        self.turns = self.turns.saturating_add(1);
        let mut stood = false;
        poll_fn(|_| {
            if std::mem::replace(&mut stood, true) {
                return Poll::Ready(());
            }
            self.cpu.task.stand(self.turns);
            Poll::Pending
        })
        .await;
    }
}
