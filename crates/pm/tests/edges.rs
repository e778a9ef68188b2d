//! Buffers, numbers and times of a node in software at their edges.

use std::collections::BTreeSet;

use pm::software::{Frame, Node, Settings};
use pm_protocol::{Kind, Rules};

use crate::CHANNEL;
use crate::frames::{T, arrives, frame, free, messages, node, offer, tick};

#[test]
fn acknowledgement_gives_as_many_buffers_back_as_it_names() {
    let settings = Settings::default();
    let count = usize::from(settings.send_buffers.min(settings.window)).min(8);
    for acked in 0..=count {
        let mut node = node(settings);
        offer(&mut node, count);
        assert_eq!(tick(&mut node, 1).len(), count);
        arrives(&mut node, 2, frame(1, Kind::Ack, acked as u32));
        assert_eq!(free(&mut node), usize::from(settings.send_buffers) - count + acked, "ACK {acked}");
        // The rest is sent again when its time is over, from the next message on.
        let left: Vec<_> = messages(acked as u32 + 1..=count as u32);
        assert_eq!(tick(&mut node, 2 + T), left, "ACK {acked}");
    }
}

#[test]
fn messages_that_are_held_lie_in_buffers_of_their_own() {
    let mut node = node(Settings { receive_buffers: 4, ..Settings::default() });
    let mut held = Vec::new();
    for number in 1..=40 {
        assert_eq!(arrives(&mut node, 1, frame(1, Kind::Message, number)), [(1, Kind::Ack, number)]);
        held.push(node.receive(CHANNEL).expect("it has come"));
        let slots: BTreeSet<_> = held.iter().map(|message| message.slot).collect();
        assert_eq!(slots.len(), held.len(), "message {number}");
        assert!(slots.iter().all(|slot| *slot < 4));
        if held.len() == 4 {
            // Not in the order in which they came.
            let message = held.swap_remove(number as usize % 4);
            node.put_receive_buffer(message, &mut Vec::new());
        }
    }
}

#[test]
fn node_awaits_an_answer_to_all_that_was_sent() {
    let mut node = node(Settings::default());
    assert!(!node.awaits());
    offer(&mut node, 2);
    assert!(!node.awaits(), "nothing has left");
    tick(&mut node, 1);
    assert!(node.awaits());
    // The gap takes the sender back to its first message, which was sent nevertheless.
    arrives(&mut node, 2, frame(1, Kind::Lose, 0));
    assert!(node.awaits());
    arrives(&mut node, 2, frame(1, Kind::Ack, 1));
    assert!(node.awaits());
    arrives(&mut node, 2, frame(1, Kind::Ack, 2));
    assert!(!node.awaits());
}

#[test]
fn printed_rules_count_a_message_when_it_is_stored() {
    for rules in [Rules::PRINTED, Rules::REPAIRED] {
        let mut node = node(Settings { rules, ..Settings::default() });
        for number in 1..=5 {
            let answer = arrives(&mut node, 1, frame(1, Kind::Message, number));
            assert_eq!(answer, [(1, Kind::Ack, number)], "{rules}");
        }
        assert_eq!(std::iter::from_fn(|| node.receive(CHANNEL)).count(), 5);
    }
}

#[test]
fn timer_runs_for_its_time_wherever_the_clock_stands() {
    for begin in [0, 1, (1 << 16) - 5, (1 << 31) - 5, (1 << 32) - T, (1 << 32) - 1, 1 << 32, (1 << 40) + 3] {
        let mut node = node(Settings::default());
        offer(&mut node, 2);
        assert_eq!(tick(&mut node, begin), messages(1..=2));
        assert_eq!(tick(&mut node, begin + T - 1), [], "from {begin}");
        assert_eq!(tick(&mut node, begin + T), messages(1..=2), "from {begin}");
    }
}

#[test]
fn all_send_buffers_may_be_held_and_one_more_is_refused() {
    for send_buffers in [1, 2, 20] {
        let mut node = node(Settings { send_buffers, ..Settings::default() });
        assert_eq!(free(&mut node), usize::from(send_buffers));
        // They were given up with the program's handles, and come back with a new session.
        assert_eq!(free(&mut node), 0);
        node.close(CHANNEL);
        node.open(CHANNEL, 1, 3).expect("it is closed");
        assert_eq!(free(&mut node), usize::from(send_buffers));
    }
}

/// The last receive buffer is used, and the message after it is stopped.
#[test]
fn receive_buffers_are_filled_to_the_last_one() {
    for receive_buffers in [1, 2, 7] {
        let mut node: Node = node(Settings { receive_buffers, ..Settings::default() });
        let last = u32::from(receive_buffers);
        let kinds: Vec<Kind> = (1..=last + 1)
            .map(|number| {
                let mut out: Vec<Frame> = Vec::new();
                node.arrive(frame(1, Kind::Message, number), 1, &mut out);
                out[0].kind
            })
            .collect();
        assert!(kinds[..receive_buffers.into()].iter().all(|kind| *kind == Kind::Ack));
        assert_eq!(kinds.last(), Some(&Kind::Stop));
    }
}
