//! Simulation ahead of a program that polls an empty completion queue.
//!
//! A doorbell takes some microseconds to the adapter ([`Host::doorbell_lead`](hca_machine::Host::doorbell_lead)). So
//! what a program does now changes nothing for its adapter for so long, and the simulation can go on for this time
//! without the program. It then tells the program until when no completion arrives, and the library answers the polls
//! until then by itself. A doorbell of the program in this time is given to the adapter with its own time. So each poll
//! takes the time of one look and sees what it would see, without a call for each.

use cluster::{Duration, Time, Waiting};
use hca::registers::Doorbell;

use super::Reply;
use super::adapter::Adapter;
use super::completion_queue::CompletionQueue;
use crate::verbs::call::Answer;

/// Virtual time for which a program spins in one call at most (our choice).
const LONGEST_SPIN: Duration = Duration::from_us(1_000);
/// Time without a word from the adapter after which a program that spins looks at what was written (our choice: more than
/// between two packets of a message).
const WORDS_APART: Duration = Duration::from_ns(500);

impl Adapter {
    /// Virtual time of the program.
    pub fn program_time(&self) -> Time {
        self.host().processor().now().saturating_sub(self.ahead)
    }

    /// Sets the virtual time of the program, which has computed or slept. The simulation catches up with it.
    pub async fn advance_to(&mut self, time: Time) {
        let now = self.host().processor().now();
        if time > now {
            self.rest_until(time, Waiting::Computing).await;
            // The connection manager may have taken longer, which the program waits for.
            return self.forget_ahead();
        }
        self.ahead = now - time;
    }

    /// The program computes for this long in a call.
    pub(super) async fn spend(&mut self, duration: Duration) {
        self.advance_to(self.program_time() + duration).await;
    }

    /// The program rings a doorbell.
    pub(super) async fn ring(&mut self, doorbell: Doorbell, queue: u8, count: u16) {
        self.host().ring_ago(self.ahead, doorbell, queue, count);
        self.spend(self.host().costs().write).await;
    }

    /// The program goes on at the time of the simulation: it makes a call that the adapter notices at once.
    pub(super) fn forget_ahead(&mut self) {
        self.ahead = Duration::ZERO;
    }

    /// The answer to a look at an empty queue. After a second one in a row, the simulation goes ahead of the program.
    pub(super) async fn find_empty(&mut self) -> Answer {
        let look = self.host().costs().turn;
        self.spend(look).await;
        if self.polls_again {
            self.go_ahead().await;
        }
        self.has_found_empty = true;
        Answer::Empty { look_ps: look.ps(), until_ps: self.host().processor().now().ps() }
    }

    /// Simulates until a completion is there, or the program's next doorbell could reach the adapter.
    async fn go_ahead(&mut self) {
        let end = self.program_time() + self.host().doorbell_lead();
        self.unseen_from = self.queue_numbers().map(|queue| self.end(queue).ok()).collect();
        // A completion that the program has not taken is in another queue, whose next look finds it.
        let is_empty = |(queue, count): (&Option<CompletionQueue>, &Option<u16>)| {
            queue.as_ref().map(|queue| queue.consumed) == *count
                && queue.as_ref().is_none_or(|queue| queue.own.is_empty() && !queue.is_broken)
        };
        if !self.completion_queues.iter().zip(&self.unseen_from).all(is_empty) {
            return;
        }
        let turn = self.host().costs().turn;
        while self.host().processor().now() + turn <= end && !self.has_news() {
            self.host().compute(turn).await;
            self.ahead = self.ahead + turn;
        }
    }

    /// The program spins on memory. It sees what the adapter has written once no word follows for some time.
    pub(super) async fn wait_for_memory(&mut self) -> Reply {
        let (turn, begin) = (self.host().costs().turn, self.program_time());
        let (mut writes, mut last) = (self.host().window_writes(), None);
        while self.host().processor().now() - begin < LONGEST_SPIN
            && last.is_none_or(|last| self.host().processor().now() - last < WORDS_APART)
        {
            self.host().compute(turn).await;
            self.handle_interrupt().await;
            self.serve_connections().await;
            if self.host().window_writes() != writes {
                (writes, last) = (self.host().window_writes(), Some(self.host().processor().now()));
            }
        }
        let seen = last.unwrap_or(self.host().processor().now());
        self.advance_to(seen + self.host().costs().line).await;
        Ok(Answer::Done)
    }

    /// Whether the program may see something that was not there when the simulation went ahead: a completion, bytes in its
    /// memory, or the work of an interrupt.
    fn has_news(&mut self) -> bool {
        if self.host().is_interrupted() || self.host().has_written_windows() {
            return true;
        }
        self.queue_numbers().any(|queue| {
            let count = self.unseen_from[usize::from(queue)];
            count.is_some_and(|count| self.is_valid(queue, count).unwrap_or(false))
        })
    }

    /// Count of the first completion of a queue that is not there at the time of the program; none if there is no such
    /// queue.
    pub(super) fn first_unseen(&mut self, queue: u8) -> Option<u16> {
        match self.ahead {
            Duration::ZERO => self.end(queue).ok(),
            _ => self.unseen_from.get(usize::from(queue)).copied().flatten(),
        }
    }
}
