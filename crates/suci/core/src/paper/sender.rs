//! Rules of the sender (section 3.1: S1 to S3).

use super::{Repairs, precedes};

/// Numbers of the packets that are not acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sender {
    /// The lowest.
    pub first: u32,
    /// The one after the highest (S1: consecutive for each receiver).
    pub next: u32,
}

impl Default for Sender {
    fn default() -> Self {
        Self { first: 1, next: 1 }
    }
}

/// Numbers from one up to but not including another, in serial order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first.
    pub from: u32,
    /// The one after the last.
    pub to: u32,
}

impl Span {
    /// Whether a number is one of them.
    pub fn contains(&self, number: u32) -> bool {
        number.wrapping_sub(self.from) < self.to.wrapping_sub(self.from)
    }
}

impl Sender {
    fn waits_for(&self, number: u32) -> bool {
        !precedes(number, self.first) && precedes(number, self.next)
    }
}

/// Packets that an Ack frees (S2); none if it is old, or of what was never sent.
pub fn ack(sender: Sender, number: u32, repairs: &Repairs) -> Option<Span> {
    let from = if repairs.cumulative { sender.first } else { number };
    sender.waits_for(number).then_some(Span { from, to: number.wrapping_add(1) })
}

/// Packets that a Nack has sent again (S3); none if they are freed, or were never sent (H15).
pub fn nack(sender: Sender, number: u32, repairs: &Repairs) -> Option<Span> {
    let to = if repairs.go_back { sender.next } else { number.wrapping_add(1) };
    sender.waits_for(number).then_some(Span { from: number, to })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_rules_concern_one_packet_repaired_ones_a_span() {
        let sender = Sender { first: 5, next: 9 };
        assert_eq!(ack(sender, 7, &Repairs::NONE), Some(Span { from: 7, to: 8 }));
        assert_eq!(ack(sender, 7, &Repairs::ALL), Some(Span { from: 5, to: 8 }));
        assert_eq!(nack(sender, 7, &Repairs::NONE), Some(Span { from: 7, to: 8 }));
        assert_eq!(nack(sender, 7, &Repairs::ALL), Some(Span { from: 7, to: 9 }));
    }

    #[test]
    fn answers_to_what_is_freed_or_was_never_sent_are_ignored() {
        let sender = Sender { first: u32::MAX, next: 2 };
        for number in [u32::MAX - 1, 2, 1 << 31] {
            assert_eq!(ack(sender, number, &Repairs::ALL), None);
            assert_eq!(nack(sender, number, &Repairs::ALL), None);
        }
        assert_eq!(ack(sender, 0, &Repairs::ALL), Some(Span { from: u32::MAX, to: 1 }));
    }
}
