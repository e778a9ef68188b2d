use super::*;

fn channel() -> Channel {
    Channel::new(0).expect("there is a channel")
}

/// Node 0 of three with an open channel.
fn node(settings: Settings) -> Node {
    let mut node = Node::new(NodeId(0), settings);
    node.open(channel(), 1, 3).unwrap();
    node
}

fn frame(from: u16, kind: Kind, number: u32) -> Frame {
    let bytes = Rc::from(&b"data"[..]);
    Frame { channel: channel(), from: NodeId(from), to: NodeId(0), kind, number, epoch: 1, bytes }
}

/// Kinds, numbers and receivers of the frames that a node sends when one arrives.
fn answers(node: &mut Node, frame: Frame) -> Vec<(Kind, u32, u16)> {
    let mut out = Vec::new();
    node.arrive(frame, 0, &mut out);
    out.iter().map(|frame| (frame.kind, frame.number, frame.to.0)).collect()
}

fn send(node: &mut Node, to: u16) {
    let buffer = node.get_send_buffer(channel(), 4).unwrap();
    node.send_message(buffer, NodeId(to)).unwrap();
}

fn ticks(node: &mut Node, now: u64) -> Vec<(Kind, u32, u16)> {
    let mut out = Vec::new();
    node.tick(now, &mut out);
    out.iter().map(|frame| (frame.kind, frame.number, frame.to.0)).collect()
}

#[test]
fn enough_room_is_a_window_or_a_quarter_and_at_least_one_buffer() {
    for (window, receive_buffers, enough) in [(16, 21, 5), (3, 21, 3), (16, 3, 1), (0, 21, 1), (5, 20, 5)] {
        let settings = Settings { window, receive_buffers, ..Settings::default() };
        assert_eq!(settings.enough_room(), enough);
    }
}

#[test]
fn node_awaits_acknowledgements_of_any_peer_on_any_channel() {
    let mut node = node(Settings::default());
    node.open(Channel::new(1).unwrap(), 1, 3).unwrap();
    send(&mut node, 2);
    assert!(!node.awaits(), "nothing is sent before the tick");
    assert_eq!(ticks(&mut node, 1), [(Kind::Message, 1, 2)]);
    assert!(node.awaits());
    assert_eq!(ticks(&mut node, 2), []);
    assert_eq!(answers(&mut node, frame(2, Kind::Ack, 1)), []);
    assert!(!node.awaits());
}

#[test]
fn acknowledged_messages_free_their_buffers() {
    let mut node = node(Settings { window: 2, send_buffers: 4, ..Settings::default() });
    (0..4).for_each(|_| send(&mut node, 1));
    assert_eq!(node.get_send_buffer(channel(), 1), Err(GetSendBufferError::NoneFree));
    assert_eq!(ticks(&mut node, 1), [(Kind::Message, 1, 1), (Kind::Message, 2, 1)]);
    answers(&mut node, frame(1, Kind::Ack, 1));
    assert_eq!(ticks(&mut node, 2), [(Kind::Message, 3, 1)]);
    assert!(node.get_send_buffer(channel(), 1).is_ok());
    assert_eq!(node.get_send_buffer(channel(), 1), Err(GetSendBufferError::NoneFree), "one is free");
}

#[test]
fn refused_message_returns_its_buffer() {
    let settings = Settings { send_buffers: 1, limit: 1, timeout: 10, ..Settings::default() };
    let mut node = node(settings);
    for _ in 0..3 {
        let buffer = node.get_send_buffer(channel(), settings.most_bytes).unwrap();
        assert_eq!(node.send_message(buffer, NodeId(3)), Err(SendError::NoSuchNode(3)));
    }
    send(&mut node, 1);
    // Nothing answers: the node is dead and its message is given up.
    (0..10).for_each(|count| drop(ticks(&mut node, 100 * count)));
    for _ in 0..3 {
        let buffer = node.get_send_buffer(channel(), 4).expect("the buffer is free");
        assert_eq!(node.send_message(buffer, NodeId(1)), Err(SendError::PeerDead(1)));
    }
    send(&mut node, 2);
}
