use std::cell::RefCell;
use std::rc::Rc;

use cluster::Rates;
use pm::memory::{Cluster, Settings, Sight, StillRunning};
use pm::software::Frame;
use pm::{Endpoint, NodeId, software};
use pm_protocol::{Kind, Rules};

use crate::CHANNEL;
use crate::monitor::monitored;

/// Sends, and closes the channel at once, so that messages, copies and ACKs are in flight when the next session begins;
/// the tick is the barrier. Returns the number of right messages.
async fn closes_while_frames_fly(mut port: impl Endpoint, sessions: u16) -> u32 {
    let other = NodeId(1 - port.node().0);
    let mut right = 0;
    for session in 0..sessions {
        port.open(CHANNEL, session).await.expect("it was closed");
        for number in 0..10 {
            port.send(CHANNEL, other, &[session as u8, number]).await.expect("the other node is there");
        }
        for number in 0..5 {
            let message = port.next(CHANNEL).await;
            right += u32::from(*message == [session as u8, number]);
            port.put_receive_buffer(message).await;
        }
        port.close(CHANNEL).await;
        port.pause().await;
    }
    right
}

fn right(rules: Rules) -> Result<Vec<u32>, StillRunning> {
    // No frame is lost, so that both nodes close in the same tick.
    let faults = Rates { duplication: 300_000, ..Rates::default() };
    let node = software::Settings { rules, ..Default::default() };
    let cluster = monitored(2, Settings { node, faults, ..Settings::default() });
    let programs = [0, 1].map(|node| closes_while_frames_fly(cluster.port(NodeId(node)), 50));
    let right = cluster.run(100_000, programs);
    assert!(cluster.counters().repeated > 10);
    right
}

#[test]
fn frames_of_an_earlier_session_belong_to_nobody() {
    assert_eq!(right(Rules::REPAIRED), Ok(vec![250, 250]));
}

#[test]
fn without_epochs_sessions_mix() {
    assert_ne!(right(Rules::REPAIRED.without(&[11])), Ok(vec![250, 250]));
}

#[test]
fn channels_do_not_mix() {
    let cluster = monitored(2, Settings::default());
    let programs = [0, 1].map(|node| cluster.port(NodeId(node))).map(|mut port| async move {
        let channels = [0, 1, 2, 3].map(|number| pm::Channel::new(number).unwrap());
        for channel in channels {
            port.open(channel, 1).await.unwrap();
            port.send(channel, NodeId(1 - port.node().0), &[channel.number() as u8]).await.unwrap();
        }
        for channel in channels.into_iter().rev() {
            let message = port.next(channel).await;
            assert_eq!(*message, [channel.number() as u8]);
            port.put_receive_buffer(message).await;
        }
    });
    assert!(cluster.run(1000, programs).is_ok());
    assert_eq!(pm::Channel::new(4), None);
}

#[test]
fn observer_sees_each_frame_leave_and_arrive_with_its_tick() {
    let seen = Rc::new(RefCell::new(Vec::new()));
    let cluster = Cluster::new(2, Settings { latency: 10, ..Settings::default() });
    let frames = seen.clone();
    cluster.watch(move |now, sight, frame: &Frame| frames.borrow_mut().push((now, sight, frame.kind)));
    let programs = [0, 1].map(|node| cluster.port(NodeId(node))).map(|mut port| async move {
        port.open(CHANNEL, 1).await.unwrap();
        if port.node() == NodeId(0) {
            port.send(CHANNEL, NodeId(1), b"x").await.unwrap();
            for _ in 0..30 {
                port.pause().await;
            }
        } else {
            assert_eq!(*port.next(CHANNEL).await, *b"x");
        }
    });
    cluster.run(1_000, programs).unwrap();
    let expected = [
        (1, Sight::Leaves, Kind::Message),
        (11, Sight::Arrives, Kind::Message),
        (11, Sight::Leaves, Kind::Ack),
        (21, Sight::Arrives, Kind::Ack),
    ];
    assert_eq!(*seen.borrow(), expected);
}
