//! The receiver half of a transport, for one sender.

use super::frame::{Answer, distance, following};

/// Verdict on a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The next frame in order.
    Next,
    /// A duplicate.
    Again,
    /// An earlier frame is missing.
    Early,
}

/// Frames from one port.
#[derive(Debug, Default)]
pub struct Receiver {
    /// Number of the next frame.
    expected: u32,
    /// The sender was told of the missing frame; it is told once.
    complained: bool,
    /// The answer that is due.
    answer: Option<Answer>,
}

impl Receiver {
    /// Verdict on a frame with this number.
    pub fn judge(&self, number: u32) -> Verdict {
        match distance(self.expected, number) {
            0 => Verdict::Next,
            1.. => Verdict::Early,
            _ => Verdict::Again,
        }
    }

    /// Handles the end of a frame with this verdict.
    pub fn end(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Next => {
                self.expected = following(self.expected);
                self.complained = false;
                self.answer = Some(Answer::Received(self.expected));
            }
            // The sender does not know that the frame has arrived; otherwise it would not send it again.
            Verdict::Again => self.answer = Some(Answer::Received(self.expected)),
            Verdict::Early if self.complained => {}
            Verdict::Early => {
                self.complained = true;
                self.answer = Some(Answer::Missing(self.expected));
            }
        }
    }

    /// Whether an answer is due.
    pub fn has_answer(&self) -> bool {
        self.answer.is_some()
    }

    /// Takes the answer that is due.
    pub fn take_answer(&mut self) -> Option<Answer> {
        self.answer.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes frames with these numbers; returns the accepted ones and the last answer.
    fn take(receiver: &mut Receiver, numbers: &[u32]) -> (Vec<u32>, Option<Answer>) {
        let mut next = Vec::new();
        for &number in numbers {
            let verdict = receiver.judge(number);
            receiver.end(verdict);
            next.extend((verdict == Verdict::Next).then_some(number));
        }
        (next, receiver.take_answer())
    }

    #[test]
    fn each_frame_is_next_once_and_in_order() {
        let mut receiver = Receiver::default();
        assert_eq!(take(&mut receiver, &[0, 1, 1, 0]), (vec![0, 1], Some(Answer::Received(2))));
        assert_eq!(take(&mut receiver, &[4, 5]), (vec![], Some(Answer::Missing(2))));
        assert_eq!(take(&mut receiver, &[6]), (vec![], None), "the sender was told");
        assert_eq!(take(&mut receiver, &[2, 3, 4]), (vec![2, 3, 4], Some(Answer::Received(5))));
        assert_eq!(take(&mut receiver, &[7]), (vec![], Some(Answer::Missing(5))), "a new gap");
    }
}
