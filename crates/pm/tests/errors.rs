use pm::memory::{Port, Settings};
use pm::{Endpoint, GetSendBufferError, NodeId, OpenError, SendError, software};

use crate::CHANNEL;
use crate::monitor::monitored;

fn alone<F: Future<Output = ()>>(settings: Settings, program: impl FnOnce(Port) -> F) {
    let cluster = monitored(2, settings);
    cluster.run(100_000, [program(cluster.port(NodeId(0)))]).expect("the program ends");
}

#[test]
fn closed_channel_refuses_all_calls() {
    alone(Settings::default(), |mut port| async move {
        assert_eq!(port.get_send_buffer(CHANNEL, 4).await, Err(GetSendBufferError::NotOpen));
        assert_eq!(port.receive(CHANNEL).await, None);
        port.open(CHANNEL, 1).await.unwrap();
        assert_eq!(port.open(CHANNEL, 2).await, Err(OpenError::IsOpen));
        let buffer = port.get_send_buffer(CHANNEL, 4).await.unwrap();
        port.close(CHANNEL).await;
        assert_eq!(port.send_message(buffer, NodeId(1)).await, Err(SendError::NotOpen));
    });
}

#[test]
fn message_is_at_most_one_frame() {
    alone(Settings::default(), |mut port| async move {
        port.open(CHANNEL, 1).await.unwrap();
        assert_eq!(port.most_bytes(), 1468);
        let error = port.get_send_buffer(CHANNEL, 1469).await.unwrap_err();
        assert_eq!(error, GetSendBufferError::TooLong { most: 1468 });
        let error = port.send(CHANNEL, NodeId(1), &[0; 1469]).await.unwrap_err();
        assert_eq!(error.to_string(), "a message has at most 1468 bytes");
    });
}

#[test]
fn buffers_run_out_and_come_back_when_a_message_is_refused() {
    alone(Settings::default(), |mut port| async move {
        port.open(CHANNEL, 1).await.unwrap();
        let mut buffers = Vec::new();
        for _ in 0..20 {
            buffers.push(port.get_send_buffer(CHANNEL, 1).await.unwrap());
        }
        assert_eq!(port.get_send_buffer(CHANNEL, 1).await, Err(GetSendBufferError::NoneFree));
        let refused = port.send_message(buffers.pop().unwrap(), NodeId(2)).await;
        assert_eq!(refused, Err(SendError::NoSuchNode(2)));
        assert!(port.get_send_buffer(CHANNEL, 1).await.is_ok());
    });
}

#[test]
fn node_that_never_answers_is_dead_and_holds_no_buffer() {
    // Node 1 never opens the channel.
    let node = software::Settings { limit: 5, ..Default::default() };
    alone(Settings { node, ..Settings::default() }, |mut port| async move {
        port.open(CHANNEL, 1).await.unwrap();
        let error = loop {
            match port.send(CHANNEL, NodeId(1), b"anybody?").await {
                Ok(()) => {}
                Err(error) => break error,
            }
        };
        assert_eq!(error, SendError::PeerDead(1));
        let mut buffers = 0;
        while let Ok(_buffer) = port.get_send_buffer(CHANNEL, 1).await {
            buffers += 1;
        }
        assert_eq!(buffers, 20);
    });
}

#[test]
fn node_that_has_no_room_for_long_is_not_dead() {
    let node = software::Settings { limit: 3, receive_buffers: 2, ..Default::default() };
    let cluster = monitored(2, Settings { node, ..Settings::default() });
    let programs = [0, 1].map(|node| cluster.port(NodeId(node))).map(|mut port| async move {
        port.open(CHANNEL, 1).await.unwrap();
        for number in 0..10 {
            if port.node() == NodeId(0) {
                port.send(CHANNEL, NodeId(1), &[number]).await.unwrap();
            } else {
                // Much longer than three timeouts.
                for _ in 0..1000 {
                    port.pause().await;
                }
                let message = port.next(CHANNEL).await;
                assert_eq!(*message, [number]);
                port.put_receive_buffer(message).await;
            }
        }
    });
    assert!(cluster.run(100_000, programs).is_ok());
}
