use std::rc::Rc;

use pm::NodeId;
use pm::software::{Frame, Node, Settings};
use pm_protocol::Kind;

use crate::CHANNEL;

const SESSION: u16 = 0x5aa5;
pub const T: u64 = 80;

/// Node 0 of three, with an open channel.
pub fn node(settings: Settings) -> Node {
    let mut node = Node::new(NodeId(0), settings);
    node.open(CHANNEL, SESSION, 3).unwrap();
    node
}

pub fn frame(from: u16, kind: Kind, number: u32) -> Frame {
    let bytes = if kind == Kind::Message { Rc::from(&b"x"[..]) } else { Rc::default() };
    Frame { channel: CHANNEL, from: NodeId(from), to: NodeId(0), kind, number, epoch: SESSION, bytes }
}

/// Receiver, kind and number of the answers to a frame.
pub fn arrives(node: &mut Node, now: u64, frame: Frame) -> Vec<(u16, Kind, u32)> {
    let mut out = Vec::new();
    node.arrive(frame, now, &mut out);
    list(&out)
}

pub fn tick(node: &mut Node, now: u64) -> Vec<(u16, Kind, u32)> {
    let mut out = Vec::new();
    node.tick(now, &mut out);
    list(&out)
}

fn list(frames: &[Frame]) -> Vec<(u16, Kind, u32)> {
    assert!(
        frames.iter().all(|frame| (frame.epoch, frame.from, frame.channel) == (SESSION, NodeId(0), CHANNEL))
    );
    frames.iter().map(|frame| (frame.to.0, frame.kind, frame.number)).collect()
}

pub fn offer(node: &mut Node, count: usize) {
    for _ in 0..count {
        let buffer = node.get_send_buffer(CHANNEL, 1).unwrap();
        node.send_message(buffer, NodeId(1)).unwrap();
    }
}

/// Send buffers that are free.
pub fn free(node: &mut Node) -> usize {
    std::iter::from_fn(|| node.get_send_buffer(CHANNEL, 1).ok()).count()
}

pub fn messages(numbers: impl IntoIterator<Item = u32>) -> Vec<(u16, Kind, u32)> {
    numbers.into_iter().map(|number| (1, Kind::Message, number)).collect()
}

#[test]
fn frame_of_another_session_or_of_no_node_changes_nothing() {
    for kind in [Kind::Message, Kind::Ack, Kind::Lose, Kind::Stop, Kind::Go] {
        let mut node = node(Settings::default());
        offer(&mut node, 2);
        assert_eq!(tick(&mut node, 1), messages(1..=2));
        for bit in 0..16 {
            let foreign = Frame { epoch: SESSION ^ 1 << bit, ..frame(1, kind, 1) };
            assert_eq!(arrives(&mut node, 2, foreign), [], "{kind:?}, bit {bit}");
        }
        for from in [3, 4, u16::MAX] {
            assert_eq!(arrives(&mut node, 2, frame(from, kind, 1)), [], "{kind:?} of node {from}");
        }
        assert_eq!(node.receive(CHANNEL), None);
        assert_eq!(tick(&mut node, T), [], "{kind:?}");
        assert_eq!(
            tick(&mut node, T + 1),
            messages(1..=2),
            "{kind:?}: nothing was acknowledged or asked for"
        );
        assert_eq!(free(&mut node), 18);
    }
}

#[test]
fn control_frames_count_from_their_peer_alone() {
    for kind in [Kind::Ack, Kind::Lose, Kind::Stop, Kind::Go] {
        let mut node = node(Settings::default());
        offer(&mut node, 2);
        tick(&mut node, 1);
        assert_eq!(arrives(&mut node, 2, frame(2, kind, 1)), []);
        assert_eq!((tick(&mut node, T), tick(&mut node, T + 1)), (vec![], messages(1..=2)), "{kind:?}");
    }
}

#[test]
fn progress_restarts_the_timer() {
    let mut node = node(Settings::default());
    offer(&mut node, 3);
    assert_eq!(tick(&mut node, 1), messages(1..=3));
    arrives(&mut node, 50, frame(1, Kind::Ack, 1));
    assert_eq!(tick(&mut node, 50 + T - 1), [], "T after the acknowledgement, not after the message");
    assert_eq!(tick(&mut node, 50 + T), messages(2..=3));
    // An ACK that says nothing new is no progress.
    arrives(&mut node, 150, frame(1, Kind::Ack, 1));
    assert_eq!(tick(&mut node, 50 + 2 * T), messages(2..=3));
}

#[test]
fn dead_peer_had_as_many_expiries_in_a_row_as_the_limit() {
    let settings = Settings { limit: 3, ..Settings::default() };
    let mut node = node(settings);
    offer(&mut node, 2);
    let mut now = 1;
    assert_eq!(tick(&mut node, now).len(), 2);
    let mut expiries = |node: &mut Node, count: usize| {
        for _ in 0..count {
            now += T;
            assert_eq!(tick(node, now).len(), 2, "the peer is asked again");
        }
        now
    };
    let now = expiries(&mut node, 2);
    // It lives, although it acknowledges nothing new.
    arrives(&mut node, now, frame(1, Kind::Ack, 0));
    let now = expiries(&mut node, 2);
    assert_eq!(free(&mut node), 18);
    assert_eq!(tick(&mut node, now + T), []);
    let refused = |node: &mut Node| {
        let buffer = node.get_send_buffer(CHANNEL, 1).unwrap();
        node.send_message(buffer, NodeId(1)).is_err()
    };
    assert!((0..60).all(|_| refused(&mut node)), "a refused message gives its buffer back");
    // Nothing that it says now counts.
    arrives(&mut node, now + T, frame(1, Kind::Ack, 1));
    assert_eq!(tick(&mut node, now + 9 * T), []);
}

#[test]
fn stopped_sender_asks_by_timer_after_a_rewind_too() {
    let mut node = node(Settings::default());
    offer(&mut node, 3);
    assert_eq!(tick(&mut node, 1), messages(1..=3));
    // The gap rewinds to the beginning; before anything is sent again the first message finds no room.
    arrives(&mut node, 5, frame(1, Kind::Lose, 0));
    arrives(&mut node, 5, frame(1, Kind::Stop, 1));
    assert_eq!(tick(&mut node, T), []);
    assert_eq!(tick(&mut node, T + 1), messages([1]), "one message asks");
    assert_eq!(tick(&mut node, 2 * T), []);
    assert_eq!(tick(&mut node, 2 * T + 1), messages([1]));
    arrives(&mut node, 2 * T + 2, frame(1, Kind::Go, 1));
    assert_eq!(tick(&mut node, 2 * T + 2), messages(1..=3));
}

#[test]
fn window_is_exactly_full() {
    let mut node = node(Settings { window: 4, ..Settings::default() });
    offer(&mut node, 6);
    assert_eq!(tick(&mut node, 1), messages(1..=4));
    for beyond in [5, 6, 1 << 31, u32::MAX] {
        arrives(&mut node, 2, frame(1, Kind::Ack, beyond));
        assert_eq!(tick(&mut node, 2), [], "ACK {beyond} of a message that was not sent");
    }
    // Each number within the window counts.
    for acked in 1..=4 {
        let mut node = self::node(Settings { window: 4, ..Settings::default() });
        offer(&mut node, 8);
        tick(&mut node, 1);
        arrives(&mut node, 2, frame(1, Kind::Ack, acked));
        assert_eq!(tick(&mut node, 2), messages(5..=4 + acked), "ACK {acked}");
    }
}

#[test]
fn go_comes_with_enough_room_to_all_that_were_stopped() {
    let mut node = node(Settings { receive_buffers: 8, ..Settings::default() });
    // A quarter of eight buffers has to be free.
    for number in 1..=8 {
        assert_eq!(arrives(&mut node, 1, frame(1, Kind::Message, number)), [(1, Kind::Ack, number)]);
    }
    assert_eq!(arrives(&mut node, 2, frame(1, Kind::Message, 9)), [(1, Kind::Stop, 9)]);
    assert_eq!(arrives(&mut node, 2, frame(2, Kind::Message, 1)), [(2, Kind::Stop, 1)]);
    assert_eq!(arrives(&mut node, 2, frame(2, Kind::Message, 2)), [], "later ones are dropped");
    let put = |node: &mut Node| {
        let message = node.receive(CHANNEL).unwrap();
        let mut out = Vec::new();
        node.put_receive_buffer(message, &mut out);
        list(&out)
    };
    assert_eq!(put(&mut node), [], "one buffer is not enough");
    assert_eq!(put(&mut node), [(1, Kind::Go, 9), (2, Kind::Go, 1)]);
    assert_eq!(put(&mut node), [], "GO comes once");
}

#[test]
fn channel_that_is_opened_again_knows_nothing_of_before() {
    let mut node = node(Settings::default());
    offer(&mut node, 3);
    tick(&mut node, 1);
    assert_eq!(arrives(&mut node, 2, frame(1, Kind::Message, 1)), [(1, Kind::Ack, 1)]);
    node.close(CHANNEL);
    assert_eq!(arrives(&mut node, 3, frame(1, Kind::Message, 2)), [], "it is closed");
    node.open(CHANNEL, SESSION ^ 1, 3).unwrap();
    assert_eq!(free(&mut node), 20);
    assert_eq!((node.receive(CHANNEL), node.awaits()), (None, false));
    // Old traffic that is still in flight.
    for (kind, number) in
        [(Kind::Message, 1), (Kind::Message, 2), (Kind::Ack, 3), (Kind::Go, 1), (Kind::Lose, 0)]
    {
        assert_eq!(arrives(&mut node, 4, frame(1, kind, number)), [], "{kind:?}");
    }
    let mut out = Vec::new();
    node.arrive(Frame { epoch: SESSION ^ 1, ..frame(1, Kind::Message, 1) }, 5, &mut out);
    assert_eq!((out.len(), out[0].kind, out[0].number, out[0].epoch), (1, Kind::Ack, 1, SESSION ^ 1));
}
