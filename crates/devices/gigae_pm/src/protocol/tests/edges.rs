//! Rules and headers at their edges: both sides of each comparison, each bit of each field.

use pm_protocol::header::{self, Frame, Identity, header_bytes, mac_address, read_header};
use pm_protocol::{Control, Kind, Receiving, Rules, Sending, receiver, sender};

/// A sender with messages up to `sent` in flight.
fn sending(acked: u32, sent: u32, window: u16, rules: Rules) -> sender::In {
    let control = Control { sent, acked, highest: sent, stamp: 100, ..Control::open(7) };
    sender::In { control, rules, epoch: 7, window, now: 105, timeout: 10, ..sender::In::default() }
}

fn with(pins: sender::In, kind: Kind, number: u32) -> sender::Out {
    sender::apply(&sender::In { cause: kind.code(), number, ..pins })
}

#[test]
fn each_number_of_the_window_counts_and_none_beside_it() {
    for (acked, window) in [(0, 1), (10, 2), (u32::MAX - 1, 4), (1 << 31, 16)] {
        for wide in [true, false] {
            let rules = if wide { Rules::REPAIRED } else { Rules { wide_bounds: false, ..Rules::REPAIRED } };
            // As many are in flight as may be, and none for numbers that were never sent.
            let pins = sending(acked, acked.wrapping_add(window), window as u16, rules);
            for distance in -2..=i64::from(window) + 2 {
                let number = acked.wrapping_add(distance as u32);
                let below = distance < i64::from(window) || wide && distance == i64::from(window);
                let at = format!("{distance} of {window}, wide {wide}");
                for kind in [Kind::Ack, Kind::Lose] {
                    assert_eq!(with(pins, kind, number).taken, distance >= 0 && below, "{kind:?} {at}");
                }
                assert_eq!(with(pins, Kind::Stop, number).taken, distance > 0 && below, "STOP {at}");
                assert_eq!(with(pins, Kind::Go, number).taken, distance >= 0 && below, "GO {at}");
                // An ACK frees what it names, and no more.
                let freed = with(pins, Kind::Ack, number).freed;
                assert_eq!(i64::from(freed), if below { distance.max(0) } else { 0 }, "ACK {at}");
            }
        }
    }
}

#[test]
fn numbers_count_up_to_the_highest_that_was_sent() {
    // Three of eight are in flight; GO may name the one after them.
    let pins = sending(10, 13, 8, Rules::REPAIRED);
    for (kind, last) in [(Kind::Ack, 13), (Kind::Lose, 13), (Kind::Stop, 13), (Kind::Go, 14)] {
        for number in 11..=18 {
            assert_eq!(with(pins, kind, number).taken, number <= last, "{kind:?} {number}");
        }
    }
    // A rewind does not make them unsent.
    let rewound = with(pins, Kind::Lose, 10).control;
    assert_eq!((rewound.sent, rewound.highest), (10, 13));
    assert!(with(sender::In { control: rewound, ..pins }, Kind::Ack, 13).taken);
    assert!(!with(sender::In { control: rewound, ..pins }, Kind::Ack, 14).taken);
}

#[test]
fn timer_expires_at_its_time_for_the_oldest_message() {
    let timer = |pins: sender::In, since: u32| {
        let now = pins.control.stamp.wrapping_add(since);
        let cause = sender::Cause::Timer.code();
        sender::apply(&sender::In { cause, number: pins.control.acked.wrapping_add(1), now, ..pins })
    };
    for stamp in [0, 100, u32::MAX - 4, u32::MAX] {
        let mut pins = sending(2, 5, 8, Rules::REPAIRED);
        pins.control.stamp = stamp;
        for (since, expires) in [(0, false), (9, false), (10, true), (11, true)] {
            let out = timer(pins, since);
            assert_eq!(out.control.sent, if expires { 2 } else { 5 }, "{since} after {stamp}");
            // Without a limit nothing is counted.
            assert_eq!((out.control.expiries, out.report_dead), (0, false));
        }
        // Nothing is outstanding.
        pins.control.acked = 5;
        assert_eq!(timer(pins, 10).control, pins.control);
    }
    // The expiry that reaches the limit reports the peer, and sends nothing more.
    for limit in [1, 2, 255] {
        for before in [0, limit - 1] {
            for sending_state in [Sending::Running, Sending::Stopped] {
                let mut pins = sender::In { limit, ..sending(2, 5, 8, Rules::REPAIRED) };
                (pins.control.expiries, pins.control.sending) = (before, sending_state);
                let (out, dies) = (timer(pins, 10), before + 1 >= limit);
                assert_eq!((out.report_dead, out.control.dead), (dies, dies), "{before} of {limit}");
                assert_eq!(out.control.expiries, before + 1);
                if dies {
                    assert_eq!((out.send, out.control.sent), (false, 5));
                    assert_eq!(out.control.sending, sending_state);
                }
            }
        }
    }
    // The count does not wrap.
    let mut pins = sender::In { limit: 255, ..sending(2, 5, 8, Rules::REPAIRED) };
    pins.control.expiries = 255;
    let out = timer(pins, 10);
    assert_eq!((out.report_dead, out.control.expiries), (true, 255));
}

/// A receiver that has received two messages.
fn receiving(state: Receiving, owed: bool, room: bool) -> receiver::In {
    let control = Control { received: 2, owed, ..Control::open(7) };
    receiver::In {
        control,
        rules: Rules::REPAIRED,
        epoch: 7,
        room,
        receiving: state,
        ..receiver::In::default()
    }
}

fn message(pins: receiver::In, number: u32) -> receiver::Out {
    receiver::apply(&receiver::In { cause: receiver::Cause::Message.code(), number, ..pins })
}

#[test]
fn nothing_is_delivered_while_messages_are_discarded() {
    // Another sender's message may have been taken since, so there is room, and GO is still to come.
    for (owed, room) in [(false, false), (false, true), (true, false), (true, true)] {
        for (number, reply) in [(2, Kind::Ack), (3, Kind::Stop), (4, Kind::Nothing)] {
            let out = message(receiving(Receiving::Discard, owed, room), number);
            assert!(!out.deliver && out.receiving == Receiving::Discard, "{number}");
            assert_eq!(Kind::from_code(out.reply), Some(reply), "{number}");
            assert_eq!(out.control.received, 2);
            assert_eq!(out.control.owed, owed || number == 3, "{number}");
        }
    }
}

#[test]
fn go_that_is_owed_stays_owed_until_it_is_sent() {
    for rules in [Rules::REPAIRED, Rules::REPAIRED.without(&[14])] {
        let pins = receiver::In { rules, ..receiving(Receiving::Discard, true, false) };
        for number in [1, 2, 3, 4] {
            assert!(message(pins, number).control.owed, "{number}");
        }
        let cause = receiver::Cause::Room.code();
        let out = receiver::apply(&receiver::In { cause, ..pins });
        assert_eq!((Kind::from_code(out.reply), out.number, out.control.owed), (Some(Kind::Go), 3, false));
    }
}

#[test]
fn each_bit_of_a_header_is_sent_and_read() {
    let own = |node| Identity { mac_prefix: header::MAC_PREFIX, ether_type: header::ETHER_TYPE, node };
    let all = |width: u32| std::iter::once(0).chain((0..width).map(|bit| 1u32 << bit));
    let frame = |kind: Kind| Frame { kind: kind.code(), ..Frame::default() };
    let mut frames = Vec::new();
    for kind in [Kind::Message, Kind::Ack, Kind::Lose, Kind::Stop, Kind::Go] {
        frames.extend(all(11).map(|size| Frame { size: size as u16, ..frame(kind) }));
        frames.extend(all(2).map(|channel| Frame { channel: channel as u8, ..frame(kind) }));
        frames.extend(all(10).map(|node| Frame { node: node as u16, ..frame(kind) }));
        frames.extend(all(32).map(|number| Frame { number, ..frame(kind) }));
        frames.extend(all(16).map(|epoch| Frame { epoch: epoch as u16, ..frame(kind) }));
    }
    for node in all(10).map(|node| node as u16) {
        for frame in &frames {
            let bytes = header_bytes(&own(node), frame);
            assert_eq!(read_header(&bytes, header::ETHER_TYPE), Some((node, *frame)));
            assert_eq!(bytes[..6], mac_address(header::MAC_PREFIX, frame.node));
            assert_eq!(bytes[6..12], mac_address(header::MAC_PREFIX, node));
            assert_eq!(bytes[14] >> 4, header::VERSION);
        }
    }
    // The number of a node is sent with its high byte first, behind the prefix with its low byte first.
    assert_eq!(mac_address(0x5047_0002, 0x0123), [0x02, 0x00, 0x47, 0x50, 0x01, 0x23]);
    // Each bit of the type counts.
    let bytes = header_bytes(&own(3), &frame(Kind::Ack));
    assert!((0..16).all(|bit| read_header(&bytes, header::ETHER_TYPE ^ 1 << bit).is_none()));
}
