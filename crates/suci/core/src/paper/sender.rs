//! Rules of the sender (section 3.1: S1 to S3).

use super::{Repairs, precedes};

/// Range of unacknowledged packet numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sender {
    /// Lowest unacknowledged number.
    pub first: u32,
    /// Next number to use (S1: consecutive for each receiver).
    pub next: u32,
}

impl Default for Sender {
    fn default() -> Self {
        Self { first: 1, next: 1 }
    }
}

/// A half-open range in serial number arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// First number.
    pub from: u32,
    /// Number after the last.
    pub to: u32,
}

impl Span {
    /// Whether the range contains a number.
    pub fn contains(&self, number: u32) -> bool {
        number.wrapping_sub(self.from) < self.to.wrapping_sub(self.from)
    }
}

impl Sender {
    fn waits_for(&self, number: u32) -> bool {
        !precedes(number, self.first) && precedes(number, self.next)
    }
}

/// Packets freed by an Ack (S2); `None` for an old Ack or an unsent packet.
pub fn ack(sender: Sender, number: u32, repairs: &Repairs) -> Option<Span> {
    let from = if repairs.cumulative { sender.first } else { number };
    sender.waits_for(number).then_some(Span { from, to: number.wrapping_add(1) })
}

/// Packets that a Nack requests again (S3); `None` if they are freed or were never sent (H15).
pub fn nack(sender: Sender, number: u32, repairs: &Repairs) -> Option<Span> {
    let to = if repairs.go_back { sender.next } else { number.wrapping_add(1) };
    sender.waits_for(number).then_some(Span { from: number, to })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_rules_concern_a_packet_and_repaired_ones_a_range() {
        let sender = Sender { first: 5, next: 9 };
        assert_eq!(ack(sender, 7, &Repairs::NONE), Some(Span { from: 7, to: 8 }));
        assert_eq!(ack(sender, 7, &Repairs::ALL), Some(Span { from: 5, to: 8 }));
        assert_eq!(nack(sender, 7, &Repairs::NONE), Some(Span { from: 7, to: 8 }));
        assert_eq!(nack(sender, 7, &Repairs::ALL), Some(Span { from: 7, to: 9 }));
    }

    #[test]
    fn answers_to_freed_and_unsent_packets_are_ignored() {
        let sender = Sender { first: u32::MAX, next: 2 };
        for number in [u32::MAX - 1, 2, 1 << 31] {
            assert_eq!(ack(sender, number, &Repairs::ALL), None);
            assert_eq!(nack(sender, number, &Repairs::ALL), None);
        }
        assert_eq!(ack(sender, 0, &Repairs::ALL), Some(Span { from: u32::MAX, to: 1 }));
    }
}
