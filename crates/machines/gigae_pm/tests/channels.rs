use cluster::Duration;
use gigae_pm::registers::Register;
use gigae_pm_machine::Settings;
use pm::programs::{Wrong, message, ping, pong, source};
use pm::{Channel, Endpoint, NodeId, OpenError, SendError};

use super::{CHANNEL, cable, switched};

const LIMIT: Duration = Duration::from_us(50_000);

#[test]
fn channels_of_two_programs_on_one_host_do_not_mix() {
    let mut cluster = cable(&Settings::default());
    let mut ends = Vec::new();
    for number in 0..4 {
        let channel = Channel::new(number).unwrap();
        let size = 10 + 100 * usize::from(number);
        for node in [0, 1] {
            ends.push(cluster.spawn(node, "program", move |mut port| async move {
                port.open(channel, number.into()).await.expect("the channel is free");
                if node == 0 {
                    ping(&mut port, channel, NodeId(1), size, 20, |_| ()).await
                } else {
                    pong(&mut port, channel, NodeId(0), size, 20).await
                }
            }));
        }
    }
    cluster.run(LIMIT).expect("all programs end");
    assert!(ends.iter().all(|end| end.take() == Some(Ok(()))));
}

#[test]
fn three_nodes_send_to_one_that_is_slow_and_stops_them() {
    let mut cluster = switched(4, &Settings::default());
    const COUNT: u32 = 40;
    let senders: Vec<_> = (1..4)
        .map(|node| {
            cluster.spawn(node, "sender", |mut port| async move {
                port.open(CHANNEL, 1).await.expect("the channel is free");
                source(&mut port, CHANNEL, NodeId(0), COUNT, |_| 200).await
            })
        })
        .collect();
    let slow = cluster.spawn(0, "slow", |mut port| async move {
        port.open(CHANNEL, 1).await.expect("the channel is free");
        let mut next = [0; 4];
        for _ in 0..3 * COUNT {
            port.host().processor().compute(Duration::from_us(60)).await;
            let got = port.next(CHANNEL).await;
            let number = &mut next[usize::from(got.sender.0)];
            assert_eq!(*got, message(got.sender, *number, 200)[..]);
            *number += 1;
            port.put_receive_buffer(got).await;
        }
        (next, port.driver().register(port.host(), Register::Discarded).await)
    });
    cluster.run(LIMIT).expect("all programs end");
    assert!(senders.iter().all(|sender| sender.take() == Some(Ok(()))));
    let (next, discarded) = slow.take().unwrap();
    assert_eq!(next, [0, COUNT, COUNT, COUNT]);
    assert!(discarded > 0, "the ring was full");
}

#[test]
fn buffers_are_returned_in_any_order_and_held_ones_are_kept() {
    let mut cluster = cable(&Settings::default());
    const COUNT: u32 = 64;
    let sender = cluster.spawn(0, "sender", |mut port| async move {
        port.open(CHANNEL, 1).await.expect("the channel is free");
        source(&mut port, CHANNEL, NodeId(1), COUNT, |_| 40).await
    });
    let receiver = cluster.spawn(1, "receiver", |mut port| async move {
        port.open(CHANNEL, 1).await.expect("the channel is free");
        for number in (0..COUNT).step_by(16) {
            let mut held = Vec::new();
            for i in 0..16 {
                let got = port.next(CHANNEL).await;
                assert_eq!(*got, message(NodeId(0), number + i, 40)[..]);
                held.push(got);
            }
            for _ in 0..50 {
                assert!(port.receive(CHANNEL).await.is_none(), "all slots are held");
                port.pause().await;
            }
            // Odd ones first, then even ones from the last on.
            for message in held.extract_if(.., |message| message.slot % 2 == 1).collect::<Vec<_>>() {
                port.put_receive_buffer(message).await;
            }
            while let Some(message) = held.pop() {
                port.put_receive_buffer(message).await;
            }
        }
    });
    cluster.run(LIMIT).expect("both programs end");
    assert_eq!((sender.take(), receiver.take()), (Some(Ok(())), Some(())));
}

#[test]
fn channel_opens_again_when_the_card_has_stopped() {
    let mut cluster = cable(&Settings::default());
    let other = Channel::new(1).unwrap();
    let program = cluster.spawn(0, "program", move |mut port| async move {
        port.open(CHANNEL, 1).await.unwrap();
        assert_eq!(port.open(CHANNEL, 2).await, Err(OpenError::IsOpen));
        port.open(other, 1).await.unwrap();
        port.close(CHANNEL).await;
        assert_eq!(port.open(CHANNEL, 2).await, Err(OpenError::IsOpen), "the card still works for the other");
        port.close(other).await;
        port.open(CHANNEL, 2).await.unwrap();
        assert_eq!(port.send(CHANNEL, NodeId(1), &[]).await, Err(SendError::Empty));
        assert_eq!(port.send(CHANNEL, NodeId(1), &[0; 1469]).await, Err(SendError::TooLong { most: 1468 }));
        Ok::<(), Wrong>(())
    });
    cluster.run(LIMIT).expect("the program ends");
    assert_eq!(program.take(), Some(Ok(())));
}
