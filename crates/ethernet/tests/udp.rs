use std::rc::Rc;

use cluster::{NodeId, Time};
use ethernet::{BindError, DATAGRAM_BYTES, Host as _, SendError, UdpSettings, UdpSocket};

use super::network::{COSTS, Frame, Hosts, LATENCY, Port, at, us};

const PORT: u16 = 7;

async fn bind(udp: ethernet::Udp<Port>) -> UdpSocket<Port> {
    udp.bind(PORT, UdpSettings::default()).await.unwrap()
}

#[test]
fn datagram_takes_the_time_of_each_step() {
    let mut hosts = Hosts::new(2);
    let receiver = hosts.udp(1, |udp| async move {
        let socket = bind(udp).await;
        let now = || socket.host().processor().now();
        assert!(!socket.is_readable());
        let has_arrived = socket.poll(None).await;
        let arrived = now();
        let datagram = socket.try_receive().await.unwrap();
        let received = now();
        // The select alone takes time if a datagram is there, or if there is none until its end.
        let nothing = socket.try_receive().await;
        let looked = now() - received;
        (has_arrived, arrived, datagram, received, nothing, looked, socket.counters().received)
    });
    hosts.udp(0, |udp| async move {
        let socket = bind(udp).await;
        socket.send(NodeId(1), 7, &[5; 101]).await.unwrap();
        assert_eq!(socket.counters().sent, 1);
    });
    hosts.run();
    // To bind and to send are system calls; 26 words are copied; then comes the packet.
    let left = at(10.0 + 10.0 + 2.6 + 20.0);
    assert_eq!(hosts.cable.sent(), [Frame { time: left, from: 0, bytes: 14 + 20 + 8 + 101 }]);
    // The bottom half computes the checksum of 36 words.
    let readable = left + LATENCY + COSTS.packet + COSTS.checksum * 36;
    let (has_arrived, arrived, datagram, received, nothing, looked, count) = receiver.take().unwrap();
    assert!(has_arrived);
    assert_eq!(arrived, readable);
    assert_eq!((datagram.from, datagram.port, datagram.bytes), (NodeId(0), PORT, vec![5; 101]));
    assert_eq!(received, readable + COSTS.system_call + COSTS.copy_cached * 26);
    assert_eq!((nothing, looked, count), (None, COSTS.system_call, 1));
}

#[test]
fn poll_ends_with_a_datagram_or_at_its_end() {
    for (end, expected) in [(500.0, false), (1_010.0, true), (5_000.0, true)] {
        let mut hosts = Hosts::new(2);
        let receiver = hosts.udp(1, move |udp| async move {
            let socket = bind(udp).await;
            let found = socket.poll(Some(at(end))).await;
            (found, socket.host().processor().now())
        });
        hosts.udp(0, |udp| async move {
            let socket = bind(udp).await;
            let cpu = socket.host().processor();
            cpu.compute(us(1_000) - (cpu.now() - Time::ZERO)).await;
            cpu.compute(us(0)).await;
            socket.send(NodeId(1), 7, b"").await.unwrap();
        });
        hosts.run();
        let arrives = at(1_000.0 + 10.0 + 20.0) + LATENCY + COSTS.packet + COSTS.checksum * 11;
        let time = if at(end) < arrives { at(end) } else { arrives };
        let found = at(end) >= arrives;
        assert_eq!(receiver.take(), Some((found, time)), "{end}: {expected}");
    }
}

#[test]
fn select_that_finds_a_datagram_costs_a_call_and_a_turn() {
    let mut hosts = Hosts::new(2);
    let receiver = hosts.udp(1, |udp| async move {
        let socket = bind(udp).await;
        socket.poll(None).await;
        let before = socket.host().processor().now();
        assert!(socket.poll(Some(before)).await);
        let found = socket.host().processor().now() - before;
        socket.try_receive().await.unwrap();
        let before = socket.host().processor().now();
        assert!(!socket.poll(Some(before)).await, "its end is over");
        (found, socket.host().processor().now() - before)
    });
    hosts.udp(0, |udp| async move { bind(udp).await.send(NodeId(1), 7, b"x").await.unwrap() });
    hosts.run();
    assert_eq!(receiver.take(), Some((us(11), us(11))));
}

#[test]
fn invalid_calls_are_refused() {
    let mut hosts = Hosts::new(2);
    let program = hosts.udp(0, |udp| async move {
        let settings = UdpSettings::default();
        assert_eq!(udp.bind(0, settings).await.err(), Some(BindError::NoSuchPort));
        let socket = udp.bind(1, settings).await.unwrap();
        assert_eq!(udp.bind(1, settings).await.err(), Some(BindError::InUse(1)));
        let long = vec![0; DATAGRAM_BYTES + 1];
        assert_eq!(socket.send(NodeId(1), 1, &long).await, Err(SendError::TooLong(long.len())));
        assert_eq!(socket.send(NodeId(1), 1, &long[1..]).await, Ok(()));
        for node in [0, 2] {
            assert_eq!(socket.send(NodeId(node), 1, b"").await, Err(SendError::NoSuchNode(node)));
        }
        drop(socket);
        // A closed socket frees its port and its datagrams.
        let again = udp.bind(1, settings).await.unwrap();
        assert_eq!(again.counters().sent, 0);
        udp.node()
    });
    hosts.run();
    assert_eq!(program.take(), Some(NodeId(0)));
    assert_eq!(hosts.cable.sent().len(), 1);
}

#[test]
fn one_sender_sends_for_all() {
    let mut hosts = Hosts::new(2);
    for port in [1, 2] {
        hosts.udp(0, move |udp| async move {
            let socket = udp.bind(port, UdpSettings::default()).await.unwrap();
            socket.send(NodeId(1), 7, b"").await.unwrap();
        });
    }
    hosts.run();
    let times: Vec<_> = hosts.cable.sent().iter().map(|frame| frame.time).collect();
    assert_eq!(times, [40.0, 60.0].map(at));
}

#[test]
fn full_card_is_asked_again_after_a_pause() {
    let mut hosts = Hosts::new(2);
    hosts.cable.fill(0, 3);
    hosts.udp(0, |udp| async move { bind(udp).await.send(NodeId(1), 7, b"").await.unwrap() });
    hosts.run();
    assert_eq!(hosts.cable.sent()[0].time, at(40.0) + us(3));
}

#[test]
fn sender_waits_while_its_buffer_is_full() {
    let mut hosts = Hosts::new(2);
    // The first datagram stays in the card's driver for a millisecond.
    hosts.cable.fill(0, 1_000);
    let settings = UdpSettings { send_buffer: 5_000, ..UdpSettings::default() };
    hosts.udp(0, move |udp| async move {
        let socket = Rc::new(udp.bind(1, settings).await.unwrap());
        socket.send(NodeId(1), 7, &[1; 1_000]).await.unwrap();
    });
    let second = hosts.udp(0, move |udp| async move {
        let socket = udp.bind(2, settings).await.unwrap();
        let now = || socket.host().processor().now();
        let mut times = Vec::new();
        for _ in 0..3 {
            socket.send(NodeId(1), 7, &[1; 1_000]).await.unwrap();
            times.push(now());
        }
        times
    });
    hosts.run();
    let times = second.take().unwrap();
    // Two wait with the first, of another socket; a third has no room until one has left.
    assert!(times[1] < at(1_000.0) && times[2] > at(1_000.0), "{times:?}");
    assert_eq!(hosts.cable.sent().len(), 4);
}
