//! The sender half of a transport, for one receiver.

use std::collections::VecDeque;

use dimmnet2::line::Line;

use super::frame::{Answer, distance, following};
use cluster::{Duration, Time};

/// First timeout of an answer: InfiniBand's local acknowledge timeout is 4.096 us times a power of two; this is sixteen
/// times 4.096 us, over three times the time of a full switch input (decision 0031).
pub const TIMEOUT: Duration = Duration::from_ns(16 * 4096);

/// Most doublings of the timeout.
const DOUBLINGS: u32 = 4;

/// Unacknowledged frames to one port, in the order of their numbers.
#[derive(Debug, Default)]
pub struct Sender {
    /// Number of the next frame.
    next: u32,
    held: VecDeque<Vec<Line>>,
    /// Index of the next retransmission.
    again: Option<usize>,
    /// Instant of the timeout.
    expiry: Option<Time>,
    /// Timeouts since the last answer with news.
    timeouts: u32,
}

impl Sender {
    /// Number of the next frame.
    pub fn number(&self) -> u32 {
        self.next
    }

    /// Number of unacknowledged frames.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// Timeouts since the last answer with news.
    pub fn timeouts(&self) -> u32 {
        self.timeouts
    }

    /// Instant of the timeout, unless a retransmission is under way.
    pub fn expiry(&self) -> Option<Time> {
        self.expiry.filter(|_| self.again.is_none())
    }

    /// Holds a frame that has left at `now`.
    pub fn hold(&mut self, now: Time, frame: Vec<Line>) {
        self.next = following(self.next);
        self.held.push_back(frame);
        self.expiry.get_or_insert(now + TIMEOUT);
    }

    /// Handles an answer.
    pub fn answer(&mut self, now: Time, answer: Answer) {
        let (Answer::Received(expected) | Answer::Missing(expected)) = answer;
        let first = self.next.wrapping_sub(self.held.len() as u32);
        let received = distance(first, expected);
        // The answer is older than the last one, or acknowledges a frame that was never sent.
        if received < 0 || received > self.held.len() as i32 {
            return;
        }
        let received = received as usize;
        self.held.drain(..received);
        self.again = match answer {
            Answer::Missing(_) if !self.held.is_empty() => Some(0),
            _ => self.again.and_then(|index| index.checked_sub(received)).filter(|i| *i < self.held.len()),
        };
        if received > 0 || self.again == Some(0) {
            self.timeouts = 0;
            self.expiry = Some(now + TIMEOUT).filter(|_| !self.held.is_empty());
        }
    }

    /// Begins a retransmission from the oldest frame if its timeout has passed; returns whether it has.
    pub fn expire(&mut self, now: Time) -> bool {
        let expired = self.expiry().is_some_and(|expiry| expiry <= now);
        if expired {
            self.timeouts = self.timeouts.saturating_add(1);
            self.again = Some(0);
            self.expiry = None;
        }
        expired
    }

    /// Whether a retransmission is under way.
    pub fn resends(&self) -> bool {
        self.again.is_some()
    }

    /// The next frame to retransmit; the last of them will have left at `end`.
    pub fn resend(&mut self, end: Time) -> Option<&[Line]> {
        let index = self.again?;
        self.again = Some(index + 1).filter(|next| *next < self.held.len());
        if self.again.is_none() {
            self.expiry = Some(end + TIMEOUT * (1 << self.timeouts.min(DOUBLINGS)));
        }
        Some(&self.held[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time::ZERO;

    /// A sender that has sent frames 0 to `count` - 1, each one line that holds its number.
    fn sender(count: u64) -> Sender {
        let mut sender = Sender::default();
        for data in 0..count {
            sender.hold(NOW, vec![Line { id: 1, data }]);
        }
        sender
    }

    fn resent(sender: &mut Sender) -> Vec<u64> {
        std::iter::from_fn(|| sender.resend(NOW).map(|frame| frame[0].data)).collect()
    }

    #[test]
    fn answer_frees_what_came() {
        let mut sender = sender(5);
        sender.answer(NOW, Answer::Received(3));
        assert_eq!((sender.held(), sender.number(), sender.resends()), (2, 5, false));
        sender.answer(NOW, Answer::Received(5));
        assert_eq!((sender.held(), sender.expiry()), (0, None));
    }

    #[test]
    fn missing_frame_is_sent_again_with_all_that_follow() {
        let mut sender = sender(5);
        sender.answer(NOW, Answer::Missing(2));
        assert_eq!(resent(&mut sender), [2, 3, 4]);
    }

    #[test]
    fn silence_sends_everything_again_and_waits_longer_each_time() {
        let mut sender = sender(2);
        let mut waits = Vec::new();
        for _ in 0..7 {
            let expiry = sender.expiry().unwrap();
            waits.push((expiry - NOW).ps() / TIMEOUT.ps());
            assert!(!sender.expire(NOW));
            assert!(sender.expire(expiry));
            assert_eq!(resent(&mut sender), [0, 1]);
        }
        assert_eq!((waits, sender.timeouts()), (vec![1, 2, 4, 8, 16, 16, 16], 7));
        sender.answer(NOW, Answer::Received(1));
        assert_eq!((sender.timeouts(), sender.expiry()), (0, Some(NOW + TIMEOUT)));
    }

    #[test]
    fn answers_out_of_bounds_change_nothing() {
        let mut sender = sender(3);
        sender.answer(NOW, Answer::Received(2));
        sender.answer(NOW, Answer::Received(1));
        sender.answer(NOW, Answer::Missing(4));
        assert_eq!((sender.held(), sender.resends()), (1, false));
    }

    #[test]
    fn answer_amid_resending_goes_on_behind_it() {
        let mut sender = sender(4);
        sender.answer(NOW, Answer::Missing(0));
        sender.resend(NOW);
        sender.answer(NOW, Answer::Received(1));
        assert_eq!(resent(&mut sender), [1, 2, 3]);
        sender.answer(NOW, Answer::Missing(1));
        sender.resend(NOW);
        sender.answer(NOW, Answer::Received(4));
        assert!(!sender.resends());
    }
}
