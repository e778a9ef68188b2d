//! The protocol of GigaE PM: go-back-N, with STOP and GO for full receive buffers (paper appendix).
//!
//! [`sender::apply`] and [`receiver::apply`] are pure functions. They take the state of a peer, a [`Control`]
//! structure, and one event; they return the next structure and the actions. The firmware of the NIC loads
//! and stores the structure around them, a model checker explores all their behaviour, and their twins in
//! `rtl/gigae_pm/protocol` are combinational blocks.
//!
//! ```
//! use pm_protocol::{Control, Kind, Rules, receiver, sender};
//!
//! let rules = Rules::REPAIRED;
//! let offer = sender::In { cause: sender::Cause::Offer.code(), offered: true, window: 8, rules, ..Default::default() };
//! let sent = sender::apply(&offer);
//! assert!(sent.send && sent.number == 1);
//!
//! let message = receiver::In { cause: receiver::Cause::Message.code(), number: 1, room: true, rules, ..Default::default() };
//! let received = receiver::apply(&message);
//! assert!(received.deliver && received.reply == Kind::Ack.code() && received.number == 1);
//!
//! let ack = sender::In { cause: sender::Cause::Ack.code(), number: 1, control: sent.control, ..offer };
//! let done = sender::apply(&ack);
//! assert_eq!((done.freed, done.control.acked), (1, 1));
//! ```
//!
//! Numbers have 32 bits and are compared as serial numbers ([`precedes`]), so they may wrap. The enabled
//! repairs are an input: the printed rules lose messages and deadlock (decision 0027), and [`Rules`] repairs
//! them one by one.

pub mod control;
pub mod frame;
pub mod header;
pub mod receiver;
pub mod rules;
pub mod sender;

pub use control::{Control, Receiving, Sending};
pub use frame::Kind;
pub use rules::Rules;

/// Whether a message number comes before another: serial-number comparison, right while they are less than 2^31
/// apart.
#[inline]
pub const fn precedes(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) < 0
}

#[cfg(test)]
mod tests {
    use super::{Kind, precedes, receiver, sender};

    #[test]
    fn causes_that_are_frames_have_the_codes_of_their_kinds() {
        use sender::Cause::*;
        for (cause, kind) in [(Ack, Kind::Ack), (Lose, Kind::Lose), (Stop, Kind::Stop), (Go, Kind::Go)] {
            assert_eq!(cause.code(), kind.code());
        }
        assert_eq!(receiver::Cause::Message.code(), Kind::Message.code());
    }

    #[test]
    fn numbers_keep_their_order_where_they_wrap() {
        assert!(precedes(1, 2) && !precedes(2, 2) && !precedes(2, 1));
        assert!(precedes(u32::MAX, 0) && precedes(u32::MAX - 5, 3) && !precedes(3, u32::MAX - 5));
    }
}
