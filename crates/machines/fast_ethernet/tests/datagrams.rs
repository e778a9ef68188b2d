//! UDP over the modelled card.

use cluster::{Duration, Rates};
use ethernet::{DATAGRAM_BYTES, Host, SendError, UdpSettings};
use pm::NodeId;

use crate::hosts;

const PORT: u16 = 7;
const LONG: Duration = Duration::from_us(10_000_000);

#[test]
fn datagrams_of_all_lengths_arrive_as_they_were_sent() {
    let mut cluster = hosts(3);
    let lengths = [0, 1, 18, 500, DATAGRAM_BYTES];
    let sent = cluster.spawn(2, "source", move |port| async move {
        let socket = port.udp().bind(PORT, UdpSettings::default()).await.unwrap();
        for length in lengths {
            let bytes: Vec<u8> = (0..length).map(|at| at as u8).collect();
            socket.send(NodeId(0), PORT, &bytes).await.unwrap();
        }
        let long = socket.send(NodeId(0), PORT, &[0; DATAGRAM_BYTES + 1]).await;
        let nobody = socket.send(NodeId(3), PORT, b"x").await;
        (long, nobody, socket.counters().sent)
    });
    let got = cluster.spawn(0, "sink", move |port| async move {
        let socket = port.udp().bind(PORT, UdpSettings::default()).await.unwrap();
        let mut got = Vec::new();
        while got.len() < lengths.len() {
            socket.poll(None).await;
            got.extend(socket.try_receive().await);
        }
        got
    });
    cluster.run(LONG).unwrap();
    let refused = (Err(SendError::TooLong(DATAGRAM_BYTES + 1)), Err(SendError::NoSuchNode(3)), 5);
    assert_eq!(sent.take().unwrap(), refused);
    for (length, arrived) in lengths.into_iter().zip(got.take().unwrap()) {
        assert_eq!((arrived.from, arrived.port), (NodeId(2), PORT));
        assert_eq!(arrived.bytes, (0..length).map(|at| at as u8).collect::<Vec<_>>());
    }
}

/// Sends a burst of full datagrams to a program that sleeps until all have arrived; returns those received and those
/// dropped.
fn burst(count: usize) -> (u64, u64) {
    let mut cluster = hosts(2);
    cluster.spawn(0, "source", move |port| async move {
        let socket = port.udp().bind(PORT, UdpSettings::default()).await.unwrap();
        port.host().processor().compute(Duration::from_us(100)).await;
        for _ in 0..count {
            socket.send(NodeId(1), PORT, &[7; DATAGRAM_BYTES]).await.unwrap();
        }
    });
    let counted = cluster.spawn(1, "sleeper", move |port| async move {
        let socket = port.udp().bind(PORT, UdpSettings::default()).await.unwrap();
        port.host().processor().compute(Duration::from_us(200 * count as u64 + 1_000)).await;
        let counters = socket.counters();
        let mut got = 0;
        while socket.try_receive().await.is_some() {
            got += 1;
        }
        assert_eq!(got, counters.received);
        (counters.received, counters.dropped)
    });
    cluster.run(LONG).unwrap();
    counted.take().unwrap()
}

#[test]
fn unread_socket_holds_some_thirty_full_frames() {
    assert_eq!(burst(29), (29, 0));
    assert_eq!(burst(100), (29, 71));
}

#[test]
fn a_burst_fills_the_link() {
    let mut cluster = hosts(2);
    const COUNT: u64 = 400;
    cluster.spawn(0, "source", |port| async move {
        let socket = port.udp().bind(PORT, UdpSettings::default()).await.unwrap();
        port.host().processor().compute(Duration::from_us(100)).await;
        for _ in 0..COUNT {
            socket.send(NodeId(1), PORT, &[7; DATAGRAM_BYTES]).await.unwrap();
        }
    });
    let times = cluster.spawn(1, "sink", |port| async move {
        let socket = port.udp().bind(PORT, UdpSettings::default()).await.unwrap();
        let mut times = Vec::new();
        while (times.len() as u64) < COUNT {
            socket.poll(None).await;
            if socket.try_receive().await.is_some() {
                times.push(port.host().processor().now());
            }
        }
        times
    });
    cluster.run(LONG).unwrap();
    let times = times.take().unwrap();
    let each = (times[COUNT as usize - 1] - times[100]).ps() / (COUNT - 101);
    // A frame of 1,514 bytes, its check sequence, preamble and gap.
    assert!(each.abs_diff(1_538 * 80_000) < 80_000, "{each} ps");
}

#[test]
fn a_frame_that_is_damaged_on_the_wire_never_arrives() {
    let mut cluster = hosts(2);
    cluster.set_faults(Rates { corruption: 200_000, ..Rates::default() }, 1);
    cluster.spawn(0, "source", |port| async move {
        let socket = port.udp().bind(PORT, UdpSettings::default()).await.unwrap();
        port.host().processor().compute(Duration::from_us(100)).await;
        for _ in 0..50 {
            socket.send(NodeId(1), PORT, &[7; 100]).await.unwrap();
        }
    });
    let got = cluster.spawn(1, "sink", |port| async move {
        let socket = port.udp().bind(PORT, UdpSettings::default()).await.unwrap();
        let end = port.host().processor().now() + Duration::from_us(50_000);
        let mut got = 0;
        while socket.poll(Some(end)).await {
            got += usize::from(socket.try_receive().await.is_some_and(|arrived| arrived.bytes == [7; 100]));
        }
        got
    });
    cluster.run(LONG).unwrap();
    let (got, damaged) = (got.take().unwrap(), cluster.nodes()[1].side().damaged());
    assert!(got < 50 && damaged > 0, "{got} arrived, {damaged} were damaged");
}
