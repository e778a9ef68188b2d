use cluster::Duration;
use cluster::Rates;
use gigae_pm_machine::Settings;
use pm::programs::{Wrong, message, sink, source};
use pm::{Endpoint, NodeId, SendError};

use super::{CHANNEL, cable, switched};

/// Frequent faults need a short T, or the test takes long.
fn impatient() -> Settings {
    Settings { timeout: Duration::from_us(300), ..Settings::default() }
}

/// Sends streams both ways at once; returns frames sent and faults.
fn stream(faults: Rates, seed: u64) -> (u64, u64) {
    let mut cluster = cable(&impatient());
    cluster.set_faults(faults, seed);
    const COUNT: u32 = 200;
    let size = |number: u32| 1 + number as usize * 97 % 1468;
    let ends = [0, 1].map(|node| {
        cluster.spawn(node, "program", move |mut port| async move {
            port.open(CHANNEL, 1).await.expect("the channel is free");
            let other = NodeId(1 - node as u16);
            if node == 0 {
                source(&mut port, CHANNEL, other, COUNT, size).await?;
                sink(&mut port, CHANNEL, other, COUNT, size, |_| ()).await
            } else {
                sink(&mut port, CHANNEL, other, COUNT, size, |_| ()).await?;
                source(&mut port, CHANNEL, other, COUNT, size).await
            }
        })
    });
    cluster.run(Duration::from_us(1_000_000)).expect("both programs end");
    for end in ends {
        assert_eq!(end.take(), Some(Ok(())));
    }
    let counters = (0..2).map(|node| cluster.link_from(node).faults().counters());
    counters.fold((0, 0), |(frames, struck), link| (frames + link.frames, struck + link.struck()))
}

#[test]
fn messages_arrive_once_and_in_order_though_a_hundredth_is_lost() {
    let (frames, lost) = stream(Rates { loss: 10_000, ..Rates::default() }, 1);
    assert!(frames > 800 && lost > 2, "{lost} of {frames}");
}

#[test]
fn messages_arrive_once_and_in_order_though_a_tenth_is_lost() {
    let (frames, lost) = stream(Rates { loss: 100_000, ..Rates::default() }, 2);
    assert!(lost > 60, "{lost} of {frames}");
}

#[test]
fn messages_arrive_once_and_in_order_whatever_befalls_frames() {
    let all = Rates {
        loss: 20_000,
        duplication: 30_000,
        reordering: 30_000,
        corruption: 30_000,
        ..Rates::default()
    };
    let (frames, faults) = stream(all, 3);
    assert!(faults > 60, "{faults} of {frames}");
}

#[test]
fn peer_that_dies_is_reported_and_comes_back_in_a_new_session() {
    let mut cluster = switched(2, &Settings { limit: 5, ..impatient() });
    let lives = cluster.spawn(0, "lives", |mut port| async move {
        let other = NodeId(1);
        port.open(CHANNEL, 1).await.expect("the channel is free");
        source(&mut port, CHANNEL, other, 10, |_| 100).await.expect("the peer is there");
        // The peer takes ten messages and closes; no node acknowledges later ones.
        let mut more = 0;
        let error = loop {
            match port.send(CHANNEL, other, &[1; 64]).await {
                Ok(()) => more += 1,
                Err(error) => break error,
            }
        };
        assert!(more >= 1);
        port.close(CHANNEL).await;
        // Longer than the absence of the peer.
        port.host().processor().compute(Duration::from_us(20_000)).await;
        port.open(CHANNEL, 2).await.expect("it was closed");
        source(&mut port, CHANNEL, other, 10, |_| 300).await.expect("the peer is back");
        error
    });
    let dies = cluster.spawn(1, "dies", |mut port| async move {
        let other = NodeId(0);
        port.open(CHANNEL, 1).await.expect("the channel is free");
        sink(&mut port, CHANNEL, other, 10, |_| 100, |_| ()).await?;
        port.close(CHANNEL).await;
        port.host().processor().compute(Duration::from_us(10_000)).await;
        port.open(CHANNEL, 2).await.expect("it was closed");
        sink(&mut port, CHANNEL, other, 10, |_| 300, |_| ()).await
    });
    cluster.run(Duration::from_us(200_000)).expect("both programs end");
    assert_eq!(lives.take(), Some(SendError::PeerDead(1)));
    assert_eq!(dies.take(), Some(Ok::<(), Wrong>(())));
}

#[test]
fn message_to_an_unknown_node_is_refused_and_costs_no_buffer() {
    let mut cluster = cable(&Settings::default());
    let program = cluster.spawn(0, "program", |mut port| async move {
        port.open(CHANNEL, 1).await.expect("the channel is free");
        for _ in 0..40 {
            for to in [0, 2, 1024] {
                assert_eq!(
                    port.send(CHANNEL, NodeId(to), &message(NodeId(0), 0, 4)).await,
                    Err(SendError::NoSuchNode(to))
                );
            }
        }
        port.driver().refused()
    });
    cluster.run(Duration::from_us(10_000)).expect("the program ends");
    assert_eq!(program.take(), Some(0));
}
