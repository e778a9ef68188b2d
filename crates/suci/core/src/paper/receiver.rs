//! Rules of the receiver (section 3.1: R1 to R4; the second rule printed as R4 is R5 here).

use super::{Repairs, precedes};

/// State of a receiver for one sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Receiver {
    /// Next sequence number in order.
    pub expected: u32,
    /// Whether a Nack has requested it, so that other packets are discarded until it arrives (R5).
    pub waiting: bool,
}

impl Default for Receiver {
    fn default() -> Self {
        Self { expected: 1, waiting: false }
    }
}

/// Decision on a received packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Keep the packet and acknowledge this number.
    Keep(u32),
    /// Discard the packet and acknowledge this number.
    Ack(u32),
    /// Discard the packet and request this number.
    Nack(u32),
    /// Discard the packet without an answer.
    Silent,
}

/// Handles a received packet; `room` tells whether there is memory for it.
pub fn packet(receiver: Receiver, number: u32, room: bool, repairs: &Repairs) -> (Receiver, Verdict) {
    let expected = receiver.expected;
    if precedes(number, expected) {
        // R3 acknowledges it, R5 discards it while the receiver waits for a packet: the rules contradict each
        // other (H6).
        let silent = receiver.waiting && !repairs.answer_old;
        let number = if repairs.cumulative { expected.wrapping_sub(1) } else { number };
        (receiver, if silent { Verdict::Silent } else { Verdict::Ack(number) })
    } else if number == expected && room {
        (Receiver { expected: expected.wrapping_add(1), waiting: false }, Verdict::Keep(number)) // R1
    } else if number == expected {
        (Receiver { waiting: true, ..receiver }, Verdict::Nack(number)) // R2
    } else if receiver.waiting {
        (receiver, Verdict::Silent) // R5
    } else {
        (Receiver { waiting: true, ..receiver }, Verdict::Nack(expected)) // R4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_works_as_printed() {
        let rules = Repairs::NONE;
        let normal = Receiver { expected: 5, waiting: false };
        let wait = Receiver { waiting: true, ..normal };
        let next = Receiver { expected: 6, waiting: false };
        assert_eq!(packet(normal, 5, true, &rules), (next, Verdict::Keep(5)), "R1");
        assert_eq!(packet(normal, 5, false, &rules), (wait, Verdict::Nack(5)), "R2");
        assert_eq!(packet(normal, 3, true, &rules), (normal, Verdict::Ack(3)), "R3");
        assert_eq!(packet(normal, 7, true, &rules), (wait, Verdict::Nack(5)), "R4");
        assert_eq!(packet(wait, 7, true, &rules), (wait, Verdict::Silent), "R5");
        assert_eq!(packet(wait, 3, true, &rules), (wait, Verdict::Silent), "R5 before R3");
        assert_eq!(packet(wait, 5, true, &rules), (next, Verdict::Keep(5)), "R5 ends");
    }

    #[test]
    fn old_packet_is_answered_cumulatively_when_repaired() {
        let wait = Receiver { expected: 5, waiting: true };
        assert_eq!(packet(wait, 3, true, &Repairs::ALL), (wait, Verdict::Ack(4)));
    }

    #[test]
    fn h14_packet_late_by_the_whole_range_counts_as_new() {
        let first = Receiver::default();
        // After a quarter of the number range the packet counts as old; after the whole range it is expected
        // again.
        let quarter = Receiver { expected: 1 << 30, ..first };
        assert_eq!(packet(quarter, 1, true, &Repairs::ALL).1, Verdict::Ack(quarter.expected - 1));
        let wrapped =
            Receiver { expected: first.expected.wrapping_add(1 << 31).wrapping_add(1 << 31), ..first };
        assert_eq!(packet(wrapped, 1, true, &Repairs::ALL).1, Verdict::Keep(1));
    }

    #[test]
    fn sequence_numbers_wrap_around() {
        let receiver = Receiver { expected: u32::MAX, waiting: false };
        let (receiver, verdict) = packet(receiver, u32::MAX, true, &Repairs::ALL);
        assert_eq!((receiver.expected, verdict), (0, Verdict::Keep(u32::MAX)));
        assert_eq!(packet(receiver, u32::MAX, true, &Repairs::ALL).1, Verdict::Ack(u32::MAX));
    }
}
