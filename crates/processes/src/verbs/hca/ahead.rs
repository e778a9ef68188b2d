//! Simulation ahead of a program that polls an empty completion queue.
//!
//! A doorbell takes some microseconds to the adapter ([`Host::doorbell_lead`](hca_machine::Host::doorbell_lead)). So
//! what a program does now changes nothing for its adapter for so long, and the simulation can go on for this time
//! without the program. It then tells the program until when no completion arrives, and the library answers the polls
//! until then by itself. A doorbell of the program in this time is given to the adapter with its own time. So each poll
//! takes the time of one look and sees what it would see, without a call for each.

use cluster::{Duration, Time};
use hca::contexts::CQS;
use hca::registers::Doorbell;

use super::adapter::Adapter;
use super::completion_queue::CompletionQueue;
use crate::verbs::call::Answer;

impl Adapter {
    /// Virtual time of the program.
    pub fn program_time(&self) -> Time {
        self.host().processor().now().saturating_sub(self.ahead)
    }

    /// Sets the virtual time of the program, which has computed or slept. The simulation catches up with it.
    pub async fn advance_to(&mut self, time: Time) {
        let now = self.host().processor().now();
        if time > now {
            self.host().compute(time - now).await;
        }
        self.ahead = self.host().processor().now() - time;
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
        self.unseen_from = std::array::from_fn(|queue| self.first_invalid(queue as u8));
        // A completion that the program has not taken is in another queue, whose next look finds it.
        let is_empty = |(queue, count): (&Option<CompletionQueue>, &Option<u16>)| {
            queue.as_ref().map(|queue| queue.consumed) == *count
        };
        if !self.completion_queues.iter().zip(&self.unseen_from).all(is_empty) {
            return;
        }
        let turn = self.host().costs().turn;
        while self.host().processor().now() + turn <= end && !self.has_new_completion() {
            self.host().compute(turn).await;
            self.ahead = self.ahead + turn;
        }
    }

    /// Whether a queue has a completion that was not there when the simulation went ahead.
    fn has_new_completion(&mut self) -> bool {
        (0..CQS as u8).any(|queue| {
            let count = self.unseen_from[usize::from(queue)];
            count.is_some_and(|count| self.is_valid(queue, count).unwrap_or(false))
        })
    }

    /// Count of the first completion of a queue that the adapter has not written; none if there is no such queue.
    pub(super) fn first_invalid(&mut self, queue: u8) -> Option<u16> {
        let mut count = self.completion_queue(queue).ok()?.consumed;
        while self.is_valid(queue, count).ok()? {
            count = count.wrapping_add(1);
        }
        Some(count)
    }

    /// As [`Self::first_invalid`], at the time of the program.
    pub(super) fn first_unseen(&mut self, queue: u8) -> Option<u16> {
        match self.ahead {
            Duration::ZERO => self.first_invalid(queue),
            _ => self.unseen_from[usize::from(queue)],
        }
    }
}
