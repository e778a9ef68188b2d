use cluster::{NodeId, Time};
use ethernet::{ConnectError, Host as _, ListenError, StreamError, Tcp, TcpStream, UdpSettings};

use super::network::{COSTS, Hosts, Port, at, us};

const PORT: u16 = 7;

/// Bytes that a connection acknowledges at once.
const QUICK_BYTES: usize = 16 * 1_460;

async fn connect(tcp: &Tcp<Port>) -> TcpStream<Port> {
    tcp.connect(NodeId(1), PORT).await.unwrap()
}

async fn accept(tcp: &Tcp<Port>) -> TcpStream<Port> {
    tcp.listen(PORT, 1).await.unwrap().accept().await
}

fn now(tcp: &Tcp<Port>) -> Time {
    tcp.host().processor().now()
}

async fn sleep_until(tcp: &Tcp<Port>, time: Time) {
    tcp.host().processor().compute(time - now(tcp)).await;
}

#[test]
fn invalid_calls_are_refused() {
    let mut hosts = Hosts::new(2);
    let program = hosts.tcp(0, |tcp| async move {
        assert_eq!(tcp.listen(0, 1).await.err(), Some(ListenError::NoSuchPort));
        assert!(tcp.listen(1, 1).await.is_ok());
        for node in [0, 2] {
            assert_eq!(tcp.connect(NodeId(node), 1).await.err(), Some(ConnectError::NoSuchNode(node)));
        }
        assert_eq!(tcp.connect(NodeId(1), 0).await.err(), Some(ConnectError::NoSuchPort));
        let before = now(&tcp);
        assert_eq!(tcp.connect(NodeId(1), 1).await.err(), Some(ConnectError::Refused));
        now(&tcp) - before < us(1_000)
    });
    hosts.run();
    assert_eq!(program.take(), Some(true), "the node refuses at once");
}

#[test]
fn select_and_sleep_look_at_sockets() {
    let mut hosts = Hosts::new(2);
    let program = hosts.tcp(1, |tcp| async move {
        let mut listener = tcp.listen(PORT, 2).await.unwrap();
        let before = now(&tcp);
        let found = tcp.select(3, || listener.is_ready()).await;
        let costs = now(&tcp) - before;
        tcp.sleep(|| listener.is_ready()).await;
        let stream = listener.try_accept().await.unwrap();
        assert!(!listener.is_ready() && listener.try_accept().await.is_none());
        (found, costs, stream.peer())
    });
    hosts.tcp(0, |tcp| async move {
        let _stream = connect(&tcp).await;
        tcp.host().processor().compute(us(1_000)).await;
    });
    hosts.run();
    assert_eq!(program.take(), Some((false, us(13), Some(NodeId(0)))));
}

#[test]
fn first_packet_is_sent_again_when_it_is_lost() {
    let mut hosts = Hosts::new(2);
    hosts.cable.lose(0, 1);
    let client = hosts.tcp(0, |tcp| async move {
        let stream = connect(&tcp).await;
        drop(stream);
        now(&tcp)
    });
    hosts.tcp(1, |tcp| async move { drop(accept(&tcp).await) });
    hosts.run();
    let connected = client.take().unwrap();
    assert!(connected > at(200_000.0) && connected < at(201_000.0), "{connected}");
}

#[test]
fn silent_peer_is_given_up_after_the_set_time() {
    for (set, least) in [(None, 3_000_000), (Some(us(700_000)), 700_000)] {
        let mut hosts = Hosts::new(2);
        let cable = hosts.cable.clone();
        let client = hosts.tcp(0, move |tcp| async move {
            let mut stream = connect(&tcp).await;
            if let Some(set) = set {
                stream.set_timeout(set);
            }
            sleep_until(&tcp, at(10_000.0)).await;
            cable.lose(0, usize::MAX);
            let before = now(&tcp);
            // The buffer takes this; nothing acknowledges it.
            assert_eq!(stream.write(&[1; 100]).await, Ok(()));
            assert_eq!(stream.read(1).await, Err(StreamError::Closed));
            assert_eq!(stream.room(), usize::MAX);
            assert_eq!(stream.write(&[1]).await, Err(StreamError::Closed));
            (now(&tcp) - before).ps() / 1_000_000
        });
        hosts.tcp(1, |tcp| async move {
            let stream = accept(&tcp).await;
            tcp.host().processor().compute(us(9_000_000)).await;
            drop(stream);
        });
        hosts.run();
        let time = client.take().expect("the client gives up");
        // The time counts from the last packet of the peer, 10 ms before.
        assert!((least - 10_000..least + 2_000).contains(&time), "{time} us");
    }
}

#[test]
fn writer_whose_reader_resets_is_told() {
    let mut hosts = Hosts::new(2);
    let writer = hosts.tcp(0, |tcp| async move {
        let mut stream = connect(&tcp).await;
        // More than both buffers hold: it waits for room when the reader goes.
        let result = stream.write(&vec![1; 300_000]).await;
        (result, now(&tcp))
    });
    hosts.tcp(1, |tcp| async move {
        let stream = accept(&tcp).await;
        sleep_until(&tcp, at(500_000.0)).await;
        drop(stream);
    });
    hosts.run();
    let (result, time) = writer.take().expect("the writer ends");
    assert_eq!(result, Err(StreamError::Closed));
    assert!(time > at(500_000.0) && time < at(501_000.0), "{time}");
}

#[test]
fn room_is_what_a_write_takes_without_waiting() {
    let mut hosts = Hosts::new(2);
    let writer = hosts.tcp(0, |tcp| async move {
        let mut stream = connect(&tcp).await;
        let whole = stream.room();
        assert!(!stream.is_readable());
        // The reader's window closes, then the buffer fills to the last byte.
        let mut written = 0;
        while stream.room() > 0 {
            let bytes = stream.room().min(1_460);
            stream.write(&vec![1; bytes]).await.unwrap();
            written += bytes;
        }
        sleep_until(&tcp, at(900_000.0)).await;
        (whole, written > whole, stream.room(), stream.is_readable())
    });
    hosts.tcp(1, |tcp| async move {
        let stream = accept(&tcp).await;
        sleep_until(&tcp, at(1_000_000.0)).await;
        drop(stream);
    });
    hosts.run();
    assert_eq!(writer.take(), Some((ethernet::SEND_BYTES, true, 0, false)));
}

#[test]
fn reads_take_what_they_ask_for_and_leave_the_rest() {
    let mut hosts = Hosts::new(2);
    hosts.tcp(0, |tcp| async move {
        let mut stream = connect(&tcp).await;
        stream.set_no_delay().await;
        stream.write(b"abc").await.unwrap();
        sleep_until(&tcp, at(50_000.0)).await;
        stream.write(b"defghijklm").await.unwrap();
        stream.shut_down().await;
        assert_eq!(stream.write(b"more").await, Err(StreamError::Closed), "the sending side is closed");
        sleep_until(&tcp, at(900_000.0)).await;
    });
    let reader = hosts.tcp(1, |tcp| async move {
        let mut stream = accept(&tcp).await;
        let begin = stream.read_exact(5).await.unwrap();
        let time = now(&tcp);
        assert_eq!(stream.peek().await, Ok(8));
        let next = stream.read(3).await.unwrap();
        assert_eq!(stream.read_exact(0).await, Ok(vec![]));
        assert_eq!(stream.read_exact(6).await, Err(StreamError::Closed), "five are left");
        assert_eq!((stream.peek().await, stream.is_readable()), (Ok(0), true));
        assert_eq!(stream.read(3).await, Ok(vec![]));
        (begin, next, time > at(50_000.0))
    });
    hosts.run();
    assert_eq!(reader.take(), Some((b"abcde".to_vec(), b"fgh".to_vec(), true)));
}

#[test]
fn dropped_stream_ends_at_once_for_its_peer() {
    let mut hosts = Hosts::new(2);
    hosts.tcp(0, |tcp| async move {
        let stream = connect(&tcp).await;
        sleep_until(&tcp, at(50_000.0)).await;
        drop(stream);
    });
    let reader = hosts.tcp(1, |tcp| async move {
        let mut stream = accept(&tcp).await;
        (stream.read(1).await, now(&tcp))
    });
    hosts.run();
    let (bytes, time) = reader.take().unwrap();
    assert_eq!(bytes, Ok(vec![]));
    assert!(time > at(50_000.0) && time < at(50_200.0), "{time}");
}

#[test]
fn connection_that_is_reset_before_it_is_accepted_is_dropped() {
    let mut hosts = Hosts::new(3);
    let cable = hosts.cable.clone();
    hosts.tcp(0, |tcp| async move {
        let mut stream = connect(&tcp).await;
        stream.set_timeout(us(300_000));
        // Nothing acknowledges this, so the client gives up and resets the connection.
        cable.lose(0, 0);
        stream.write(b"x").await.unwrap();
        drop(stream);
    });
    hosts.tcp(2, |tcp| async move {
        sleep_until(&tcp, at(100_000.0)).await;
        let mut stream = connect(&tcp).await;
        stream.write(b"y").await.unwrap();
        sleep_until(&tcp, at(900_000.0)).await;
    });
    let server = hosts.tcp(1, |tcp| async move {
        let mut listener = tcp.listen(PORT, 2).await.unwrap();
        sleep_until(&tcp, at(200_000.0)).await;
        let mut peers = Vec::new();
        while peers.len() < 2 {
            let mut stream = listener.accept().await;
            peers.push((stream.peer(), stream.read(1).await));
        }
        peers
    });
    hosts.run();
    let peers = server.take().unwrap();
    assert_eq!(peers, [(Some(NodeId(0)), Ok(b"x".to_vec())), (Some(NodeId(2)), Ok(b"y".to_vec()))]);
}

#[test]
fn connection_that_is_being_opened_survives_a_look() {
    let mut hosts = Hosts::new(2);
    let client = hosts.tcp(0, |tcp| async move {
        sleep_until(&tcp, at(1_000.0)).await;
        let stream = tcp.connect(NodeId(1), PORT).await;
        (stream.is_ok(), now(&tcp) < at(1_500.0))
    });
    let server = hosts.tcp(1, |tcp| async move {
        let mut listener = tcp.listen(PORT, 1).await.unwrap();
        let mut looks = 0;
        loop {
            looks += 1;
            if let Some(stream) = listener.try_accept().await {
                return (looks > 50, stream.peer().is_some());
            }
        }
    });
    hosts.run_until(at(100_000.0));
    assert_eq!(client.take(), Some((true, true)));
    assert_eq!(server.take(), Some((true, true)));
}

/// Time from a byte to its acknowledgement, after the receiver has read `count` bytes and possibly written one.
fn acknowledged_after(count: usize, writes: bool) -> Time {
    let mut hosts = Hosts::new(2);
    let cable = hosts.cable.clone();
    let client = hosts.tcp(0, move |tcp| async move {
        let mut stream = connect(&tcp).await;
        stream.write(&vec![1; count]).await.unwrap();
        if writes {
            stream.read(1).await.unwrap();
        }
        sleep_until(&tcp, at(500_000.0)).await;
        let before = cable.count(1);
        stream.write(b"x").await.unwrap();
        sleep_until(&tcp, at(900_000.0)).await;
        before
    });
    hosts.tcp(1, move |tcp| async move {
        let mut stream = accept(&tcp).await;
        stream.read_exact(count).await.unwrap();
        if writes {
            stream.write(b"x").await.unwrap();
        }
        stream.read_exact(1).await.unwrap();
        sleep_until(&tcp, at(900_000.0)).await;
    });
    hosts.run_until(at(800_000.0));
    let before =
        hosts.cable.sent().iter().filter(|frame| frame.from == 1 && frame.time < at(500_000.0)).count();
    let frame = hosts.cable.sent().into_iter().filter(|frame| frame.from == 1).nth(before);
    drop(client);
    frame.expect("the byte is acknowledged").time
}

#[test]
fn acknowledgements_are_delayed_after_a_write_or_many_bytes() {
    let quick = |time: Time| time < at(500_200.0);
    for (count, writes, is_quick) in [
        (1, false, true),
        (1, true, false),
        (QUICK_BYTES - 1, false, true),
        (QUICK_BYTES, false, false),
        (QUICK_BYTES + 1, false, false),
    ] {
        let time = acknowledged_after(count, writes);
        assert_eq!(quick(time), is_quick, "{count} bytes, {time}");
        assert!(is_quick || time > at(520_000.0) && time < at(520_200.0), "{time}");
    }
}

/// A timer that expires while a process sends is left to that process, and time goes on.
#[test]
fn timer_that_expires_while_a_process_sends_waits() {
    for begin in [519_990.0, 520_000.0, 520_010.0, 520_020.0, 520_030.0, 520_040.0, 520_050.0] {
        let mut hosts = Hosts::new(2);
        hosts.cable.fill(1, 0);
        hosts.tcp(0, |tcp| async move {
            let mut stream = connect(&tcp).await;
            stream.read(1).await.unwrap();
            sleep_until(&tcp, at(500_000.0)).await;
            stream.write(b"x").await.unwrap();
            sleep_until(&tcp, at(900_000.0)).await;
        });
        hosts.tcp(1, |tcp| async move {
            let mut stream = accept(&tcp).await;
            stream.write(b"x").await.unwrap();
            stream.read(1).await.unwrap();
            sleep_until(&tcp, at(900_000.0)).await;
        });
        hosts.udp(1, move |udp| async move {
            let socket = udp.bind(PORT, UdpSettings::default()).await.unwrap();
            let cpu = socket.host().processor();
            cpu.compute(at(begin) - cpu.now()).await;
            socket.send(NodeId(0), PORT, b"").await.unwrap();
        });
        hosts.run_until(at(800_000.0));
        let late =
            hosts.cable.sent().into_iter().filter(|frame| frame.from == 1 && frame.time > at(500_000.0));
        let times: Vec<_> = late.map(|frame| frame.time).collect();
        assert_eq!(times.len(), 2, "an acknowledgement and a datagram: {times:?}");
        let distance = times[1] - times[0];
        assert!(distance >= COSTS.packet, "{times:?}");
        assert!(times[1] < at(520_200.0), "{times:?}");
    }
}
