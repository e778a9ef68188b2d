//! Receiver: one rule of the receiver, applied to the control structure of a peer (paper appendix,
//! rules R-OK, R-FULL, R-GAP, R-GO).
//!
//! The receive buffer belongs to the channel, so whether messages are discarded is state of the
//! channel and an input next to the structure of the peer. When there is room again, `Room` is
//! applied to every peer of the channel.
//!
//! Combinational: outputs depend on inputs of the same cycle. The state is in the control
//! structure, which lies in NIC memory, and in the channel.

use hdl::{Bundle, Item, Package};

use super::control::{Control, Receiving};
use super::frame::Kind;
use super::precedes;
use super::rules::Rules;

hdl::codes! {
    /// Event of a receiver.
    pub enum Cause in receiver_pkg, width 3 {
        /// No event.
        Nothing = 0,
        /// Msg(s, r, i) arrives.
        Message = 1,
        /// The message delivered last is in host memory.
        Stored = 6,
        /// The host freed enough of the receive buffer.
        Room = 7,
    }
}

hdl::bundle! {
    /// Input pins of the Receiver.
    pub struct In in receiver_pkg {
        /// Control structure of the peer.
        control: Control,
        /// Repairs of the printed rules.
        rules: Rules,
        /// Event, a `Cause`.
        cause: u8 : 3,
        /// Number i of the message.
        number: u32,
        /// Session that the message names.
        epoch: u16,
        /// The receive buffer of the channel has room for a message.
        room: bool,
        /// State of the channel.
        receiving: Receiving,
    }
}

hdl::bundle! {
    /// Output pins of the Receiver.
    pub struct Out in receiver_pkg {
        /// Control structure of the peer after the event.
        control: Control,
        /// State of the channel after the event.
        receiving: Receiving,
        /// Transfers the message to the host; any other is dropped.
        deliver: bool,
        /// Kind of the control frame to send to the peer, or none.
        reply: u8 : 3,
        /// Number k of the control frame.
        number: u32,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/protocol/receiver_pkg",
    source: file!(),
    items: &[Item::Codes(Cause::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// Output pins for the input pins of the same cycle.
#[inline]
pub fn apply(pins: &In) -> Out {
    let q = &pins.control;
    let next = q.received.wrapping_add(1);
    let open = pins.receiving == Receiving::Open;
    let current = !(pins.rules.epochs && pins.epoch != q.epoch);
    let in_order = pins.number == next;
    let old = precedes(pins.number, next);

    let mut d = *q;
    let mut out = Out { receiving: pins.receiving, ..Out::default() };
    match Cause::from_code(pins.cause) {
        Some(Cause::Message) if current => {
            if old {
                // A retransmission, because the ACK was lost or late.
                if pins.rules.answer_old {
                    out.reply = Kind::Ack.code();
                    out.number = q.received;
                }
            } else if open && in_order && pins.room {
                out.deliver = true;
                out.reply = Kind::Ack.code();
                out.number = next;
                if pins.rules.count_at_once {
                    d.received = next;
                }
            } else if open && in_order {
                out.receiving = Receiving::Discard;
                out.reply = Kind::Stop.code();
                out.number = next;
                d.owed = true;
            } else if open {
                out.reply = Kind::Lose.code();
                out.number = q.received;
            } else if in_order && pins.rules.stop_each_sender {
                // Another sender may have filled the buffer; a probe needs an answer nevertheless.
                out.reply = Kind::Stop.code();
                out.number = next;
                d.owed = q.owed || pins.rules.go_to_each_sender;
            }
        }
        // R-OK (3), where it is a separate step.
        Some(Cause::Stored) => {
            if !pins.rules.count_at_once {
                d.received = next;
            }
        }
        // R-GO
        Some(Cause::Room) => {
            out.receiving = Receiving::Open;
            if q.owed {
                out.reply = Kind::Go.code();
                out.number = next;
                d.owed = false;
            }
        }
        Some(Cause::Message | Cause::Nothing) | None => {}
    }
    out.control = d;
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use hdl::{StateMachine, Stimulus};

    use super::*;

    /// A receiver with two messages received and room for more.
    fn receiver_open() -> In {
        In {
            control: Control { received: 2, ..Control::open(7) },
            rules: Rules::REPAIRED,
            epoch: 7,
            room: true,
            ..In::default()
        }
    }

    fn receiver_discard() -> In {
        let open = receiver_open();
        let control = Control { owed: true, ..open.control };
        In { control, receiving: Receiving::Discard, room: false, ..open }
    }

    fn with(pins: In, cause: Cause, number: u32) -> Out {
        apply(&In { cause: cause.code(), number, ..pins })
    }

    fn reply(out: &Out) -> (Option<Kind>, u32) {
        (Kind::from_code(out.reply), out.number)
    }

    #[test]
    fn open_next_message_is_delivered_counted_and_acknowledged() {
        let out = with(receiver_open(), Cause::Message, 3);
        assert!(out.deliver);
        assert_eq!((out.control.received, reply(&out)), (3, (Some(Kind::Ack), 3)));
        // The end of the transfer does not count again.
        let stored = with(In { control: out.control, ..receiver_open() }, Cause::Stored, 0);
        assert_eq!(stored.control.received, 3);
    }

    #[test]
    fn open_next_message_as_printed_is_counted_when_it_is_stored() {
        let pins = In { rules: Rules::PRINTED, ..receiver_open() };
        let out = with(pins, Cause::Message, 3);
        assert_eq!((out.deliver, out.control.received, reply(&out)), (true, 2, (Some(Kind::Ack), 3)));
        assert_eq!(with(pins, Cause::Stored, 0).control.received, 3);
    }

    #[test]
    fn open_next_message_without_room_is_stopped() {
        let out = with(In { room: false, ..receiver_open() }, Cause::Message, 3);
        assert_eq!(
            (out.deliver, out.receiving, reply(&out)),
            (false, Receiving::Discard, (Some(Kind::Stop), 3))
        );
        assert!(out.control.owed);
        assert_eq!(out.control.received, 2);
    }

    #[test]
    fn open_message_after_a_gap_is_dropped_and_the_last_one_named() {
        let out = with(receiver_open(), Cause::Message, 5);
        assert_eq!((out.deliver, reply(&out)), (false, (Some(Kind::Lose), 2)));
        assert_eq!(out.control, receiver_open().control);
    }

    #[test]
    fn any_state_old_message_is_acknowledged_again() {
        for pins in [receiver_open(), receiver_discard()] {
            let out = with(pins, Cause::Message, 1);
            assert_eq!((out.deliver, reply(&out)), (false, (Some(Kind::Ack), 2)));
            let printed = In { rules: Rules::PRINTED, ..pins };
            assert_eq!(reply(&with(printed, Cause::Message, 1)), (Some(Kind::Nothing), 0));
        }
    }

    #[test]
    fn discard_next_message_is_stopped_again_and_others_are_dropped() {
        let out = with(receiver_discard(), Cause::Message, 3);
        assert_eq!((out.deliver, reply(&out)), (false, (Some(Kind::Stop), 3)));
        assert_eq!(reply(&with(receiver_discard(), Cause::Message, 4)), (Some(Kind::Nothing), 0));
        let printed = In { rules: Rules::PRINTED, ..receiver_discard() };
        assert_eq!(reply(&with(printed, Cause::Message, 3)), (Some(Kind::Nothing), 0));
    }

    #[test]
    fn discard_message_of_another_sender_owes_it_a_go() {
        let pins = In { control: Control::open(7), ..receiver_discard() };
        assert!(with(pins, Cause::Message, 1).control.owed);
        let forgets = In { rules: Rules::REPAIRED.without(&[14]), ..pins };
        let out = with(forgets, Cause::Message, 1);
        assert_eq!((out.control.owed, reply(&out)), (false, (Some(Kind::Stop), 1)));
    }

    #[test]
    fn discard_room_opens_and_sends_go_to_whom_it_is_owed() {
        let out = with(receiver_discard(), Cause::Room, 0);
        assert_eq!((out.receiving, reply(&out)), (Receiving::Open, (Some(Kind::Go), 3)));
        assert!(!out.control.owed);
        // The second peer of the channel, which is open by now.
        let second = In { receiving: Receiving::Open, ..receiver_discard() };
        assert_eq!(reply(&with(second, Cause::Room, 0)), (Some(Kind::Go), 3));
        assert_eq!(reply(&with(receiver_open(), Cause::Room, 0)), (Some(Kind::Nothing), 0));
    }

    #[test]
    fn any_state_message_of_another_session_is_dropped() {
        for pins in [receiver_open(), receiver_discard()] {
            for (bit, number) in (0..16).flat_map(|bit| (1..5).map(move |number| (bit, number))) {
                let pins = In { epoch: 7 ^ 1 << bit, ..pins };
                let out = with(pins, Cause::Message, number);
                assert_eq!(out, Out { control: pins.control, receiving: pins.receiving, ..Out::default() });
            }
        }
    }

    #[test]
    fn number_after_the_last_is_the_next_one() {
        let pins = In { control: Control { received: u32::MAX, ..Control::open(7) }, ..receiver_open() };
        let out = with(pins, Cause::Message, 0);
        assert_eq!((out.deliver, out.control.received), (true, 0));
        assert_eq!(reply(&with(pins, Cause::Message, 1)), (Some(Kind::Lose), u32::MAX));
    }

    #[test]
    fn every_declared_arc_is_walked_and_no_other() {
        let mut stimulus = Stimulus::new(1);
        let mut walked = BTreeSet::new();
        for _ in 0..10_000 {
            let pins = if stimulus.one_in(2) { receiver_open() } else { receiver_discard() };
            let rules = Rules::from_bits(stimulus.below(1 << Rules::COUNT) as u32);
            let (cause, number) = (stimulus.below(8) as u8, stimulus.below(6) as u32);
            let out = apply(&In { rules, cause, number, room: stimulus.one_in(2), ..pins });
            if out.receiving != pins.receiving {
                walked.insert((pins.receiving as u64, out.receiving as u64));
            }
        }
        assert_eq!(walked, Receiving::TABLE.arcs().collect());
    }
}
