use std::collections::BTreeSet;

use hdl::{StateMachine, Stimulus};

use super::*;

/// Five messages sent, of which the first two are acknowledged; the third was sent at time 100.
fn sender_running() -> In {
    In {
        control: Control { sent: 5, acked: 2, highest: 5, stamp: 100, ..Control::open(7) },
        rules: Rules::REPAIRED,
        epoch: 7,
        window: 8,
        now: 105,
        timeout: 10,
        ..In::default()
    }
}

fn sender_stopped() -> In {
    let running = sender_running();
    In { control: Control { sending: Sending::Stopped, ..running.control }, ..running }
}

fn with(pins: In, cause: Cause, number: u32) -> Out {
    apply(&In { cause: cause.code(), number, ..pins })
}

#[test]
fn running_offer_sends_until_n_are_without_an_ack() {
    let mut pins = In { offered: true, cause: Cause::Offer.code(), ..sender_running() };
    for number in 6..=10 {
        let out = apply(&pins);
        assert!(out.send && out.number == number);
        pins.control = out.control;
    }
    assert!(!apply(&pins).send);
    // Printed, the window is one less.
    pins.rules = Rules::PRINTED;
    pins.control.sent = 8;
    assert!(apply(&pins).send);
    pins.control.sent = 9;
    assert!(!apply(&pins).send);
}

#[test]
fn running_offer_stamps_the_oldest_message_only() {
    let pins = In { offered: true, ..sender_running() };
    assert_eq!(with(pins, Cause::Offer, 0).control.stamp, 100);
    let rewound = In { control: Control { sent: 2, ..pins.control }, ..pins };
    let out = with(rewound, Cause::Offer, 0);
    assert_eq!((out.number, out.control.stamp), (3, 105));
}

#[test]
fn running_without_a_message_or_an_open_window_sends_nothing() {
    assert!(!with(sender_running(), Cause::Offer, 0).send);
    assert!(!with(In { offered: true, window: 2, ..sender_running() }, Cause::Offer, 0).send);
}

#[test]
fn running_timer_rewinds_when_t_has_passed() {
    let pins = sender_running();
    assert_eq!(with(pins, Cause::Timer, 0), Out { control: pins.control, number: 6, ..Out::default() });
    let out = with(In { now: 110, ..pins }, Cause::Timer, 0);
    assert_eq!((out.taken, out.control.sent, out.control.highest, out.control.stamp), (true, 2, 5, 110));
}

#[test]
fn running_timer_as_printed_skips_the_message_that_expired() {
    let pins = In { rules: Rules::PRINTED, now: 110, ..sender_running() };
    assert_eq!(with(pins, Cause::Timer, 3).control.sent, 3);
    // The timer of another message may even move forward.
    let rewound = In { control: Control { sent: 3, ..pins.control }, ..pins };
    assert_eq!(with(rewound, Cause::Timer, 5).control.sent, 5);
    // There is no timer for what is acknowledged or was never sent.
    assert!(!with(pins, Cause::Timer, 2).taken && !with(pins, Cause::Timer, 6).taken);
}

#[test]
fn running_ack_frees_up_to_k() {
    let out = with(sender_running(), Cause::Ack, 4);
    assert_eq!((out.freed, out.control.acked, out.control.stamp), (2, 4, 105));
    // The same again is taken and frees nothing; an older one and one beyond the window are ignored.
    assert_eq!(with(sender_running(), Cause::Ack, 2).freed, 0);
    assert!(with(sender_running(), Cause::Ack, 2).taken);
    assert!(!with(sender_running(), Cause::Ack, 1).taken);
    assert!(!with(sender_running(), Cause::Ack, 11).taken);
}

#[test]
fn control_frame_of_what_was_never_sent_is_dropped() {
    let trusts = In { rules: Rules::REPAIRED.without(&[18]), ..sender_running() };
    for (cause, highest) in [(Cause::Ack, 5), (Cause::Lose, 5), (Cause::Stop, 5), (Cause::Go, 6)] {
        assert!(with(sender_running(), cause, highest).taken, "{cause:?}");
        let out = with(sender_running(), cause, highest + 1);
        assert_eq!((out.taken, out.freed, out.control), (false, 0, sender_running().control), "{cause:?}");
        assert!(with(trusts, cause, highest + 1).taken, "{cause:?}");
    }
    // A rewind does not take back that a message was sent.
    let rewound = In { control: Control { sent: 2, ..sender_running().control }, ..sender_running() };
    assert!(with(rewound, Cause::Ack, 5).taken);
}

#[test]
fn running_ack_beyond_a_rewind_moves_sent_along() {
    let pins = sender_running();
    let rewound = In { control: Control { sent: 2, ..pins.control }, ..pins };
    assert_eq!(with(rewound, Cause::Ack, 4).control.sent, 4);
}

#[test]
fn running_lose_rewinds_once_until_an_ack_or_a_timeout() {
    let pins = sender_running();
    let out = with(pins, Cause::Lose, 2);
    assert_eq!((out.control.sent, out.control.rewound), (2, true));
    let sent_again = In { control: Control { sent: 5, ..out.control }, now: 200, ..pins };
    assert_eq!(with(sent_again, Cause::Lose, 2).control.sent, 5);
    assert!(!with(sent_again, Cause::Timer, 0).control.rewound);
    assert!(!with(sent_again, Cause::Ack, 3).control.rewound);
    assert_eq!(with(sent_again, Cause::Lose, 3).control.sent, 3);
}

#[test]
fn running_stop_keeps_the_message_that_was_discarded() {
    let out = with(sender_running(), Cause::Stop, 4);
    assert_eq!((out.freed, out.control.acked, out.control.sending), (1, 3, Sending::Stopped));
    let printed = In { rules: Rules::PRINTED, ..sender_running() };
    assert_eq!(with(printed, Cause::Stop, 4).control.acked, 4);
    assert!(!with(sender_running(), Cause::Stop, 2).taken);
}

#[test]
fn stopped_offer_sends_nothing() {
    assert!(!with(In { offered: true, ..sender_stopped() }, Cause::Offer, 0).send);
}

#[test]
fn stopped_timer_probes_with_the_oldest_message() {
    let out = with(In { now: 110, ..sender_stopped() }, Cause::Timer, 0);
    assert_eq!((out.send, out.number), (true, 3));
    assert_eq!((out.control.sending, out.control.sent, out.control.stamp), (Sending::Stopped, 5, 110));
    let resumes = Rules::REPAIRED.without(&[17]);
    let out = with(In { now: 110, rules: resumes, ..sender_stopped() }, Cause::Timer, 0);
    assert_eq!((out.send, out.control.sending, out.control.sent), (false, Sending::Running, 2));
    let silent = Rules::REPAIRED.without(&[4]);
    assert!(!with(In { now: 110, rules: silent, ..sender_stopped() }, Cause::Timer, 0).taken);
}

#[test]
fn stopped_go_ack_and_lose_start_again() {
    let out = with(sender_stopped(), Cause::Go, 4);
    assert_eq!((out.control.sending, out.control.sent, out.freed), (Sending::Running, 3, 0));
    for cause in [Cause::Ack, Cause::Lose] {
        assert_eq!(with(sender_stopped(), cause, 2).control.sending, Sending::Running);
        let strict = In { rules: Rules::REPAIRED.without(&[9]), ..sender_stopped() };
        assert_eq!(with(strict, cause, 2).control.sending, Sending::Stopped);
    }
}

#[test]
fn any_state_frame_of_another_session_is_dropped() {
    for cause in [Cause::Ack, Cause::Lose, Cause::Stop, Cause::Go] {
        for bit in 0..16 {
            let pins = In { epoch: 7 ^ 1 << bit, ..sender_running() };
            assert!(!with(pins, cause, 3).taken, "bit {bit}");
            assert_eq!(with(pins, cause, 3).control, pins.control);
            assert!(with(In { rules: pins.rules.without(&[11]), ..pins }, cause, 3).taken);
        }
    }
}

#[test]
fn peer_that_never_answers_is_reported_dead_once() {
    let mut pins = In { limit: 3, now: 110, offered: true, ..sender_running() };
    for expiry in 1..=3 {
        let out = with(pins, Cause::Timer, 0);
        assert_eq!((out.report_dead, out.control.expiries), (expiry == 3, expiry));
        pins.control = Control { sent: 5, ..out.control };
        pins.now += 10;
    }
    assert!(pins.control.dead);
    for cause in [Cause::Offer, Cause::Timer, Cause::Ack, Cause::Lose, Cause::Stop, Cause::Go] {
        assert_eq!(with(pins, cause, 3).control, pins.control);
    }
}

#[test]
fn peer_that_says_stop_is_alive() {
    let pins = In { limit: 3, now: 110, ..sender_running() };
    let waits = In { control: with(pins, Cause::Timer, 0).control, ..pins };
    assert_eq!(waits.control.expiries, 1);
    assert_eq!(with(waits, Cause::Stop, 3).control.expiries, 0);
}

#[test]
fn numbers_wrap_without_notice() {
    let shift = |pins: In, by: u32| {
        let c = pins.control;
        let control = Control {
            sent: c.sent.wrapping_add(by),
            acked: c.acked.wrapping_add(by),
            highest: c.highest.wrapping_add(by),
            ..c
        };
        In { control, number: pins.number.wrapping_add(by), ..pins }
    };
    for number in 0..12 {
        for cause in Cause::ALL {
            let near = In { cause: cause.code(), number, offered: true, ..sender_running() };
            let far = shift(near, u32::MAX - 3);
            let (near, far) = (apply(&near), apply(&far));
            assert_eq!(near.freed, far.freed);
            assert_eq!((near.send, near.taken), (far.send, far.taken));
            assert_eq!(near.control.sent.wrapping_add(u32::MAX - 3), far.control.sent);
            assert_eq!(near.control.acked.wrapping_add(u32::MAX - 3), far.control.acked);
        }
    }
}

#[test]
fn every_declared_arc_is_walked_and_no_other() {
    let mut stimulus = Stimulus::new(1);
    let mut walked = BTreeSet::new();
    for _ in 0..10_000 {
        let pins = if stimulus.one_in(2) { sender_running() } else { sender_stopped() };
        let rules = Rules::from_bits(stimulus.below(1 << Rules::COUNT) as u32);
        let cause = stimulus.below(8) as u8;
        let number = stimulus.below(12) as u32;
        let out = apply(&In { rules, cause, number, now: 110, ..pins });
        if out.control.sending != pins.control.sending {
            walked.insert((pins.control.sending as u64, out.control.sending as u64));
        }
    }
    assert_eq!(walked, Sending::TABLE.arcs().collect());
}
